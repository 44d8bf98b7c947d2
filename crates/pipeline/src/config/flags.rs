//! Reads a configuration from the flags of a command line.

use super::fields::Config;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};

/// The [`Config`] with only the options that the user typed.
///
/// The help names the default of every flag, so clap fills it in as if it had been typed. Here
/// these values are removed. Otherwise flags laid over a file would hide all of it.
#[derive(Clone, Debug, Default)]
pub struct Flags(pub Config);

impl Args for Flags {
    fn augment_args(command: Command) -> Command {
        Config::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Config::augment_args_for_update(command)
    }
}

impl FromArgMatches for Flags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Flags, clap::Error> {
        let mut config = Config::from_arg_matches(matches)?;
        config.retain(|name| {
            matches.value_source(name).is_some_and(|source| source != ValueSource::DefaultValue)
        });
        Ok(Flags(config))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let typed = Flags::from_arg_matches(matches)?;
        self.0 = typed.0.or(std::mem::take(&mut self.0));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{CompressChoice, IncludeChoice};
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        flags: Flags,
    }

    fn typed(line: &str) -> Config {
        Line::try_parse_from(format!("program {line}").split_whitespace()).unwrap().flags.0
    }

    #[test]
    fn only_what_was_typed_is_said() {
        assert_eq!(typed(""), Config::default());
        let expected = Config {
            extractor: Some(vec!["pvalue".to_owned(), "body".to_owned()]),
            include: Some(vec![IncludeChoice::Title, IncludeChoice::Captions]),
            html: Some(true),
            compress: Some(CompressChoice::Gzip),
            max_page_bytes: Some(1 << 16),
            ..Config::default()
        };
        let line = "--extractors pvalue,body --include title,captions --html --compress gzip \
                    --max-page-bytes 64K";
        assert_eq!(typed(line), expected);
        assert_eq!(typed("--min-chars 0").min_chars, Some(0), "typed, though it is the default");
    }

    #[test]
    fn the_defaults_in_the_help_are_those_of_the_settings() {
        use clap::CommandFactory;
        let matches = Line::command().get_matches_from(["program"]);
        let shown = Config::from_arg_matches(&matches).unwrap();
        assert_ne!(shown, Config::default());
        let [shown, defaults] =
            [shown, Config::default()].map(|config| format!("{:?}", config.settings().unwrap()));
        assert_eq!(shown, defaults);
    }

    #[test]
    fn a_flag_has_the_name_of_its_field() {
        use clap::CommandFactory;
        let fields = serde_json::to_value(Config::default()).unwrap();
        let command = Line::command();
        let mut flags: Vec<_> = command
            .get_arguments()
            .map(|flag| flag.get_long().unwrap().replace('-', "_"))
            .collect();
        let mut fields: Vec<_> = fields.as_object().unwrap().keys().cloned().collect();
        flags.sort();
        fields.sort();
        assert_eq!(flags, fields);
    }
}
