//! What an attack is, and how its file is written.

use super::records::{ALPHA, OMEGA, Records};
use crate::pack::{gzip, gzip_at};
use crate::warc::Http;
use serde::Serialize;
use std::fs;
use std::io;
use std::path::Path;

/// The size of an attack as a share of its full size.
#[derive(Clone, Copy, Debug)]
pub struct Scale(pub f64);

impl Scale {
    /// As large as the limits are stated for.
    pub const FULL: Scale = Scale(1.0);

    /// So much of `count`, at least 1.
    #[expect(clippy::cast_sign_loss, reason = "a share is not negative")]
    pub(crate) fn of(self, count: usize) -> usize {
        ((count as f64 * self.0) as usize).max(1)
    }
}

/// What an attack aims at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Group {
    /// The reader of HTML.
    Html,
    /// The reader of HTTP responses.
    Http,
    /// The reader of WARC and its containers.
    Warc,
    /// The reader of input files.
    File,
}

/// What must happen to the attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Must {
    /// It is a page and must give a row; the text may be empty.
    Extract,
    /// It is not extracted, but counted as skipped or failed; the run goes on and ends with exit
    /// status 0.
    Skip,
    /// The input cannot be used: a message names it, it counts as unusable, the exit status is 1.
    Fatal,
}

/// An input that attacks the program, and what must happen to it.
#[derive(Debug, Serialize)]
pub struct Attack {
    /// Its name, which begins with that of its group.
    pub name: &'static str,
    /// What it aims at.
    pub group: Group,
    /// The end of its file name.
    pub extension: &'static str,
    /// What it is, and what is right, in a few words.
    pub right: &'static str,
    /// What must happen to it.
    pub must: Must,
    /// Markers of the good pages that must be extracted whole.
    pub good: &'static [&'static str],
    /// How many records a tolerant reader finds; `None` if that is free.
    pub records: Option<u64>,
    /// What the text of the attack must hold.
    pub must_contain: &'static [&'static str],
    /// What the text of the attack must not hold.
    pub must_not_contain: &'static [&'static str],
    /// Most memory that one worker may need, in MB, at full size.
    pub max_rss_mb: u64,
    /// Most CPU time that one worker may need, in seconds, at full size.
    pub max_seconds: u64,
    #[serde(skip)]
    content: Content,
}

#[derive(Debug)]
pub(super) enum Content {
    /// A page of HTML, in a response between two good ones.
    Page(fn(Scale) -> Vec<u8>),
    /// The block of a response between two good ones.
    Block(fn(Scale) -> Vec<u8>),
    /// A whole archive.
    Archive(fn(&mut Records, Scale) -> Vec<u8>),
    /// Anything at that path.
    File(fn(&Path, Scale) -> io::Result<()>),
}

impl Attack {
    pub(super) const fn new(
        name: &'static str,
        group: Group,
        right: &'static str,
        content: Content,
    ) -> Attack {
        Attack {
            name,
            group,
            extension: ".warc.gz",
            right,
            must: Must::Extract,
            good: &[ALPHA, OMEGA],
            records: Some(3),
            must_contain: &[],
            must_not_contain: &[],
            max_rss_mb: 600,
            max_seconds: 10,
            content,
        }
    }

    /// A page of HTML.
    pub(super) const fn page(
        name: &'static str,
        right: &'static str,
        page: fn(Scale) -> Vec<u8>,
    ) -> Attack {
        Attack::new(name, Group::Html, right, Content::Page(page))
    }

    /// The block of a response record.
    pub(super) const fn block(
        name: &'static str,
        right: &'static str,
        block: fn(Scale) -> Vec<u8>,
    ) -> Attack {
        Attack::new(name, Group::Http, right, Content::Block(block))
    }

    /// An archive that need not have three records, and in which the attack is counted and not
    /// extracted.
    pub(super) const fn archive(
        name: &'static str,
        right: &'static str,
        archive: fn(&mut Records, Scale) -> Vec<u8>,
    ) -> Attack {
        Attack {
            extension: ".warc",
            must: Must::Skip,
            records: None,
            max_rss_mb: 200,
            ..Attack::new(name, Group::Warc, right, Content::Archive(archive))
        }
    }

    /// A file that cannot be used.
    pub(super) const fn file(
        name: &'static str,
        right: &'static str,
        write: fn(&Path, Scale) -> io::Result<()>,
    ) -> Attack {
        Attack {
            must: Must::Fatal,
            good: &[],
            records: Some(0),
            max_rss_mb: 200,
            max_seconds: 5,
            ..Attack::new(name, Group::File, right, Content::File(write))
        }
    }

    pub(super) const fn must(self, must: Must) -> Attack {
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

    /// The name of its file.
    pub fn file_name(&self) -> String {
        format!("{}{}", self.name, self.extension)
    }

    /// The page of HTML alone, for attacks that are one.
    pub fn html(&self, scale: Scale) -> Option<Vec<u8>> {
        match self.content {
            Content::Page(page) => Some(page(scale)),
            _ => None,
        }
    }

    /// Writes its file into a folder.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn write(&self, folder: &Path, scale: Scale) -> io::Result<()> {
        let path = folder.join(self.file_name());
        let records = &mut Records::default();
        match self.content {
            Content::Page(page) => {
                let block = Http::page(page(scale)).to_bytes();
                fs::write(path, between_good_pages(records, block, 1))
            }
            Content::Block(block) => {
                let block = block(scale);
                fs::write(path, between_good_pages(records, block, 6))
            }
            Content::Archive(archive) => fs::write(path, archive(records, scale)),
            Content::File(write) => write(&path, scale),
        }
    }
}

fn between_good_pages(records: &mut Records, block: Vec<u8>, level: u32) -> Vec<u8> {
    let mut file = gzip(&records.alpha());
    file.extend(gzip_at(&records.attack(block).to_bytes(), level));
    file.extend(gzip(&records.omega()));
    file
}
