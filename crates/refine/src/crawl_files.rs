//! Reads `robots.txt` and `tdmrep.json` of all servers from the archives of a crawl.
//!
//! Both are ordinary records: a crawler fetches them before the pages of a server. Common Crawl
//! keeps them apart, in its `robotstxt` archives.

use huller_archive::{
    ArchiveError, Batch, Decoder, Fault, Http, Input, InputKind, Limits, Position, Record,
    RecordType, UnpackResult, Unpacker, Visitor, WarcHeader, utf8_or_latin1,
};
use huller_rights::{CrawlFile, CrawlRights, EvidenceLocation, TooManyRules};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Most bytes of memory that the rules of all servers take.
const MAX_BYTES: usize = 1 << 30;

/// Most levels of nested folders that are read.
const MAX_DEPTH: usize = 8;

/// The reason why the files of a crawl cannot be read.
#[derive(Debug)]
pub(crate) enum CrawlFilesError {
    /// A path cannot be read.
    Io(PathBuf, io::Error),
    /// A file is no archive, or cannot be read.
    Archive(ArchiveError),
    /// A folder holds no archives.
    NoArchives(PathBuf),
    /// There are too many rules.
    TooMany(TooManyRules),
}

impl std::fmt::Display for CrawlFilesError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CrawlFilesError::Io(path, error) => write!(f, "read '{}': {error}", path.display()),
            CrawlFilesError::Archive(error) => error.fmt(f),
            CrawlFilesError::NoArchives(path) => {
                write!(f, "'{}' holds no WARC, ARC or WACZ files", path.display())
            }
            CrawlFilesError::TooMany(error) => error.fmt(f),
        }
    }
}

/// Reads the files of all servers in these archives and folders of archives.
///
/// # Errors
///
/// A path cannot be read or holds no archives, or there are too many rules.
pub(crate) fn read(paths: &[PathBuf], agents: &[String]) -> Result<CrawlRights, CrawlFilesError> {
    let mut crawl = CrawlRights::new(agents, MAX_BYTES);
    for path in paths {
        let io_error = |error| CrawlFilesError::Io(path.clone(), error);
        if !fs::metadata(path).map_err(io_error)?.is_dir() {
            let name = path.file_name().unwrap_or(path.as_os_str());
            read_archive(path, &name.to_string_lossy(), &mut crawl)?;
            continue;
        }
        let mut archives = Vec::new();
        list_archives(path, MAX_DEPTH, &mut archives)?;
        if archives.is_empty() {
            return Err(CrawlFilesError::NoArchives(path.clone()));
        }
        archives.sort();
        for archive in archives {
            let name = archive.strip_prefix(path).unwrap_or(&archive);
            read_archive(&archive, &name.to_string_lossy(), &mut crawl)?;
        }
    }
    Ok(crawl)
}

/// Lists the archives in a folder. Links to folders are not followed.
fn list_archives(
    folder: &Path,
    deepest: usize,
    archives: &mut Vec<PathBuf>,
) -> Result<(), CrawlFilesError> {
    let io_error = |error| CrawlFilesError::Io(folder.to_owned(), error);
    for entry in fs::read_dir(folder).map_err(io_error)? {
        let entry = entry.map_err(io_error)?;
        let path = entry.path();
        if entry.file_type().map_err(io_error)?.is_dir() {
            if deepest > 0 {
                list_archives(&path, deepest - 1, archives)?;
            }
        } else if let Some(InputKind::Warc | InputKind::Arc | InputKind::Wacz) =
            InputKind::from_name(&path)
        {
            archives.push(path);
        }
    }
    Ok(())
}

fn read_archive(path: &Path, name: &str, crawl: &mut CrawlRights) -> Result<(), CrawlFilesError> {
    let limits = Limits::default();
    let mut input = Input::open(path, &limits).map_err(CrawlFilesError::Archive)?;
    let (mut unpacker, mut batch) = (Unpacker::new(&limits), Batch::default());
    let decoder = Decoder::new();
    let mut visitor = FileVisitor { crawl, name, limits: &limits, decoder, full: None };
    while input.next_batch(&mut batch).map_err(CrawlFilesError::Archive)? {
        if let UnpackResult::StoppedAt(offset) = unpacker.unpack(&mut batch, &mut visitor) {
            input.restart_at(offset).map_err(CrawlFilesError::Archive)?;
        }
        if let Some(error) = visitor.full {
            return Err(CrawlFilesError::TooMany(error));
        }
    }
    Ok(())
}

/// Passes the files among the records of an archive to the table. It passes over records that
/// cannot be read, as a run over the archive counts them.
struct FileVisitor<'a> {
    crawl: &'a mut CrawlRights,
    /// Name of the archive.
    name: &'a str,
    limits: &'a Limits,
    decoder: Decoder,
    full: Option<TooManyRules>,
}

impl Visitor for FileVisitor<'_> {
    fn record(&mut self, record: Record<'_>) {
        let FileVisitor { crawl, name, limits, decoder, full } = self;
        let Some(header) = WarcHeader::parse(record.header) else { return };
        let is_file = matches!(header.record_type(), RecordType::Response | RecordType::Resource);
        let Some(url) = header.target_uri().filter(|_| is_file) else { return };
        let url = utf8_or_latin1(url);
        if !CrawlRights::is_wanted(&url) {
            return;
        }
        let date = utf8_or_latin1(header.date().unwrap_or_default());
        let Position { member, stream_offset } = record.position;
        let offset = member.map(|(offset, _)| offset).or(stream_offset);
        let place = EvidenceLocation { file: name, offset };
        let file = CrawlFile { url: &url, date: &date, place, ..CrawlFile::default() };
        let added = if header.record_type() == RecordType::Resource {
            crawl.add(&CrawlFile { body: record.block, ..file })
        } else {
            let (head, body) = Http::split(record.block, limits);
            let is_location = |name: &[u8]| name.eq_ignore_ascii_case(b"location");
            let location = Http::fields(head.bytes).find(|(name, _)| is_location(name));
            let location = location.map(|(_, target)| utf8_or_latin1(target));
            let (status, location) = (head.status, location.as_deref());
            // A body that cannot be decoded states nothing.
            let body = decoder.decode(&head, body, limits).map_or(&[][..], |body| body.bytes);
            crawl.add(&CrawlFile { status, location, body, ..file })
        };
        *full = full.or(added.err());
    }

    fn line(&mut self, _: &[u8], _: Position) {}

    fn fault(&mut self, _: &Fault) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_testkit::pack::gzip;
    use huller_testkit::warc;

    #[test]
    fn files_of_servers_are_found_among_the_records() {
        let folder = tempfile::tempdir().unwrap();
        let response = |url: &str, head: &str, body: &str| {
            let block = format!("HTTP/1.1 {head}\r\n\r\n{body}");
            gzip(&warc::Record::new("response", block).uri(url.as_bytes()).to_bytes())
        };
        let rules = "1a\r\nuser-agent: *\ndisallow: /\n\r\n0\r\n\r\n";
        let records = [
            response("http://a.test/robots.txt", "200 OK\r\nTransfer-Encoding: chunked", rules),
            response("http://a.test/", "200 OK\r\nContent-Type: text/html", "<p>page"),
            response("http://b.test/robots.txt", "301 x\r\nLOCATION: http://a.test/robots.txt", ""),
        ];
        let nested = folder.path().join("x");
        fs::create_dir(&nested).unwrap();
        fs::write(nested.join("a.warc.gz"), records.concat()).unwrap();
        fs::write(folder.path().join("notes.txt"), "no archive").unwrap();
        let stated = |path: &Path, url: &str| {
            let crawl = read(&[path.to_owned()], &["*".to_owned()]).unwrap();
            let mut all = Vec::new();
            crawl.for_each_statement(url, |found| {
                all.push(format!("{} {:?}", found.file, found.offset));
            });
            all
        };
        assert_eq!(stated(folder.path(), "http://a.test/x"), ["x/a.warc.gz Some(0)"]);
        assert_eq!(stated(&nested.join("a.warc.gz"), "http://b.test/"), ["a.warc.gz Some(0)"]);
        assert_eq!(stated(folder.path(), "http://c.test/"), [""; 0]);
    }

    #[test]
    fn paths_without_archives_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let problem = |path: PathBuf| read(&[path], &["*".to_owned()]).unwrap_err().to_string();
        assert!(problem(folder.path().to_owned()).contains("holds no WARC"));
        assert!(problem(folder.path().join("none")).contains("No such file"));
        let text = folder.path().join("a.warc");
        fs::write(&text, "no archive\n").unwrap();
        assert!(!problem(text).is_empty());
    }
}
