//! `huller train`: trains models from labelled data.

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
