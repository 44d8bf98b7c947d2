//! `huller train`: models from what people labelled.

mod nb;
mod topics;

use crate::args::TrainCommand;
use crate::exit::Exit;
use anyhow::Result;

pub(crate) fn run(command: &TrainCommand) -> Result<Exit> {
    match command {
        TrainCommand::Nb(args) => nb::run(args),
        TrainCommand::Topics(args) => topics::run(args),
    }
}
