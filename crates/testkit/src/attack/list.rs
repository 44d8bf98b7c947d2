//! The list of all attacks.

use super::definition::Attack;
use super::{
    archives, bodies, bundles, bytes, containers, files, lengths, markup, members, statements,
};

/// Returns all attacks, group by group.
pub fn all() -> impl Iterator<Item = &'static Attack> {
    of_generator().chain(containers::ATTACKS).chain(bundles::ATTACKS).chain(statements::ATTACKS)
}

/// Returns the attacks that the project's shared generator has too.
pub fn of_generator() -> impl Iterator<Item = &'static Attack> {
    [
        markup::ATTACKS,
        bytes::ATTACKS,
        bodies::ATTACKS,
        lengths::ATTACKS,
        archives::ATTACKS,
        members::ATTACKS,
        files::ATTACKS,
    ]
    .into_iter()
    .flatten()
}
