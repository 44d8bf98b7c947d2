//! Finds archives inside WACZ files, which an index of a WACZ names without their path.

use huller_archive::{Stores, WaczArchive, redact_url, wacz_archives};
use std::collections::HashMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// WACZ files by folder. A folder is searched when its first archive is missing.
#[derive(Default)]
pub(crate) struct WaczFolders(HashMap<PathBuf, Vec<(PathBuf, Vec<WaczArchive>)>>);

/// Place of an archive that is not a file of its own.
pub(crate) enum NestedArchive {
    /// In no WACZ.
    Nowhere,
    /// In this WACZ, at these bytes.
    Stored(PathBuf, Range<u64>),
    /// Unusable, for this reason.
    Unusable(String),
}

impl WaczFolders {
    /// Looks for an archive in the WACZ files directly in `folder`. An unreadable WACZ counts as
    /// empty.
    pub(crate) fn find_archive(&mut self, folder: &Path, archive: &Path) -> NestedArchive {
        let files = self.0.entry(folder.to_owned()).or_insert_with(|| list(folder));
        let is_it = |it: &WaczArchive| Path::new(&it.name).file_name() == archive.file_name();
        let mut found = files
            .iter()
            .flat_map(|(path, archives)| archives.iter().map(move |archive| (path, archive)))
            .filter(|(_, archive)| is_it(archive));
        let Some((path, archive)) = found.next() else { return NestedArchive::Nowhere };
        if let Some((other, _)) = found.next() {
            let (path, other) = (redact_url(path), redact_url(other));
            return NestedArchive::Unusable(format!(
                "an archive with this name is in '{}' and in '{}'; put each WACZ into its own \
                 folder and give that with --archives",
                path.display(),
                other.display()
            ));
        }
        if archive.is_deflated {
            return NestedArchive::Unusable(format!(
                "it is deflated in '{}', so an index cannot address its records; unpack it and \
                 give its folder with --archives",
                redact_url(path).display()
            ));
        }
        NestedArchive::Stored(path.clone(), archive.bytes.clone())
    }
}

/// Returns the WACZ files of a folder with their archives, sorted by name.
fn list(folder: &Path) -> Vec<(PathBuf, Vec<WaczArchive>)> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_named =
        |path: &PathBuf| path.extension().is_some_and(|it| it.eq_ignore_ascii_case("wacz"));
    let mut files: Vec<PathBuf> = entries.filter(is_named).collect();
    files.sort_unstable();
    let archives = |path: PathBuf| {
        let archives = wacz_archives(&Stores::default(), &path).ok()??;
        Some((path, archives))
    };
    files.into_iter().filter_map(archives).collect()
}
