//! The definition of an attack, and how its file is written.

use super::records::{ALPHA, OMEGA, Records};
use crate::pack::{gzip, gzip_at};
use crate::warc::Http;
use serde::Serialize;
use std::fs;
use std::io;
use std::path::Path;

/// The size of an attack as a fraction of its full size.
#[derive(Clone, Copy, Debug)]
pub struct Scale(pub f64);

impl Scale {
    /// The full size; the limits of an attack apply to it.
    pub const FULL: Scale = Scale(1.0);

    /// Returns this fraction of `count`, at least 1.
    #[expect(clippy::cast_sign_loss, reason = "a share is not negative")]
    pub(crate) fn of(self, count: usize) -> usize {
        ((count as f64 * self.0) as usize).max(1)
    }
}

/// The reader that an attack aims at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AttackTarget {
    /// The reader of HTML.
    Html,
    /// The reader of HTTP responses.
    Http,
    /// The reader of WARC and its containers.
    Warc,
    /// The reader of input files.
    File,
}

/// The expected outcome of an attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ExpectedOutcome {
    /// The attack is a page and must give a row, whose text may be empty.
    Extract,
    /// The attack counts as skipped or failed without a row. The run continues and exits with 0.
    Skip,
    /// The input cannot be used: a message names it, it counts as unusable, and the exit status
    /// is 1.
    Fatal,
}

/// An input that attacks the program, with its expected outcome.
#[derive(Debug, Serialize)]
pub struct Attack {
    /// The name, which begins with the name of the group.
    pub name: &'static str,
    /// The reader that the attack aims at.
    pub group: AttackTarget,
    /// The extension of the file name.
    pub extension: &'static str,
    /// A short description of the attack and of the correct behaviour.
    pub right: &'static str,
    /// The expected outcome.
    pub must: ExpectedOutcome,
    /// Markers of the good pages that must be extracted in full.
    pub good: &'static [&'static str],
    /// The number of records that a tolerant reader finds; `None` if any number is right.
    pub records: Option<u64>,
    /// Strings that the text of the attack must contain.
    pub must_contain: &'static [&'static str],
    /// Strings that the text of the attack must not contain.
    pub must_not_contain: &'static [&'static str],
    /// The memory limit of a run with one worker, in MB, at full size.
    pub max_rss_mb: u64,
    /// The CPU time limit of a run with one worker, in seconds, at full size.
    pub max_seconds: u64,
    #[serde(skip)]
    content: AttackContent,
}

#[derive(Debug)]
pub(super) enum AttackContent {
    /// A page of HTML, in a response between two good pages.
    Page(fn(Scale) -> Vec<u8>),
    /// The block of a response between two good pages.
    Block(fn(Scale) -> Vec<u8>),
    /// A whole archive.
    Archive(fn(&mut Records, Scale) -> Vec<u8>),
    /// A file or folder that the function writes at the path.
    File(fn(&Path, Scale) -> io::Result<()>),
}

impl Attack {
    pub(super) const fn new(
        name: &'static str,
        group: AttackTarget,
        right: &'static str,
        content: AttackContent,
    ) -> Attack {
        Attack {
            name,
            group,
            extension: ".warc.gz",
            right,
            must: ExpectedOutcome::Extract,
            good: &[ALPHA, OMEGA],
            records: Some(3),
            must_contain: &[],
            must_not_contain: &[],
            max_rss_mb: 600,
            max_seconds: 10,
            content,
        }
    }

    /// Returns an attack that is a page of HTML.
    pub(super) const fn page(
        name: &'static str,
        right: &'static str,
        page: fn(Scale) -> Vec<u8>,
    ) -> Attack {
        Attack::new(name, AttackTarget::Html, right, AttackContent::Page(page))
    }

    /// Returns an attack that is the block of a response record.
    pub(super) const fn block(
        name: &'static str,
        right: &'static str,
        block: fn(Scale) -> Vec<u8>,
    ) -> Attack {
        Attack::new(name, AttackTarget::Http, right, AttackContent::Block(block))
    }

    /// Returns an attack that is a whole archive. It may have any number of records, and the attack
    /// must be counted without a row.
    pub(super) const fn archive(
        name: &'static str,
        right: &'static str,
        archive: fn(&mut Records, Scale) -> Vec<u8>,
    ) -> Attack {
        Attack {
            extension: ".warc",
            must: ExpectedOutcome::Skip,
            records: None,
            max_rss_mb: 200,
            ..Attack::new(name, AttackTarget::Warc, right, AttackContent::Archive(archive))
        }
    }

    /// Returns an attack that is an unusable file.
    pub(super) const fn file(
        name: &'static str,
        right: &'static str,
        write: fn(&Path, Scale) -> io::Result<()>,
    ) -> Attack {
        Attack {
            must: ExpectedOutcome::Fatal,
            good: &[],
            records: Some(0),
            max_rss_mb: 200,
            max_seconds: 5,
            ..Attack::new(name, AttackTarget::File, right, AttackContent::File(write))
        }
    }

    pub(super) const fn must(self, must: ExpectedOutcome) -> Attack {
        Attack { must, ..self }
    }

    pub(super) const fn extension(self, extension: &'static str) -> Attack {
        Attack { extension, ..self }
    }

    pub(super) const fn good(self, good: &'static [&'static str]) -> Attack {
        Attack { good, ..self }
    }

    pub(super) const fn records(self, records: u64) -> Attack {
        Attack { records: Some(records), ..self }
    }

    pub(super) const fn any_records(self) -> Attack {
        Attack { records: None, ..self }
    }

    pub(super) const fn contains(self, must_contain: &'static [&'static str]) -> Attack {
        Attack { must_contain, ..self }
    }

    pub(super) const fn lacks(self, must_not_contain: &'static [&'static str]) -> Attack {
        Attack { must_not_contain, ..self }
    }

    pub(super) const fn memory(self, max_rss_mb: u64) -> Attack {
        Attack { max_rss_mb, ..self }
    }

    pub(super) const fn seconds(self, max_seconds: u64) -> Attack {
        Attack { max_seconds, ..self }
    }

    /// Returns the name of the attack's file.
    pub fn file_name(&self) -> String {
        format!("{}{}", self.name, self.extension)
    }

    /// Returns the page of HTML alone, or `None` if the attack is not a page.
    pub fn html(&self, scale: Scale) -> Option<Vec<u8>> {
        match self.content {
            AttackContent::Page(page) => Some(page(scale)),
            _ => None,
        }
    }

    /// Writes the attack's file into a folder.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn write(&self, folder: &Path, scale: Scale) -> io::Result<()> {
        let path = folder.join(self.file_name());
        let records = &mut Records::default();
        match self.content {
            AttackContent::Page(page) => {
                let block = Http::page(page(scale)).to_bytes();
                fs::write(path, between_good_pages(records, block, 1))
            }
            AttackContent::Block(block) => {
                let block = block(scale);
                fs::write(path, between_good_pages(records, block, 6))
            }
            AttackContent::Archive(archive) => fs::write(path, archive(records, scale)),
            AttackContent::File(write) => write(&path, scale),
        }
    }
}

fn between_good_pages(records: &mut Records, block: Vec<u8>, level: u32) -> Vec<u8> {
    let mut file = gzip(&records.alpha());
    file.extend(gzip_at(&records.attack(block).to_bytes(), level));
    file.extend(gzip(&records.omega()));
    file
}
