//! Reads one attack page, for `scripts/lab/run linear`, which counts its instructions.
//!
//! `attack SHAPE BYTES` makes a page of that shape and about that many bytes, and reads it. Without
//! arguments it prints the names of the shapes.

use huller_page::PageBuf;
use huller_testkit::attack::shapes::{GOOD_TEXT, HIDDEN_TEXT, SHAPES};
use std::hint::black_box;
use std::io::Write;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout().lock();
    let mut arguments = std::env::args().skip(1);
    let Some(shape) = arguments.next() else {
        for shape in SHAPES {
            writeln!(out, "{}", shape.name)?;
        }
        return Ok(());
    };
    let shape = SHAPES.iter().find(|known| known.name == shape).ok_or("no such shape")?;
    let html = shape.page(arguments.next().ok_or("how many bytes?")?.parse()?);
    let (nodes, runs) = measured(&html);
    let good = if html.contains(GOOD_TEXT) && !html.contains(HIDDEN_TEXT) {
        ", with good text"
    } else {
        ""
    };
    writeln!(out, "{} bytes, {nodes} nodes, {runs} runs{good}", html.len())?;
    Ok(())
}

/// Reads a page as a worker reads its first page. The script counts the instructions of this
/// function.
#[inline(never)]
fn measured(html: &str) -> (usize, usize) {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(black_box(html));
    (page.nodes().len(), page.runs().len())
}
