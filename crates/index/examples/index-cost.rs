//! Measures the cost of an index, compared with tantivy's own tokenizers.
//!
//! ```sh
//! cargo run --release -p huller-index --example index-cost -- ROWS.jsonl [huller | default | stemmed | read]...
//! ```
//!
//! The program indexes the rows once per way, in a process of its own with one thread of each kind.
//! It prints bytes of title and text, CPU seconds, megabytes per CPU second, and the size of the
//! index.
//!
//! * `huller`: our index.
//! * `default`: tantivy's tokenizer of that name (lower-case words) with the schema of our index,
//!   over documents of the same fields. The difference in time is the cost of our words, their
//!   stems and the statistics of lines.
//! * `stemmed`: English stems in place of the words, as in tantivy's `en_stem`. A word then costs
//!   one term, and in our index two.
//! * `read`: makes documents but no index.
//!
//! Rows without a language have no stems. To see the cost of stems, compare rows with and without a
//! language.
#![expect(clippy::print_stdout, reason = "a program that prints a table")]

use frostem::{Algorithm, Stemmer};
use huller_index::{Options, build};
use serde_json::Value;
use std::error::Error;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use tantivy::schema::Schema;
use tantivy::tokenizer::{
    LowerCaser, RemoveLongFilter, SimpleTokenizer, TextAnalyzer, Token, TokenFilter, TokenStream,
    Tokenizer,
};
use tantivy::{Index, TantivyDocument};

/// Memory of the index, in bytes.
const MEMORY: u64 = 1 << 30;

/// Replaces words by their English stems.
#[derive(Clone)]
struct English;

#[derive(Clone)]
struct Stemming<T>(T);

struct Stemmed<T>(T);

impl TokenFilter for English {
    type Tokenizer<T: Tokenizer> = Stemming<T>;

    fn transform<T: Tokenizer>(self, words: T) -> Stemming<T> {
        Stemming(words)
    }
}

impl<T: Tokenizer> Tokenizer for Stemming<T> {
    type TokenStream<'a> = Stemmed<T::TokenStream<'a>>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Self::TokenStream<'a> {
        Stemmed(self.0.token_stream(text))
    }
}

impl<T: TokenStream> TokenStream for Stemmed<T> {
    fn advance(&mut self) -> bool {
        if !self.0.advance() {
            return false;
        }
        let stem = Stemmer::new(Algorithm::English).stem(&self.0.token().text).into_owned();
        self.0.token_mut().text = stem;
        true
    }

    fn token(&self) -> &Token {
        self.0.token()
    }

    fn token_mut(&mut self) -> &mut Token {
        self.0.token_mut()
    }
}

/// Returns the CPU seconds of this process.
fn cpu() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after.split_whitespace().skip(11).take(2);
    ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.
}

/// Indexes with our own words.
fn ours(rows: &Path, out: &Path) -> Result<(), Box<dyn Error>> {
    let options = Options { threads: 1, memory: MEMORY, ..Options::default() };
    build(
        &[rows.to_owned()],
        out,
        &options,
        &mut huller_run::monitor::SilentMonitor,
        &Arc::default(),
    )?;
    Ok(())
}

/// Returns the schema of our index with another tokenizer.
fn schema(tokenizer: &str, scratch: &Path) -> Result<Schema, Box<dyn Error>> {
    let empty = scratch.join("empty.jsonl");
    fs::write(&empty, "")?;
    ours(&empty, &scratch.join("empty"))?;
    let schema = Index::open_in_dir(scratch.join("empty"))?.schema();
    let json = serde_json::to_string(&schema)?;
    let other = json.replace("\"huller\"", &format!("{tokenizer:?}"));
    Ok(serde_json::from_str(&other.replace("\"huller-address\"", "\"default\""))?)
}

/// Makes the document of a row, with the fields of our own documents except the domains above the
/// host.
fn document(schema: &Schema, line: &str, place: usize) -> Result<TantivyDocument, Box<dyn Error>> {
    let row: Value = serde_json::from_str(line)?;
    let mut document = TantivyDocument::default();
    let mut add = |field: &str, value: &str| -> tantivy::Result<()> {
        document.add_text(schema.get_field(field)?, value);
        Ok(())
    };
    add("row", &format!("rows.jsonl#{place}"))?;
    for (name, fields) in [
        ("id", &["id"][..]),
        ("text", &["text", "text_words"]),
        ("title", &["title", "title_words"]),
        ("url", &["url", "url_words"]),
        ("language", &["language"]),
        ("page_type", &["page_type"]),
        ("date", &["date_text"]),
        ("warc_filename", &["warc_filename"]),
    ] {
        let Some(value) = row[name].as_str() else { continue };
        fields.iter().try_for_each(|field| add(field, value))?;
    }
    if let Some(host) = row["url"].as_str().and_then(|url| url.split('/').nth(2)) {
        add("host", host)?;
        add("site", host)?;
    }
    document.add_u64(schema.get_field("rank")?, place as u64);
    Ok(document)
}

/// Indexes with a tokenizer of tantivy.
fn theirs(tokenizer: &str, rows: &Path, out: &Path, scratch: &Path) -> Result<(), Box<dyn Error>> {
    let schema = schema(tokenizer, scratch)?;
    fs::create_dir_all(out)?;
    let index = Index::create_in_dir(out, schema.clone())?;
    let words =
        TextAnalyzer::builder(SimpleTokenizer::default()).filter(RemoveLongFilter::limit(40));
    index.tokenizers().register("stemmed", words.filter(LowerCaser).filter(English).build());
    let mut writer = index.writer_with_num_threads(1, (MEMORY / 2) as usize)?;
    for (place, line) in BufReader::new(File::open(rows)?).lines().enumerate() {
        writer.add_document(document(&schema, &line?, place)?)?;
    }
    writer.commit()?;
    writer.wait_merging_threads()?;
    Ok(())
}

/// Returns the bytes of titles and texts.
fn text_bytes(rows: &Path) -> Result<usize, Box<dyn Error>> {
    let mut bytes = 0;
    for line in BufReader::new(File::open(rows)?).lines() {
        let row: Value = serde_json::from_str(&line?)?;
        bytes += ["title", "text"]
            .iter()
            .filter_map(|field| row[*field].as_str())
            .map(str::len)
            .sum::<usize>();
    }
    Ok(bytes)
}

fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.metadata().ok()).map(|metadata| metadata.len()).sum()
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let scratch = std::env::temp_dir().join("huller-index-cost");
    let out = scratch.join("index");
    if let [child, way, rows] = arguments.as_slice()
        && child == "build"
    {
        let rows = Path::new(rows);
        match way.as_str() {
            "huller" => ours(rows, &out)?,
            "read" => {
                let schema = schema("default", &scratch)?;
                for (place, line) in BufReader::new(File::open(rows)?).lines().enumerate() {
                    std::hint::black_box(document(&schema, &line?, place)?);
                }
            }
            tokenizer => theirs(tokenizer, rows, &out, &scratch)?,
        }
        println!("{}", cpu());
        return Ok(());
    }
    let Some((rows, ways)) = arguments.split_first() else {
        return Err("usage: index-cost ROWS.jsonl [huller | default | stemmed | read]...".into());
    };
    let all = ["huller", "default", "stemmed", "read"].map(str::to_owned);
    let ways = if ways.is_empty() { &all[..] } else { ways };
    let bytes = text_bytes(Path::new(rows))?;
    println!(
        "{:>10} {:>10} {:>8} {:>10} {:>10}",
        "way", "text MB", "CPU s", "MB/CPU s", "index MB"
    );
    for way in ways {
        let _ = fs::remove_dir_all(&scratch);
        fs::create_dir_all(&scratch)?;
        let child = Command::new(std::env::current_exe()?).args(["build", way, rows]).output()?;
        let seconds: f64 = String::from_utf8(child.stdout)?
            .trim()
            .parse()
            .map_err(|_| format!("{way}: {}", child.stderr.escape_ascii()))?;
        let megabytes = bytes as f64 / 1e6;
        println!(
            "{way:>10} {megabytes:>10.1} {seconds:>8.2} {:>10.1} {:>10.1}",
            megabytes / seconds,
            size(&out) as f64 / 1e6
        );
    }
    let _ = fs::remove_dir_all(&scratch);
    Ok(())
}
