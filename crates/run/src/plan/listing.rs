//! All inputs by position, usable or not.
//!
//! A shard is a set of positions, so an unusable input must not move the inputs after it. A file
//! that is missing for a while keeps its position, and so does a missing page of a folder.

use super::job::{HtmlFile, Job, JobSource};
use super::listed::folders;
use super::names::{self, is_html, name_of};
use crate::run_files::input_list::InputList;
use huller_archive::redact_url;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A path of the list, and the input at it.
pub(crate) struct ListedPath {
    pub(crate) position: usize,
    pub(crate) input: ListedInput,
}

/// The input at a path.
pub(crate) enum ListedInput {
    Input(Job),
    /// A path that cannot be read, and the reason.
    Unusable(String, String),
}

/// The paths of a run in order.
#[derive(Default)]
pub(crate) struct Listing {
    pub(crate) items: Vec<ListedPath>,
    /// Names by position.
    names: Vec<String>,
    /// Positions of folders with HTML files. Each folder has one position.
    html_folders: HashMap<PathBuf, usize>,
}

impl Listing {
    /// Adds a path. `listed` is the path as the list has it, wherever the list is.
    pub(crate) fn add(&mut self, path: &Path, listed: &Path, input: ListedInput) {
        let next = self.names.len();
        let (position, listed) = if is_html(path) {
            let folder = path.parent().map(Path::to_owned).unwrap_or_default();
            let position = *self.html_folders.entry(folder).or_insert(next);
            (position, listed.parent().unwrap_or(listed))
        } else {
            (next, listed)
        };
        if position == next {
            self.names.push(name_of(listed));
        }
        self.items.push(ListedPath { position, input });
    }

    /// Drops the inputs after the first `positions` positions.
    pub(crate) fn truncate_positions(&mut self, positions: usize) {
        self.items.retain(|item| item.position < positions);
        self.names.truncate(positions);
    }

    /// Joins all HTML files of one folder to one input.
    pub(crate) fn join_html(&mut self) {
        let mut indexes: HashMap<usize, usize> = HashMap::new();
        let mut items: Vec<ListedPath> = Vec::with_capacity(self.items.len());
        for ListedPath { position, input } in self.items.drain(..) {
            let ListedInput::Input(job) = input else {
                items.push(ListedPath { position, input });
                continue;
            };
            let JobSource::Html(files) = &job.source else {
                items.push(ListedPath { position, input: ListedInput::Input(job) });
                continue;
            };
            if let Some(first) = indexes.get(&position) {
                if let ListedInput::Input(known) = &mut items[*first].input {
                    known.bytes = known.bytes.zip(job.bytes).map(|(a, b)| a + b);
                    if let JobSource::Html(all) = &mut known.source {
                        all.extend_from_slice(files);
                    }
                }
                continue;
            }
            indexes.insert(position, items.len());
            // A given folder becomes `DIR/folder`; a folder within it keeps its relative path.
            let output = if job.output.as_os_str().is_empty() {
                let folder =
                    files.first().and_then(|file| file.path.parent()).unwrap_or(Path::new(""));
                names::folder_name(folder)
            } else {
                job.output
            };
            // The name follows the list, like that of an archive. It must not depend on the other
            // inputs.
            let folder = files.first().and_then(|file| file.name.rsplit_once('/'));
            let name = folder.map_or_else(|| name_of(&output), |(folder, _)| folder.to_owned());
            let job = Job { name, output, ..job };
            items.push(ListedPath { position, input: ListedInput::Input(job) });
        }
        self.items = items;
    }

    /// Gives inputs with equal outputs different outputs, by their folders ([`folders`]).
    pub(crate) fn make_outputs_unique(&mut self) {
        let mut alike: HashMap<PathBuf, Vec<usize>> = HashMap::new();
        for (index, item) in self.items.iter().enumerate() {
            if let ListedInput::Input(job) = &item.input {
                alike.entry(job.output.clone()).or_default().push(index);
            }
        }
        for indexes in alike.into_values().filter(|indexes| indexes.len() > 1) {
            let path = |index: &usize| match &self.items[*index].input {
                ListedInput::Input(job) => {
                    job.files().next().map(|path| redact_url(path).into_owned())
                }
                ListedInput::Unusable(..) => None,
            };
            let paths: Vec<_> =
                indexes.iter().map(|index| path(index).unwrap_or_default()).collect();
            for (index, folder) in indexes.into_iter().zip(folders(&paths)) {
                if let ListedInput::Input(job) = &mut self.items[index].input {
                    let name = job.output.file_name().map(PathBuf::from).unwrap_or_default();
                    let is_page = matches!(job.source, JobSource::Html(_));
                    match folder.as_os_str().is_empty() {
                        true => {}
                        // For a page, the folder is the whole path of its output.
                        false if is_page => job.output = folder,
                        false => job.output = folder.join(name),
                    }
                }
            }
        }
    }

    /// Names inputs with equal names by their whole paths as given, such as two files that were
    /// given directly. The pages of a folder all get the same form of name.
    pub(crate) fn make_names_unique(&mut self) {
        let mut seen: HashMap<String, usize> = HashMap::new();
        for job in self.inputs() {
            if matches!(job.source, JobSource::Html(_)) {
                *seen.entry(job.name.clone()).or_default() += 1;
            }
            for (name, _) in file_names(job) {
                *seen.entry(name.clone()).or_default() += 1;
            }
        }
        for job in self.inputs() {
            let is_seen_twice = |name: &str| seen.get(name).is_some_and(|count| *count > 1);
            let is_alike =
                is_seen_twice(&job.name) || file_names(job).any(|(name, _)| is_seen_twice(name));
            if !is_alike {
                continue;
            }
            for (name, path) in file_names(job) {
                *name = name_of(&redact_url(path));
            }
            if let JobSource::Html(files) = &job.source
                && let Some(folder) = files.first().and_then(|file| file.path.parent())
            {
                job.name = name_of(&redact_url(folder));
            }
        }
    }

    fn inputs(&mut self) -> impl Iterator<Item = &mut Job> {
        self.items.iter_mut().filter_map(|item| match &mut item.input {
            ListedInput::Input(job) => Some(job),
            ListedInput::Unusable(..) => None,
        })
    }

    /// Returns the name at a position.
    pub(crate) fn name(&self, position: usize) -> &str {
        &self.names[position]
    }

    /// Returns all names.
    pub(crate) fn into_input_list(self) -> InputList {
        InputList(self.names)
    }
}

/// Returns the names and paths of the files of an input. The name of a folder of pages itself is
/// not included.
fn file_names(job: &mut Job) -> impl Iterator<Item = (&mut String, &Path)> {
    let Job { name, source, .. } = job;
    let (archive, pages): (_, &mut [HtmlFile]) = match source {
        JobSource::File(path) | JobSource::Indexed { path, .. } => {
            (Some((name, path.as_path())), &mut [])
        }
        JobSource::Html(files) => (None, files),
        JobSource::Stdin => (None, &mut []),
    };
    let pages = pages.iter_mut().map(|file| (&mut file.name, file.path.as_path()));
    archive.into_iter().chain(pages)
}
