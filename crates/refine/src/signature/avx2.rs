//! A token for processors with AVX2.

/// A token that exists only if the processor has AVX2. A function that takes one may enable that
/// feature and no other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2(());

impl Avx2 {
    /// Returns the token if the processor has AVX2.
    pub(super) fn new() -> Option<Avx2> {
        #[cfg(target_arch = "x86_64")]
        if !cfg!(feature = "portable") && is_x86_feature_detected!("avx2") {
            return Some(Avx2(()));
        }
        None
    }
}
