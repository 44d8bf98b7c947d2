//! The plan of a run, as the documentation defines it.

use super::case::{InputSelection, Run, ShardChoice};
use super::command::Command;
use super::inputs::InputForm;
use super::rows::RowFormat;
use super::slot::ListEntry;
use super::test_world::{INPUTS, LIST, TestWorld};
use std::collections::BTreeSet;

/// The plan of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Plan {
    /// The numbers of the existing inputs, in the order of reading. For a shard by name, all inputs
    /// that may be in it.
    pub(super) inputs: Vec<usize>,
    /// The number of paths that do not exist.
    pub(super) missing: usize,
    /// Whether the command line names no input.
    pub(super) is_empty: bool,
    /// Whether two inputs have one output.
    pub(super) collides: bool,
    /// Whether the inputs of the shard are unknown.
    pub(super) is_open: bool,
}

impl Plan {
    /// Returns the plan of a run in the present world.
    pub(super) fn from_run(world: &TestWorld, run: &Run) -> Plan {
        let mut plan = Plan::default();
        match run.what {
            InputSelection::Folder => {
                plan.inputs = world
                    .all()
                    .filter(|(_, input)| input.is_there)
                    .map(|(number, _)| number)
                    .collect();
                // The run reads each folder in the order of names.
                plan.inputs.sort_by_key(|number| {
                    let path = world.input(*number).map_or("", |input| &input.path);
                    path.split('/').map(str::to_owned).collect::<Vec<_>>()
                });
                // Then the folder itself is unusable.
                plan.missing = usize::from(plan.inputs.is_empty());
            }
            InputSelection::Files(bits) => {
                let chosen = chosen(world, bits);
                plan.is_empty = chosen.is_empty();
                for number in chosen {
                    plan.add(world, number, 1);
                }
            }
            InputSelection::List => {
                let lines = world.lines();
                plan.is_empty = lines.is_empty();
                for (place, (listed, paths)) in lines.iter().enumerate() {
                    let is_mine = run
                        .share
                        .is_none_or(|share| share.by_name || place % share.of == share.number);
                    match listed {
                        _ if !is_mine => {}
                        ListEntry::Input(number) => plan.add(world, *number, paths.len()),
                        ListEntry::Nothing(_) => plan.missing += 1,
                    }
                }
            }
        }
        plan.is_open = run.share.is_some_and(|share| share.by_name && share.of > 1);
        plan.collides = plan.has_collision(world, run.what);
        plan
    }

    fn add(&mut self, world: &TestWorld, number: usize, paths: usize) {
        match world.input(number) {
            Some(input) if input.is_there => self.inputs.push(number),
            Some(_) => self.missing += paths,
            None => {}
        }
    }

    fn has_collision(&self, world: &TestWorld, what: InputSelection) -> bool {
        if world.command == Command::Index {
            return false;
        }
        let mut outputs = BTreeSet::new();
        self.inputs.iter().filter_map(|number| world.input(*number)).any(|input| {
            let path = match what {
                InputSelection::Files(_) => input.base(),
                InputSelection::Folder | InputSelection::List => &input.path,
            };
            !outputs.insert(output(world.command, path, input.form))
        })
    }
}

/// Returns the output name of an input, without the suffix that all outputs of a run share.
fn output(command: Command, path: &str, form: InputForm) -> String {
    let stem = path.strip_suffix(form.suffix()).unwrap_or(path);
    match form {
        // Rows keep the format and the compression of their input.
        InputForm::Rows(RowFormat::Json, _) if command == Command::Dedup => path.to_owned(),
        _ if command == Command::Dedup => format!("{stem}.jsonl.zst"),
        _ => stem.to_owned(),
    }
}

/// Returns the inputs of a case whose bits are set; the first input if no bit is set.
fn chosen(world: &TestWorld, bits: u32) -> Vec<usize> {
    let all: Vec<usize> = world.all().map(|(number, _)| number).collect();
    let chosen: Vec<usize> = all.iter().copied().filter(|number| bits >> number & 1 == 1).collect();
    if chosen.is_empty() { all.into_iter().take(1).collect() } else { chosen }
}

/// Returns the arguments that define the plan of a run.
pub(super) fn arguments(world: &TestWorld, run: &Run) -> Vec<String> {
    let mut arguments = match run.what {
        InputSelection::Folder => vec![INPUTS.to_owned()],
        InputSelection::List if world.command.is_by_input() => {
            vec![format!("--manifest={LIST}"), format!("--base={INPUTS}")]
        }
        InputSelection::List => vec![LIST.to_owned()],
        InputSelection::Files(bits) => {
            let inputs = chosen(world, bits).into_iter().filter_map(|number| world.input(number));
            inputs.map(|input| format!("{INPUTS}/{}", input.path)).collect()
        }
    };
    if let Some(ShardChoice { number, of, by_name }) = run.share {
        arguments.push(format!("--shard={number}/{of}"));
        if by_name {
            arguments.push("--shard-by=name".to_owned());
        }
    }
    arguments
}

/// Returns the name that a run over `inputs` uses for one of them.
pub(super) fn name(
    world: &TestWorld,
    what: InputSelection,
    inputs: &[usize],
    number: usize,
) -> String {
    let Some(input) = world.input(number) else { return String::new() };
    let whole = format!("{INPUTS}/{}", input.path);
    // The pages of all folders have the same names.
    let is_alike = |other: &&usize| {
        world.input(**other).is_some_and(|other| {
            let are_pages = input.form == InputForm::Pages && other.form == InputForm::Pages;
            are_pages || other.base() == input.base()
        })
    };
    match what {
        InputSelection::Folder => input.path.clone(),
        InputSelection::List if world.command.is_by_input() => input.path.clone(),
        InputSelection::Files(_) if inputs.iter().filter(is_alike).count() == 1 => {
            input.base().to_owned()
        }
        InputSelection::Files(_) | InputSelection::List => whole,
    }
}

/// Returns the names that a run may use for an input.
pub(super) fn names(world: &TestWorld, number: usize) -> Vec<String> {
    let Some(input) = world.input(number) else { return Vec::new() };
    let mut names =
        vec![input.path.clone(), input.base().to_owned(), format!("{INPUTS}/{}", input.path)];
    if input.form == InputForm::Pages {
        // In a list, the part of the path that distinguishes its folder from others of the same
        // name.
        let parts: Vec<&str> = input.path.split('/').collect();
        names.extend((1..parts.len()).map(|skipped| parts[skipped..].join("/")));
    }
    names
}
