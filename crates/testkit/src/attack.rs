//! Inputs that break careless readers, with the expected outcome of each.
//!
//! Most attacks are archives of three records: a good page, the attack, another good page. A
//! correct reader returns the text of both good pages, whatever it does with the attack. The
//! function [`all`] lists the attacks. The method [`Attack::write`] writes the input of one. The
//! module [`verdict`] checks the outputs of a run; [`run`] runs the program and measures it.
//!
//! A [`Scale`] multiplies the repetitions, so an attack can be written smaller than its full size.

mod archives;
mod bodies;
mod bundles;
mod bytes;
mod containers;
mod definition;
mod files;
mod lengths;
mod list;
mod markup;
mod members;
pub mod peers;
mod records;
pub mod report;
pub mod run;
mod series;
pub mod shapes;
mod statements;
pub mod verdict;

pub use definition::{Attack, AttackTarget, ExpectedOutcome, Scale};
pub use list::{all, of_generator};
