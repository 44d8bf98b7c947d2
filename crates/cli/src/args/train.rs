//! Flags of `huller train`.

use super::train_nb::TrainNbArgs;
use super::train_topics::TrainTopicsArgs;
use clap::Subcommand;

#[derive(Subcommand, Debug)]
pub(crate) enum TrainCommand {
    /// Count blocks for the extractors nb and nb-table
    Nb(TrainNbArgs),
    /// Learn topics from labelled texts, for `huller classify`
    Topics(TrainTopicsArgs),
}
