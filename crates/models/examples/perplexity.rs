//! Prints, for each line of standard input, the logarithm of its probability by two models and
//! its pieces, for comparison with other programs. Standard error gets the time of a pass.
//!
//! ```text
//! perplexity SENTENCEPIECE KENLM < LINES
//! ```

use huller_models::{ModelFile, kenlm, sentencepiece};
use std::io::{self, BufWriter, Read, Write};
use std::sync::Arc;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let usage = "usage: perplexity SENTENCEPIECE KENLM < LINES";
    let [pieces, words] = [arguments.next().ok_or(usage)?, arguments.next().ok_or(usage)?];
    let pieces = sentencepiece::Model::read(&ModelFile::open(pieces.as_ref())?)?;
    let words = kenlm::Model::read(Arc::new(ModelFile::open(words.as_ref())?))?;
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let lines: Vec<&str> = text.split_terminator('\n').collect();
    let mut scratch = sentencepiece::Scratch::default();
    let mut out = BufWriter::new(io::stdout().lock());
    for line in &lines {
        let found: Vec<&str> = pieces.encode(line, &mut scratch).collect();
        let score = words.score(found.iter().map(|piece| piece.as_bytes()));
        writeln!(out, "{}\t{}", score.to_bits(), found.join(" "))?;
    }
    out.flush()?;
    let mut pass = |with_score: bool| {
        let (start, mut sum) = (Instant::now(), 0.);
        for line in &lines {
            let found = pieces.encode(line, &mut scratch);
            let found = found.map(str::as_bytes);
            sum += if with_score { words.score(found) } else { found.count() as f32 };
        }
        std::hint::black_box(sum);
        start.elapsed().as_secs_f64() * 1e6 / lines.len().max(1) as f64
    };
    let mut fastest = |with_score| (0..5).map(|_| pass(with_score)).fold(f64::INFINITY, f64::min);
    let [cut, both] = [fastest(false), fastest(true)];
    let bytes = text.len() / lines.len().max(1);
    writeln!(io::stderr(), "{bytes} bytes a line: pieces {cut:.0} µs, with scores {both:.0} µs")?;
    Ok(())
}
