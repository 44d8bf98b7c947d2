//! How methods end that choose stretches of text.

use crate::events::around;
use crate::extractor::{Extractor, Scratch};
use crate::methods::pvalue;
use crate::selection::Selection;
use huller_page::Page;

/// Makes the stretches of `out` its text, and the smallest element around them its root. Where there are none nothing is
/// selected, or with `fall_back` what the P value selects.
pub(crate) fn settle(page: &Page<'_>, fall_back: bool, scratch: &mut Scratch, out: &mut Selection) {
    if let (Some(first), Some(last)) = (out.stretches.first(), out.stretches.last()) {
        let root = around(page, first.run, last.run);
        out.roots.push(root);
        out.is_partial = true;
    } else if fall_back {
        pvalue::TUNED.extract(page, scratch, out);
    } else {
        out.clear();
    }
}
