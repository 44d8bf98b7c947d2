//! Runs every method on some pages, for `scripts/instructions.py`, which has valgrind count the instructions of each.
//!
//! ```sh
//! method-work corpus STEP                      every STEPth page of the bundled sample, or of HULLER_CORPUS, all as one
//! method-work attack:deep-div:200000 file:x    each of these pages for itself: a shape of attack and about its bytes, a file
//! method-work attacks                          the names of the shapes
//! ```
//!
//! Says of each of its `measured` calls, in order, what was measured: which pages, how many there are and of how many bytes, and
//! `parse` or the name and profile of a method, with tabs between.

#![expect(clippy::print_stdout, reason = "a program that prints a list")]

#[expect(dead_code, reason = "whether hidden text is shown is for the tests to say")]
#[path = "../../../crates/page/tests/support/attacks.rs"]
mod attacks;

use attacks::{ATTACKS, GOOD_TEXT};
use huller_archive::charset;
use huller_benches::Corpus;
use huller_extract::{METHODS, Profile, Renderer, Scratch, Selection};
use huller_page::{Page, PageBuf};
use std::error::Error;
use std::hint::black_box;

fn main() -> Result<(), Box<dyn Error>> {
    // Models and phrases are read once, not for the first page.
    count("warm-up", &[format!("<p>{GOOD_TEXT}</p>")]);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let pages = match argument.split(':').collect::<Vec<_>>()[..] {
            ["attacks"] => {
                for attack in ATTACKS {
                    println!("{}", attack.name);
                }
                continue;
            }
            ["corpus"] => {
                let step = arguments.next().ok_or("which step?")?.parse()?;
                Corpus::load().pages.into_iter().step_by(step).collect()
            }
            ["attack", shape, bytes] => {
                let attack = ATTACKS.iter().find(|attack| attack.name == shape);
                vec![attack.ok_or("no such shape")?.page(bytes.parse()?)]
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

/// Reads pages, then runs every method on them all; the memory of one page is that of the next.
fn count(name: &str, pages: &[String]) {
    let bytes: usize = pages.iter().map(String::len).sum();
    let say = |what: &str| println!("{name}\t{}\t{bytes}\t{what}", pages.len());
    let mut buffers: Vec<_> = pages.iter().map(|_| PageBuf::new()).collect();
    let mut parsed: Vec<Page<'_>> = Vec::with_capacity(pages.len());
    let mut fill = buffers.iter_mut().zip(pages).map(|(buffer, html)| buffer.fill(html));
    measured(&mut || parsed.extend(fill.by_ref()));
    say("parse");
    let (mut scratch, mut selection) = (Scratch::default(), Selection::default());
    let (mut renderer, mut text) = (Renderer::default(), String::new());
    for profile in [Profile::Paper, Profile::Tuned] {
        for method in METHODS {
            measured(&mut || {
                for page in &parsed {
                    black_box(method.profile(profile).extract(page, &mut scratch, &mut selection));
                    text.clear();
                    renderer.text(page, &selection, &mut text);
                    black_box(text.len());
                }
            });
            say(&format!("{}\t{}", method.name, profile.name()));
        }
    }
}

/// The part whose instructions count.
#[inline(never)]
fn measured(work: &mut dyn FnMut()) {
    work();
}
