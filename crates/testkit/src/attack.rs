//! Inputs that break careless readers, and what must happen to each.
//!
//! Most attacks are archives of three records: a good page, the attack, another good page. A right
//! reader gives the text of both good pages whatever it does with the attack. [`all`] lists the
//! attacks, [`Attack::write`] writes the input of one, [`verdict`] says whether the outputs of a
//! run are right, [`run`] runs the program and measures it.
//!
//! Attacks can be written smaller than they are: [`Scale`] multiplies the repetitions.

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
pub mod verdict;

pub use definition::{Attack, Group, Must, Scale};
pub use list::{all, of_generator};
