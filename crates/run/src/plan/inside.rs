//! Archives that an index names by their names inside of WACZ files, as the index of a WACZ does.

use huller_archive::{Stores, WaczArchive, shown, wacz_archives};
use std::collections::HashMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The WACZ files of folders. A folder is looked at when the first archive of it is not there.
#[derive(Default)]
pub(crate) struct WaczFolders(HashMap<PathBuf, Vec<(PathBuf, Vec<WaczArchive>)>>);

/// Where an archive lies that is no file of its own.
pub(crate) enum Inside {
    /// In no WACZ.
    Nowhere,
    /// Here, in this WACZ.
    Stored(PathBuf, Range<u64>),
    /// Where no index leads, for this reason.
    Unusable(String),
}

impl WaczFolders {
    /// Looks for an archive in the WACZ files that lie in the folder itself. One that cannot be
    /// read has no archives.
    pub(crate) fn find(&mut self, folder: &Path, archive: &Path) -> Inside {
        let files = self.0.entry(folder.to_owned()).or_insert_with(|| list(folder));
        let is_it = |it: &WaczArchive| Path::new(&it.name).file_name() == archive.file_name();
        let mut found = files
            .iter()
            .flat_map(|(path, archives)| archives.iter().map(move |archive| (path, archive)))
            .filter(|(_, archive)| is_it(archive));
        let Some((path, archive)) = found.next() else { return Inside::Nowhere };
        if let Some((other, _)) = found.next() {
            let (path, other) = (shown(path), shown(other));
            return Inside::Unusable(format!(
                "an archive of this name lies in '{}' and in '{}'; give each WACZ a folder of its own, and name that by --archives",
                path.display(),
                other.display()
            ));
        }
        if archive.is_deflated {
            return Inside::Unusable(format!(
                "it is deflated in '{}', where no index leads; unpack it, and name its folder by --archives",
                shown(path).display()
            ));
        }
        Inside::Stored(path.clone(), archive.bytes.clone())
    }
}

/// The WACZ files of a folder, by name, with their archives.
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
