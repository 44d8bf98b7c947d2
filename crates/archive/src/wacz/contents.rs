//! Lists the archives in a WACZ.

use super::directory::{Member, Zip, is_zip, members};
use crate::error::ArchiveError;
use crate::store::address::redact_url;
use crate::store::input_place::InputPlace;
use crate::store::stores::Stores;
use std::ops::Range;
use std::path::Path;

/// An archive in a WACZ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaczArchive {
    /// The path below the folder `archive/`.
    pub name: String,
    /// The range of its bytes in the WACZ.
    pub bytes: Range<u64>,
    /// Whether the bytes are deflated, so that its records have no positions in the WACZ.
    pub is_deflated: bool,
}

/// Returns the archives of a WACZ, in the order of their positions. `None` if the file is not a
/// WACZ.
///
/// # Errors
///
/// The file cannot be read, or is refused.
pub fn wacz_archives(
    stores: &Stores,
    path: &Path,
) -> Result<Option<Vec<WaczArchive>>, ArchiveError> {
    let Some((_, members)) = files(stores, path)? else { return Ok(None) };
    let archives = members.into_iter().filter(Member::is_archive).map(|member| {
        let Member { name, bytes, is_deflated, .. } = member;
        // All names begin with this folder, in any case.
        let name = name.get("archive/".len()..).unwrap_or_default().to_owned();
        WaczArchive { name, bytes, is_deflated }
    });
    Ok(Some(archives.collect()))
}

/// Returns the place of a WACZ and the files in it. `None` if the file is not a WACZ, or can be
/// read only once.
pub(super) fn files(
    stores: &Stores,
    path: &Path,
) -> Result<Option<(InputPlace, Vec<Member>)>, ArchiveError> {
    let name = format!("'{}'", redact_url(path).display());
    let io_error = |error| ArchiveError::io(&name, 0, error);
    let file = stores.open(path).map_err(io_error)?;
    let Some(len) = file.length().map_err(io_error)? else { return Ok(None) };
    let mut head = [0; 4];
    if file.read_at(&mut head, 0).map_err(io_error)? < head.len() || !is_zip(&head) {
        return Ok(None);
    }
    let Some(Zip::Wacz(members)) = members(&file, len, &name)? else { return Ok(None) };
    Ok(Some((InputPlace::from_file(&file, path), members)))
}
