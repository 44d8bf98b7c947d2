//! Checks the digests that a WACZ has of its own archives.

use super::contents;
use super::directory::Member;
use super::inflated_entry::InflatedEntry;
use crate::error::ArchiveError;
use crate::store::address::redact_url;
use crate::store::input_place::InputPlace;
use crate::store::stores::Stores;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// Most bytes of `datapackage.json` that are read.
const PACKAGE_BYTES: u64 = 64 << 20;

#[derive(Deserialize)]
struct Package {
    #[serde(default)]
    resources: Vec<Resource>,
}

#[derive(Deserialize)]
struct Resource {
    path: Option<String>,
    /// `sha256:` and the digest.
    hash: Option<String>,
    /// The digest in version 1.0 of the format, with the algorithm that `hashing` names.
    stats: Option<Stats>,
    hashing: Option<String>,
}

#[derive(Deserialize)]
struct Stats {
    hash: Option<String>,
}

impl Resource {
    /// Returns the name of the algorithm, a colon, and the digest.
    fn digest(&self) -> Option<String> {
        self.hash.clone().or_else(|| {
            let hash = self.stats.as_ref()?.hash.as_ref()?;
            Some(format!("{}:{hash}", self.hashing.as_deref().unwrap_or("sha256")))
        })
    }
}

/// Compares the archives in a WACZ with the SHA-256 digests in its `datapackage.json`. Reads all
/// archives once. Returns the problems, each as a sentence without its end. The list is empty if
/// all digests agree, or if the file is not a WACZ.
///
/// # Errors
///
/// The file cannot be read, or is refused.
pub fn check_wacz(stores: &Stores, path: &Path) -> Result<Vec<String>, ArchiveError> {
    let name = format!("'{}'", redact_url(path).display());
    let io_error = |error| ArchiveError::io(&name, 0, error);
    let Some((place, members)) = contents::files(stores, path)? else { return Ok(Vec::new()) };
    let named = |name: &str| members.iter().find(|member| member.name == name);
    let Some(package) = named("datapackage.json") else {
        return Ok(vec!["it has no datapackage.json with digests".to_owned()]);
    };
    let mut json = Vec::new();
    let data =
        open(&place, package).and_then(|data| data.take(PACKAGE_BYTES).read_to_end(&mut json));
    data.map_err(io_error)?;
    let package: Package = match serde_json::from_slice(&json) {
        Ok(package) => package,
        Err(error) => return Ok(vec![format!("its datapackage.json is not JSON: {error}")]),
    };
    let mut wrong = Vec::new();
    for member in members.iter().filter(|member| member.is_archive()) {
        let is_it = |it: &&Resource| it.path.as_deref() == Some(&member.name);
        let hash = package.resources.iter().find(is_it).and_then(Resource::digest);
        let hash = hash.as_deref();
        let problem = match hash.map(|hash| hash.strip_prefix("sha256:").ok_or(hash)) {
            None => "datapackage.json has no digest for it".to_owned(),
            Some(Err(hash)) => {
                let hash: String = hash.chars().take(20).collect();
                format!("its digest '{}' is not SHA-256", hash.escape_debug())
            }
            Some(Ok(stated)) => {
                let found = sha256(open(&place, member).map_err(io_error)?).map_err(io_error)?;
                if stated.eq_ignore_ascii_case(&found) {
                    continue;
                }
                "its digest differs from the one in datapackage.json".to_owned()
            }
        };
        wrong.push(format!("'{}': {problem}", member.name.escape_debug()));
    }
    Ok(wrong)
}

/// Opens a file in a WACZ.
fn open(place: &InputPlace, member: &Member) -> io::Result<Box<dyn Read>> {
    let mut file = place.open()?;
    let Member { bytes, size, is_deflated, .. } = member;
    if *is_deflated {
        return Ok(Box::new(InflatedEntry::open(file, bytes, *size)?.0));
    }
    file.seek(SeekFrom::Start(bytes.start))?;
    Ok(Box::new(file.take(bytes.end - bytes.start)))
}

fn sha256(mut data: impl Read) -> io::Result<String> {
    let (mut digest, mut buffer) = (Sha256::new(), vec![0; 256 << 10]);
    loop {
        match data.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => digest.update(&buffer[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let mut text = String::new();
    for byte in digest.finalize() {
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}
