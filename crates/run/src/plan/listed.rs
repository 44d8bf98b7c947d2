//! Chooses the output folders of listed files.

use super::names::{is_html, stem};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// Returns the folder below the output folder for each path of a list; for a page, the whole path
/// of its output. The folder is empty if the stem is unique. Otherwise it is the part of the path
/// that distinguishes the files of one stem: `a/x.warc` and `b/x.warc` become `a/x` and `b/x`. It
/// depends on the list alone, and not on which files exist, so all shards of a list agree.
pub(crate) fn folders(paths: &[PathBuf]) -> Vec<PathBuf> {
    let whole: Vec<PathBuf> = paths.iter().map(|path| whole_output(path)).collect();
    let mut alike: BTreeMap<OsString, Vec<usize>> = BTreeMap::new();
    for (place, output) in whole.iter().enumerate() {
        if let Some(name) = output.file_name() {
            alike.entry(name.to_owned()).or_default().push(place);
        }
    }
    let mut folders = vec![PathBuf::new(); paths.len()];
    for places in alike.into_values() {
        if places.iter().all(|&place| whole[place] == whole[places[0]]) {
            continue;
        }
        let parent = |place: usize| whole[place].parent().unwrap_or(Path::new(""));
        let shared = places
            .iter()
            .map(|&place| common_components(parent(places[0]), parent(place)))
            .min()
            .unwrap_or_default();
        for place in places {
            let output = if is_html(&paths[place]) { &whole[place] } else { parent(place) };
            folders[place] = output.components().skip(shared).collect();
        }
    }
    folders
}

/// Returns the output of a listed file with its whole path.
fn whole_output(path: &Path) -> PathBuf {
    let parent = path.parent().unwrap_or(Path::new(""));
    let mut output: PathBuf =
        parent.components().filter(|part| matches!(part, Component::Normal(_))).collect();
    if !is_html(path) {
        output.push(stem(path));
    }
    output
}

/// Returns the number of leading components that two paths have in common.
fn common_components(one: &Path, other: &Path) -> usize {
    one.components().zip(other.components()).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed_files_of_one_name_are_told_apart_by_what_distinguishes_their_folders() {
        let paths = [
            "crawl/1/warc/x.warc.gz",
            "crawl/2/warc/x.warc.gz",
            "crawl/x.jsonl",
            "crawl/1/warc/y.warc.gz",
            "/crawl/../1/z.warc",
            "2/z.warc",
            "a/pages/1.html",
            "a/pages/2.html",
            "b/pages/1.html",
            "b/other/1.html",
        ];
        let folders = folders(&paths.map(PathBuf::from));
        let expected =
            ["1/warc", "2/warc", "", "", "crawl/1", "2", "a/pages", "a/pages", "b/pages", ""];
        assert_eq!(folders, expected.map(PathBuf::from));
    }
}
