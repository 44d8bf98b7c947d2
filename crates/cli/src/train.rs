//! `huller train`: models from what people labelled.

use crate::args::TrainCommand;
use crate::exit::Exit;
use crate::{train_nb, train_topics};
use anyhow::Result;

pub(crate) fn run(command: &TrainCommand) -> Result<Exit> {
    match command {
        TrainCommand::Nb(args) => train_nb::run(args),
        TrainCommand::Topics(args) => train_topics::run(args),
    }
}
