//! The folder in which runs are made, with inputs and a list of them.

use super::change::FileChange;
use super::command::Command;
use super::inputs::{Edit, InputForm, InputMaker, Version};
use super::slot::{ListEntry, Slot};
use crate::random::Random;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// An input with all its versions, and whether it exists at present.
#[derive(Debug)]
pub(super) struct Input {
    /// The path below the folder of inputs. For pages, the path of their folder.
    pub(super) path: String,
    pub(super) form: InputForm,
    pub(super) is_large: bool,
    pub(super) versions: Vec<Version>,
    sizes: Vec<u64>,
    pub(super) is_there: bool,
    maker: InputMaker,
}

impl Input {
    /// Returns the number of its present version.
    pub(super) fn now(&self) -> usize {
        self.versions.len() - 1
    }

    /// Returns its lines in a list: its path, or for pages the paths of its files.
    pub(super) fn lines(&self) -> Vec<String> {
        match self.form {
            InputForm::Pages => {
                // All versions have the same number of pages.
                (1..=self.versions[0].records().count())
                    .map(|n| format!("{}/{n:02}.html", self.path))
                    .collect()
            }
            _ => vec![self.path.clone()],
        }
    }

    /// Returns the last part of its path without the suffix of its form.
    pub(super) fn stem(&self) -> &str {
        self.base().strip_suffix(self.form.suffix()).unwrap_or(self.base())
    }

    /// Returns the last part of its path.
    pub(super) fn base(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }
}

/// The folder in which runs are made.
#[derive(Debug)]
pub(super) struct TestWorld {
    pub(super) command: Command,
    pub(super) root: PathBuf,
    pub(super) inputs: Vec<Option<Input>>,
    pub(super) list: Vec<ListEntry>,
    /// The number of changes so far.
    pub(super) epoch: u64,
}

/// The names of the folder of inputs and of the list.
pub(super) const INPUTS: &str = "in";
pub(super) const LIST: &str = "list.paths";

impl TestWorld {
    /// Writes the inputs of a case.
    pub(super) fn new(
        command: Command,
        root: &Path,
        slots: &[Option<Slot>],
        list: &[ListEntry],
    ) -> io::Result<TestWorld> {
        fs::create_dir_all(root.join(INPUTS))?;
        fs::create_dir_all(root.join("out"))?;
        let (root, list) = (root.to_owned(), list.to_vec());
        let mut world = TestWorld { command, root, inputs: Vec::new(), list, epoch: 0 };
        world.list.retain(
            |listed| !matches!(listed, ListEntry::Input(number) if slots[*number].is_none()),
        );
        for (number, slot) in slots.iter().enumerate() {
            let Some(slot) = slot else {
                world.inputs.push(None);
                continue;
            };
            let random = Random::new(slot.seed);
            let has_duplicates = command == Command::Dedup;
            let mut maker = InputMaker::new(number as u32, slot.form, random, has_duplicates);
            let mut first = maker.version(slot.is_large);
            if slot.is_foreign {
                first = maker.next_version(&first, Edit::Foreign, slot.is_large).unwrap_or(first);
            }
            world.inputs.push(Some(Input {
                path: slot.path.clone(),
                form: slot.form,
                is_large: slot.is_large,
                versions: Vec::new(),
                sizes: Vec::new(),
                is_there: true,
                maker,
            }));
            world.enter(number, first, false)?;
        }
        world.write_list()?;
        Ok(world)
    }

    pub(super) fn input(&self, number: usize) -> Option<&Input> {
        self.inputs.get(number)?.as_ref()
    }

    /// Returns the inputs and their numbers.
    pub(super) fn all(&self) -> impl Iterator<Item = (usize, &Input)> {
        self.inputs.iter().enumerate().filter_map(|(number, input)| Some((number, input.as_ref()?)))
    }

    /// Returns the inputs and versions of this size in bytes.
    pub(super) fn of_size(&self, size: u64) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for (number, input) in self.all() {
            let versions = input.sizes.iter().enumerate().filter(|(_, other)| **other == size);
            found.extend(versions.map(|(version, _)| (number, version)));
        }
        found
    }

    /// Makes a change. Returns false if there is nothing to change.
    pub(super) fn change(&mut self, change: FileChange) -> io::Result<bool> {
        let is_done = match change {
            FileChange::Edit(number, edit) => self.edit(number, edit, false)?,
            FileChange::Replace(number) => self.edit(number, Edit::Replace, true)?,
            FileChange::Remove(number) | FileChange::Hide(number) => self.hide(number)?,
            FileChange::Back(number) => self.bring_back(number)?,
            FileChange::ListGrows { at_front } => self.grow_list(at_front),
            FileChange::ListShrinks(nth) => {
                let len = self.list.len();
                (len > 1).then(|| self.list.remove(nth % len)).is_some()
            }
            FileChange::ListTurns(by) => {
                let len = self.list.len().max(1);
                self.list.rotate_left(by % len);
                len > 1
            }
            FileChange::Output { .. } => false,
        };
        if is_done {
            self.epoch += 1;
            self.write_list()?;
        }
        Ok(is_done)
    }

    fn edit(&mut self, number: usize, edit: Edit, renamed: bool) -> io::Result<bool> {
        let Some(Some(input)) = self.inputs.get_mut(number) else { return Ok(false) };
        let Input { maker, versions, is_large, .. } = input;
        let Some(next) = maker.next_version(&versions[versions.len() - 1], edit, *is_large) else {
            return Ok(false);
        };
        if edit == Edit::Replace && input.form == InputForm::Pages {
            // The list keeps naming the first pages.
            return Ok(false);
        }
        if !input.is_there {
            return Ok(false);
        }
        self.enter(number, next, renamed)?;
        Ok(true)
    }

    /// Writes a version, and remembers it.
    fn enter(&mut self, number: usize, version: Version, renamed: bool) -> io::Result<()> {
        let Some(Some(input)) = self.inputs.get_mut(number) else { return Ok(()) };
        let place = self.root.join(INPUTS).join(&input.path);
        if input.form == InputForm::Pages {
            fs::create_dir_all(&place)?;
            for (nth, page) in (1..).zip(version.pages()) {
                fs::write(place.join(format!("{nth:02}.html")), page)?;
            }
        } else {
            if let Some(folder) = place.parent() {
                fs::create_dir_all(folder)?;
            }
            let new = self.root.join("new");
            if renamed {
                fs::write(&new, version.bytes())?;
                fs::rename(&new, &place)?;
            } else {
                fs::write(&place, version.bytes())?;
            }
        }
        input.sizes.push(version.size());
        input.versions.push(version);
        Ok(())
    }

    /// Returns the path of an input, and its path while it is away.
    fn places(&self, number: usize) -> Option<[PathBuf; 2]> {
        let input = self.input(number)?;
        Some([self.root.join(INPUTS).join(&input.path), self.root.join(format!("away-{number}"))])
    }

    fn hide(&mut self, number: usize) -> io::Result<bool> {
        let Some([place, away]) = self.places(number) else { return Ok(false) };
        let Some(Some(input)) = self.inputs.get_mut(number) else { return Ok(false) };
        if std::mem::replace(&mut input.is_there, false) {
            fs::rename(place, away)?;
            return Ok(true);
        }
        Ok(false)
    }

    fn bring_back(&mut self, number: usize) -> io::Result<bool> {
        let Some([place, away]) = self.places(number) else { return Ok(false) };
        let Some(Some(input)) = self.inputs.get_mut(number) else { return Ok(false) };
        if std::mem::replace(&mut input.is_there, true) {
            return Ok(false);
        }
        fs::rename(away, place)?;
        Ok(true)
    }

    fn grow_list(&mut self, at_front: bool) -> bool {
        let is_listed = |number: usize| self.list.contains(&ListEntry::Input(number));
        let Some(new) = self.all().map(|(number, _)| number).find(|number| !is_listed(*number))
        else {
            return false;
        };
        let place = if at_front { 0 } else { self.list.len() };
        self.list.insert(place, ListEntry::Input(new));
        true
    }

    /// Returns the lines of the list, by place.
    pub(super) fn lines(&self) -> Vec<(ListEntry, Vec<String>)> {
        let lines = |listed: &ListEntry| match listed {
            ListEntry::Input(number) => self.input(*number).map(Input::lines).unwrap_or_default(),
            ListEntry::Nothing(number) => vec![format!("lost/{number}.warc.gz")],
        };
        self.list.iter().map(|listed| (*listed, lines(listed))).collect()
    }

    /// Writes the list. Without `--base` its lines are relative to its own folder.
    fn write_list(&self) -> io::Result<()> {
        let base = if self.command.is_by_input() { String::new() } else { format!("{INPUTS}/") };
        let lines = self.lines().into_iter().flat_map(|(_, lines)| lines);
        let lines: Vec<String> = lines.map(|line| format!("{base}{line}\n")).collect();
        fs::write(self.root.join(LIST), lines.concat())
    }
}
