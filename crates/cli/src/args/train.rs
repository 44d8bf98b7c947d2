//! `huller train`.

use super::train_nb::TrainNbArgs;
use clap::Subcommand;

#[derive(Subcommand, Debug)]
pub(crate) enum TrainCommand {
    /// Count blocks for the methods nb and nb-table
    Nb(TrainNbArgs),
}
