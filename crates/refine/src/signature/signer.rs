//! Signs rows.

use super::datatrove::DatatroveMinHash;
use super::minima::Minima;
use super::row_signature::Signature;
use super::settings::{Hash, SignatureSettings};
use super::shingles::Shingles;
use super::simplified_text::simplify;
use super::{address, text_digest};
use crate::invalid::InvalidSettings;
use crate::text::Text;
use twox_hash::XxHash3_64;

/// A maker of signatures, with the buffers of one thread.
///
/// ```
/// use huller_refine::Text;
/// use huller_refine::signature::{Signature, SignatureSettings, Signer};
///
/// let mut signer = Signer::new(SignatureSettings::default())?;
/// let mut sign = |content: &str| {
///     let (mut text, mut signature) = (Text::default(), Signature::default());
///     text.begin().push_str(content);
///     signer.sign(&mut text, None, &mut signature);
///     signature
/// };
/// let one = sign("The river rose in the night, and took the bridge.");
/// let two = sign("The river rose in the night and took the BRIDGE");
/// assert_eq!(one.bands, two.bands);
/// assert_ne!(one.text, two.text);
/// assert!(sign("Too short").bands.is_empty());
/// # Ok::<(), huller_refine::InvalidSettings>(())
/// ```
pub struct Signer {
    settings: SignatureSettings,
    hash: Hasher,
    /// Normalised texts and URLs, and the values of a band.
    buffer: Vec<u8>,
}

enum Hasher {
    /// The project's own hash functions.
    Fast { shingles: Shingles, minima: Minima, least: Vec<u32> },
    /// The hash functions of datatrove.
    Datatrove { simplified: Box<Text>, minhash: DatatroveMinHash },
}

impl Signer {
    /// Creates a signer with these settings.
    ///
    /// # Errors
    ///
    /// A setting is invalid.
    pub fn new(settings: SignatureSettings) -> Result<Signer, InvalidSettings> {
        settings.check()?;
        let hash = match settings.hash {
            Hash::Fast => Hasher::Fast {
                shingles: Shingles::default(),
                minima: Minima::new(settings.values(), settings.seed),
                least: Vec::new(),
            },
            Hash::Datatrove => Hasher::Datatrove {
                simplified: Box::default(),
                minhash: DatatroveMinHash::new(
                    settings.values(),
                    settings.shingle as usize,
                    settings.seed,
                ),
            },
        };
        Ok(Signer { settings, hash, buffer: Vec::new() })
    }

    /// Returns the settings.
    pub fn settings(&self) -> SignatureSettings {
        self.settings
    }

    /// Writes the signature of a row's text and URL to `signature`.
    pub fn sign(&mut self, text: &mut Text, url: Option<&str>, signature: &mut Signature) {
        let Signer { settings, hash, buffer } = self;
        signature.chars = text.chars().try_into().unwrap_or(u32::MAX);
        signature.text = text_digest::normalised_digest(text.as_str(), buffer);
        signature.url = url.map(|url| address::digest(url, buffer));
        let bands = &mut signature.bands;
        bands.clear();
        let rows = settings.rows as usize;
        match hash {
            Hasher::Fast { shingles, minima, least } => {
                let words = text.words();
                let shingles = shingles.hash_all(words, settings.shingle as usize, settings.seed);
                if !shingles.is_empty() {
                    minima.fill(shingles, least);
                    push_bands(least, rows, u32::to_le_bytes, buffer, bands);
                }
            }
            Hasher::Datatrove { simplified, minhash } => {
                simplify(text.as_str(), simplified.begin());
                if let Some(values) = minhash.values(simplified.words().iter()) {
                    push_bands(values, rows, u64::to_le_bytes, buffer, bands);
                }
            }
        }
    }
}

/// Appends the hash of each band: XXH3 over its values as little-endian numbers, seeded with the
/// number of the band.
fn push_bands<T: Copy, const BYTES: usize>(
    values: &[T],
    rows: usize,
    to_bytes: impl Fn(T) -> [u8; BYTES],
    buffer: &mut Vec<u8>,
    bands: &mut Vec<u64>,
) {
    for (band, values) in values.chunks_exact(rows).enumerate() {
        buffer.clear();
        buffer.extend(values.iter().flat_map(|value| to_bytes(*value)));
        bands.push(XxHash3_64::oneshot_with_seed(band as u64, buffer));
    }
    buffer.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sign(settings: SignatureSettings, content: &str, url: Option<&str>) -> Signature {
        let (mut text, mut signature) = (Text::default(), Signature::default());
        text.begin().push_str(content);
        Signer::new(settings).unwrap().sign(&mut text, url, &mut signature);
        signature
    }

    #[test]
    fn settings_decide_the_bands_and_nothing_else() {
        let content = "The river rose in the night, and took the bridge and both mills.";
        let default = SignatureSettings::default();
        let first = sign(default, content, Some("http://a.test/"));
        assert_eq!(first.bands.len(), 14);
        assert_eq!(first.chars, 64);
        for settings in [
            SignatureSettings { bands: 20, ..default },
            SignatureSettings { rows: 9, ..default },
            SignatureSettings { shingle: 4, ..default },
            SignatureSettings { seed: 2, ..default },
            SignatureSettings { hash: Hash::Datatrove, ..default },
        ] {
            let other = sign(settings, content, Some("http://A.test#b"));
            assert_eq!(other.bands.len(), settings.bands as usize);
            assert_eq!((other.text, other.url, other.chars), (first.text, first.url, first.chars));
            if settings.bands == default.bands {
                assert!(first.bands.iter().zip(&other.bands).all(|(one, other)| one != other));
            }
        }
        assert_eq!(sign(default, content, None).url, None);
    }

    #[test]
    fn what_signatures_of_today_say_they_say_tomorrow() {
        // Files of signatures are compared with those of later versions. Raise `VERSION` if these
        // values change.
        let content = "The river rose in the night, and took the bridge. 今天下雨 été";
        let of = |hash| {
            sign(SignatureSettings { hash, ..Default::default() }, content, Some("http://a.test/b"))
        };
        let (fast, datatrove) = (of(Hash::Fast), of(Hash::Datatrove));
        let said = format!(
            "{:x} {:x?} {:x?} {:x?}",
            fast.text,
            fast.url,
            &fast.bands[..2],
            &datatrove.bands[..2]
        );
        assert_eq!(
            said,
            "2f295a29b7bf39ddcf2063426d3bcdd5 Some(2e2f9f40c364b05d441b95f8b254db54) \
             [99310426556f2e1a, 41a69b5ff9222dcc] [93e5af17bc91909d, 40ee066d1ef7717d]"
        );
    }

    #[test]
    fn equal_values_of_two_bands_have_unequal_hashes() {
        let mut bands = Vec::new();
        push_bands(&[1_u32, 2, 1, 2], 2, u32::to_le_bytes, &mut Vec::new(), &mut bands);
        assert_ne!(bands[0], bands[1]);
    }
}
