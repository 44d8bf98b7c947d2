//! Measures the CPU time of classifying lines.
//!
//! ```text
//! line-cost MODEL [MOST] < LINES
//! ```
//!
//! It prints the time of the first pass, which reads the model's pages, and of the fastest of five
//! further passes.

use huller_models::ModelFile;
use huller_models::fasttext::{Line, Model, Scratch};
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let path = arguments.next().ok_or("usage: line-cost MODEL [MOST] < LINES")?;
    let most = arguments.next().map(|most| most.to_string_lossy().parse()).transpose()?;
    let start = Instant::now();
    let model = Model::read(Arc::new(ModelFile::open(path.as_ref())?))?;
    let loaded = start.elapsed();
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let lines: Vec<&str> = text.lines().collect();
    let (mut line, mut scratch) = (Line::default(), Scratch::default());
    let mut sum = 0.;
    let mut pass = || {
        let start = Instant::now();
        for text in &lines {
            line.read(text);
            let best = model.predict(&line, most, 0., &mut scratch);
            sum += best.first().map_or(0., |best| f64::from(best.score));
        }
        start.elapsed().as_secs_f64() * 1e6 / lines.len() as f64
    };
    let first = pass();
    let fastest = (0..5).map(|_| pass()).fold(f64::INFINITY, f64::min);
    writeln!(
        io::stdout(),
        "loaded in {:.3} s; {} lines of {} bytes; first pass {first:.0} µs a line, fastest \
         {fastest:.0} µs; sum {sum:.3}",
        loaded.as_secs_f64(),
        lines.len(),
        text.len() / lines.len().max(1)
    )?;
    Ok(())
}
