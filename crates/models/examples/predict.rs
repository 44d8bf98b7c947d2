//! Prints all labels of each line of standard input with the bits of their scores, for comparison
//! with other programs.
//!
//! ```text
//! predict MODEL [MOST] < LINES
//! ```

use huller_models::ModelFile;
use huller_models::fasttext::{Line, Model, Scratch};
use std::io::{self, BufRead, BufWriter, Write};
use std::sync::Arc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let path = arguments.next().ok_or("usage: predict MODEL [MOST] < LINES")?;
    let most = arguments.next().map(|most| most.to_string_lossy().parse()).transpose()?;
    let model = Model::read(Arc::new(ModelFile::open(path.as_ref())?))?;
    let (mut line, mut scratch) = (Line::default(), Scratch::default());
    let mut out = BufWriter::new(io::stdout().lock());
    for text in io::stdin().lock().lines() {
        line.read(&text?);
        for found in model.predict(&line, most, 0., &mut scratch) {
            write!(out, "{}\t{}\t", model.label(found.label), found.score.to_bits())?;
        }
        writeln!(out)?;
    }
    out.flush()?;
    Ok(())
}
