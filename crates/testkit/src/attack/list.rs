//! The list of all attacks.

use super::definition::Attack;
use super::{archives, bodies, bytes, files, lengths, markup, members};

/// All attacks, group by group.
pub fn all() -> impl Iterator<Item = &'static Attack> {
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
