//! Defines the command line: commands, their flags, and their help.

mod bench;
mod classify;
mod config;
mod dedup;
mod entries;
mod eval;
mod explain;
mod extract;
mod features;
mod get;
mod index;
mod links;
mod records;
mod refine;
mod relabel;
mod report;
mod run;
mod serve;
mod shard;
mod site_lines;
mod stats;
mod status_range;
mod train;
mod train_nb;
mod train_topics;
mod values;
mod verify;
mod withdraw;

pub(crate) use bench::BenchArgs;
pub(crate) use classify::ClassifyArgs;
pub(crate) use dedup::DedupArgs;
pub(crate) use eval::{EvalArgs, Format};
pub(crate) use explain::ExplainArgs;
pub(crate) use extract::ExtractArgs;
pub(crate) use features::FeaturesArgs;
pub(crate) use get::GetArgs;
pub(crate) use index::{IndexArgs, SearchArgs};
pub(crate) use links::LinksArgs;
pub(crate) use records::RecordsArgs;
pub(crate) use refine::RefineArgs;
pub(crate) use relabel::RelabelArgs;
pub(crate) use report::ReportArgs;
pub(crate) use run::RunArgs;
pub(crate) use serve::ServeArgs;
pub(crate) use site_lines::SiteLinesArgs;
pub(crate) use stats::StatsArgs;
pub(crate) use status_range::StatusRange;
pub(crate) use train::TrainCommand;
pub(crate) use train_nb::TrainNbArgs;
pub(crate) use train_topics::TrainTopicsArgs;
pub(crate) use verify::VerifyArgs;
pub(crate) use withdraw::WithdrawArgs;

use crate::exit;
use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use std::fmt::Write;
use std::path::PathBuf;

/// Takes the husk off crawled web pages: WARC and JSONL in, clean text out.
#[derive(Parser, Debug)]
#[command(name = "huller", version, after_help = MORE, after_long_help = exit::HELP)]
#[command(max_term_width = 100)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Extract the main text of every page into compressed JSONL
    #[command(after_long_help = exit::HELP)]
    Extract(Box<ExtractArgs>),
    /// Send existing rows through stages: languages, filters, masks
    ///
    /// Reads JSON Lines of any schema, and writes the rows that pass, with the changes of the
    /// stages. The result equals that of the same stages in `huller extract`, at the speed of the
    /// stages. So you can try a threshold without extracting again.
    #[command(after_long_help = exit::HELP)]
    Refine(Box<RefineArgs>),
    /// Drop duplicates, exact and near, from corpora of rows
    ///
    /// Reads JSON Lines of any schema. Rows are compared by their signatures. If the stage
    /// `signature` has written these beside the rows, they are read; otherwise they are made first.
    /// Kept rows keep their bytes. The output has signatures too, so it can be an input or an
    /// --against of a later run.
    #[command(after_long_help = exit::DEDUP_HELP)]
    Dedup(Box<DedupArgs>),
    /// Build a host graph of tables of links
    ///
    /// Reads the links that `huller extract --links` writes. Writes hosts and edges in the form of
    /// Common Crawl's host graphs, and the number of links by role for each edge.
    #[command(after_long_help = exit::LINKS_HELP)]
    Links(LinksArgs),
    /// List the lines that recur on the pages of a host
    ///
    /// Reads rows of any schema. Lines that are on many pages of a host are templates: author bios,
    /// teasers, notices. The stage `site-lines` of `huller refine` and `huller extract` leaves the
    /// lines of the list out of texts.
    #[command(after_long_help = exit::SITE_LINES_HELP)]
    SiteLines(SiteLinesArgs),
    /// Put the labels of your own model into the rows of a finished run
    ///
    /// `huller extract --escalate` writes the pages with a low score as lists of blocks. A model of
    /// yours says which blocks are content. This command gives the rows of these pages the text of
    /// their content blocks. All other rows keep their bytes. If the command is interrupted, repeat
    /// it.
    #[command(after_long_help = exit::RELABEL_HELP)]
    Relabel(RelabelArgs),
    /// Remove pages from finished corpora and indexes, for good
    ///
    /// Removes the rows of these pages from every file of finished runs and of indexes: rows in all
    /// formats, passages, signatures, dropped rows. All other rows keep their bytes. Tombstones
    /// with digests of the pages keep later runs from bringing them back. If the command is
    /// interrupted, repeat it.
    #[command(after_long_help = exit::WITHDRAW_HELP)]
    Withdraw(Box<WithdrawArgs>),
    /// Build a full-text index of corpora of rows
    ///
    /// Reads JSON Lines of any schema, and tables. `huller search` then finds titles, texts, URLs,
    /// hosts, dates and languages. With --resume an interrupted index continues, and new rows of
    /// the corpora are added.
    #[command(after_long_help = exit::INDEX_HELP)]
    Index(IndexArgs),
    /// Search a full-text index
    Search(SearchArgs),
    /// Show a corpus in a browser on this machine
    ///
    /// Search the corpus, look at rows, see why blocks of their pages were kept, and how the run
    /// went. The server answers on 127.0.0.1 until it is interrupted. It changes no file. Its pages
    /// have no scripts, except those of `explain`, and load nothing from elsewhere.
    #[command(after_long_help = exit::SERVE_HELP)]
    Serve(ServeArgs),
    /// List the stages that rows can pass, and the presets
    Stages(StagesArgs),
    /// Score extractors and other programs against a gold standard
    #[command(after_long_help = exit::EVAL_HELP)]
    Eval(Box<EvalArgs>),
    /// List the records of an archive
    Records(RecordsArgs),
    /// Print the record, page or text from which a row was made
    ///
    /// A row names its archive (`warc_filename`) and the offset of its record there
    /// (`warc_record_offset`). Only that record is read.
    Get(GetArgs),
    /// Show the statistics of runs, and list missing inputs
    #[command(alias = "merge-stats")]
    Stats(StatsArgs),
    /// Check the outputs of a run against its journal and digests
    ///
    /// Reads every output of a run and reports each difference from the state that the run left. An
    /// output may be missing, have other bytes, or have another number of rows than the statistics.
    /// It may be impossible to decompress or parse. The journal may have lost a line, or a file may
    /// have the name of an output that the run did not write. Every file of an index is compared
    /// with its checksum. No file is changed.
    #[command(after_long_help = exit::VERIFY_HELP)]
    Verify(VerifyArgs),
    /// Show why the blocks of a page were kept or not
    ///
    /// Extracts one page with several extractors, and prints its blocks in order: whether each is
    /// kept, its score, how many extractors keep it, its role and its text. With --output it writes
    /// one HTML file instead, which needs no network. The file shows the extractors side by side,
    /// the figures of each block, its place in the tree, the text, the Markdown, and the difference
    /// from a gold text.
    Explain(ExplainArgs),
    /// Show a run, or several as one, in an HTML file
    ///
    /// Shows outcomes, and reasons with examples that give file and offset. Shows the rows after
    /// each stage, languages, charsets, page types, lengths and expected scores of the rows, time,
    /// and damage by input. With --against it compares with an earlier run. The file has no script
    /// and loads nothing.
    Report(ReportArgs),
    /// Measure throughput by worker count, and the cost of each stage
    ///
    /// Runs `huller extract` over the inputs as whole processes, several times, with several worker
    /// counts in alternation. Prints medians and spreads of seconds, CPU seconds, MB and pages per
    /// second, and memory. A model estimates the result with more cores; estimates are shown beside
    /// the measurements, never mixed with them. Every output states the machine, the settings and a
    /// digest of the inputs. On a busy machine the command fails and records no results, unless
    /// --busy is given.
    #[command(after_long_help = exit::BENCH_HELP)]
    Bench(Box<BenchArgs>),
    /// List the extractors
    Extractors(ExtractorsArgs),
    /// Train a model from labelled pages or texts
    #[command(subcommand)]
    Train(TrainCommand),
    /// Write the features of labelled blocks, to train `hull` elsewhere
    Features(FeaturesArgs),
    /// Add its topic to every text of a JSONL file
    Classify(ClassifyArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page, or write one for every command
    Man {
        /// Write one file per command to this folder
        #[arg(long, value_name = "DIR")]
        out_dir: Option<PathBuf>,
        /// Print the reference of all commands and options as Markdown instead
        #[arg(long, conflicts_with = "out_dir")]
        markdown: bool,
    },
}

#[derive(clap::Args, Debug)]
pub(crate) struct StagesArgs {
    /// Show the settings of each stage with their defaults
    #[arg(long)]
    pub(crate) long: bool,
    /// List the presets, or print the preset NAME as a file for --config
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
    pub(crate) presets: Option<String>,
}

#[derive(clap::Args, Debug)]
pub(crate) struct ExtractorsArgs {
    /// Show more about each extractor
    #[arg(long)]
    pub(crate) long: bool,
}

/// The last line of `huller -h`.
const MORE: &str = "`huller COMMAND -h` lists the options of a command, and --help explains them.";

/// Commands by purpose, in the order of `huller --help`.
const GROUPS: [(&str, &[&str]); 6] = [
    (
        "Make a corpus",
        &["extract", "refine", "dedup", "links", "site-lines", "relabel", "withdraw"],
    ),
    ("Search it", &["index", "search", "serve"]),
    ("Check a run", &["stats", "verify", "report"]),
    ("Look at archives and pages", &["records", "get", "explain"]),
    ("Measure and train", &["bench", "eval", "train", "classify", "features"]),
    ("Learn what there is", &["extractors", "stages", "completions", "man"]),
];

/// Returns the commands by purpose. Each group has a heading, and each command its summary.
pub(crate) fn groups(command: &clap::Command) -> Vec<(&'static str, Vec<&clap::Command>)> {
    GROUPS
        .map(|(heading, names)| {
            let subcommands = names.iter().filter_map(|name| command.find_subcommand(name));
            (heading, subcommands.collect())
        })
        .to_vec()
}

/// Returns the definition of the program, with a help that lists the commands by purpose.
pub(crate) fn command() -> clap::Command {
    let command = Args::command();
    let (header, literal) = (command.get_styles().get_header(), command.get_styles().get_literal());
    let mut template = "{about-with-newline}\n{usage-heading} {usage}\n\n".to_owned();
    for (heading, commands) in groups(&command) {
        let _ = writeln!(template, "{header}{heading}:{header:#}");
        for command in commands {
            let (name, about) = (
                command.get_name(),
                command.get_about().map(ToString::to_string).unwrap_or_default(),
            );
            let _ = writeln!(template, "  {literal}{name:<11}{literal:#}  {about}");
        }
        template.push('\n');
    }
    let _ = write!(template, "{header}Options:{header:#}\n{{options}}{{after-help}}");
    command.help_template(template)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound_and_everything_has_help() {
        let command = command();
        command.clone().help_expected(true).debug_assert();
        for subcommand in command.get_subcommands().filter(|s| s.get_name() != "help") {
            for argument in subcommand.get_arguments() {
                assert!(
                    argument.get_help().is_some(),
                    "{} {}",
                    subcommand.get_name(),
                    argument.get_id()
                );
            }
        }
    }

    #[test]
    fn the_groups_hold_every_command_once_in_one_line_of_80_columns() {
        let command = Args::command();
        let mut grouped: Vec<_> = groups(&command).into_iter().flat_map(|group| group.1).collect();
        grouped.sort_by_key(|command| command.get_name());
        let mut all: Vec<_> = command.get_subcommands().collect();
        all.sort_by_key(|command| command.get_name());
        let names = |commands: &[&clap::Command]| -> Vec<String> {
            commands.iter().map(|command| command.get_name().to_owned()).collect()
        };
        assert_eq!(names(&grouped), names(&all));
        for command in all {
            let about = command.get_about().unwrap().to_string();
            assert!(about.chars().count() <= 65, "{}: {about}", command.get_name());
        }
    }

    #[test]
    fn the_defaults_are_those_of_the_library() {
        let Command::Extract(args) =
            Args::parse_from(["huller", "extract", "x.warc.gz", "-o", "out"]).command
        else {
            panic!("another command");
        };
        let library = huller_pipeline::Settings::new(vec![huller_extract::EXTRACTORS[0]]);
        assert_eq!(format!("{:?}", args.settings().unwrap()), format!("{library:?}"));
    }
}
