//! `huller train`: models from pages and gold.

use crate::args::TrainCommand;
use crate::exit::Exit;
use crate::train_nb;
use anyhow::Result;

pub(crate) fn run(command: &TrainCommand) -> Result<Exit> {
    match command {
        TrainCommand::Nb(args) => train_nb::run(args),
    }
}
