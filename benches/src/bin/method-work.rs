//! Runs every extractor on given pages. `python3 -m bench instructions` runs this under valgrind to
//! count the instructions of each extractor.
//!
//! ```sh
//! method-work corpus STEP                      every STEPth page of the bundled sample, or of HULLER_CORPUS, measured together
//! method-work attack:deep-div:200000 file:x    each page separately: a shape of attack with its approximate bytes; a file
//! method-work attacks                          prints the names of the shapes
//! ```
//!
//! Prints one line per call of `measured`, in order, with tab-separated fields: the pages, their
//! number, their bytes, and `parse` or the name and profile of an extractor.

#![expect(clippy::print_stdout, reason = "a program that prints a list")]

use huller_archive::charset;
use huller_benches::Corpus;
use huller_extract::{EXTRACTORS, Profile, Renderer, Selection};
use huller_page::{Page, PageBuf};
use huller_testkit::attack::shapes::{GOOD_TEXT, SHAPES};
use std::error::Error;
use std::hint::black_box;

fn main() -> Result<(), Box<dyn Error>> {
    // Loads models and phrases, so that the first page does not include this cost.
    count("warm-up", &[format!("<p>{GOOD_TEXT}</p>")]);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let pages = match argument.split(':').collect::<Vec<_>>()[..] {
            ["attacks"] => {
                for shape in SHAPES {
                    println!("{}", shape.name);
                }
                continue;
            }
            ["corpus"] => {
                let step = arguments.next().ok_or("which step?")?.parse()?;
                Corpus::load().pages.into_iter().step_by(step).collect()
            }
            ["attack", shape, bytes] => {
                let shape = SHAPES.iter().find(|known| known.name == shape);
                vec![shape.ok_or("no such shape")?.page(bytes.parse()?)]
            }
            ["file", path] => {
                let bytes = std::fs::read(path)?;
                let charset = charset::detect(&bytes, None, None);
                vec![charset::decode_into(&bytes, charset, &mut String::new()).to_owned()]
            }
            _ => return Err(format!("unknown argument '{argument}'").into()),
        };
        count(&argument, &pages);
    }
    Ok(())
}

/// Parses the pages, then runs every extractor on all of them. Reuses buffers from page to page.
fn count(name: &str, pages: &[String]) {
    let bytes: usize = pages.iter().map(String::len).sum();
    let say = |what: &str| println!("{name}\t{}\t{bytes}\t{what}", pages.len());
    let mut buffers: Vec<_> = pages.iter().map(|_| PageBuf::new()).collect();
    let mut parsed: Vec<Page<'_>> = Vec::with_capacity(pages.len());
    let mut fill = buffers.iter_mut().zip(pages).map(|(buffer, html)| buffer.fill(html));
    measured(&mut || parsed.extend(fill.by_ref()));
    say("parse");
    let mut selection = Selection::default();
    let (mut renderer, mut text) = (Renderer::default(), String::new());
    for profile in [Profile::Paper, Profile::Tuned] {
        for extractor in EXTRACTORS {
            let mut worker = extractor.worker(profile);
            measured(&mut || {
                for page in &parsed {
                    black_box(worker.extract(page, &mut selection));
                    text.clear();
                    renderer.text(page, &selection, &mut text);
                    black_box(text.len());
                }
            });
            say(&format!("{}\t{}", extractor.name(), profile.name()));
        }
    }
}

/// The function whose instructions valgrind counts.
#[inline(never)]
fn measured(work: &mut dyn FnMut()) {
    work();
}
