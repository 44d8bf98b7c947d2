//! Decoding contexts of the zstd library.

use crate::limits::Limits;
use zstd_safe::{DCtx, DParameter};

/// The error code of zstd for a wrong checksum.
pub(crate) const CHECKSUM_WRONG: usize = 0_usize.wrapping_sub(22);

/// Returns a decoding context with the limits and the dictionary of a file. The error is zstd's
/// reason to refuse the dictionary.
pub(crate) fn context(limits: &Limits, dictionary: Option<&[u8]>) -> Result<DCtx<'static>, String> {
    let mut context = DCtx::create();
    context
        .set_parameter(DParameter::WindowLogMax(limits.zstd_window_log))
        .and_then(|_| dictionary.map_or(Ok(0), |dictionary| context.load_dictionary(dictionary)))
        .map_err(|code| zstd_safe::get_error_name(code).to_owned())?;
    Ok(context)
}
