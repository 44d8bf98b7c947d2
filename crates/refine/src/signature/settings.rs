//! The settings of signatures.

use crate::documented::documented;
use crate::invalid::InvalidSettings;
use serde::{Deserialize, Serialize};

/// Most values of a row: bands times rows. 450 bands of 20 rows, the most in use anywhere, have
/// 9,000.
const MAX_VALUES: u64 = 16_384;

/// Most words of a shingle.
const MAX_SHINGLE_WORDS: u32 = 64;

/// Version of the signatures. It is raised when equal settings give other signatures.
pub(crate) const VERSION: u32 = 1;

documented! {
    /// Settings of [`Signer`](super::Signer) and of the stage
    /// [`Signature`](crate::stages::Signature). Signatures can be compared only if all of these are
    /// equal.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct SignatureSettings {
        /// Bands of a signature. Rows that share a band are near duplicates. Default 14, as in
        /// datatrove.
        pub bands: u32,
        /// Hashes per band. With more, rows must be more similar to count as near duplicates.
        /// Default 8, as in datatrove.
        pub rows: u32,
        /// Words per shingle; in scripts without spaces between words, characters. Default 5, as in
        /// datatrove.
        pub shingle: u32,
        /// `fast`, or `datatrove` for signatures equal to those of that program. Default `fast`.
        pub hash: Hash,
        /// Seed of the hashes. Default 1, as in datatrove.
        pub seed: u32,
    }
}

/// The way in which shingles and their values are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Hash {
    /// 32-bit multiplications, eight at a time.
    #[default]
    Fast,
    /// As in datatrove 0.10.1 by default: XXH64, and multiplication modulo 2^61 − 1.
    Datatrove,
}

impl Default for SignatureSettings {
    fn default() -> SignatureSettings {
        SignatureSettings { bands: 14, rows: 8, shingle: 5, hash: Hash::Fast, seed: 1 }
    }
}

impl SignatureSettings {
    /// Returns the number of values of a row, before they are combined into bands.
    pub(crate) fn values(&self) -> usize {
        self.bands as usize * self.rows as usize
    }

    /// Checks the settings.
    ///
    /// # Errors
    ///
    /// A number is 0 or too large.
    pub fn check(&self) -> Result<(), InvalidSettings> {
        for (setting, value) in
            [("bands", self.bands), ("rows", self.rows), ("shingle", self.shingle)]
        {
            if value == 0 {
                return Err(InvalidSettings::new(setting, "must be at least 1"));
            }
        }
        if self.shingle > MAX_SHINGLE_WORDS {
            let problem = format!("must be at most {MAX_SHINGLE_WORDS}, not {}", self.shingle);
            return Err(InvalidSettings::new("shingle", problem));
        }
        let values = u64::from(self.bands) * u64::from(self.rows);
        if values > MAX_VALUES {
            let problem = format!("bands times rows must be at most {MAX_VALUES}, not {values}");
            return Err(InvalidSettings::new("bands", problem));
        }
        Ok(())
    }

    /// Returns everything that signatures depend on, as an object: the settings and the version.
    pub(crate) fn to_json(self) -> serde_json::Value {
        let mut json = serde_json::to_value(self).expect("settings are plain data");
        json["version"] = VERSION.into();
        json
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_parameters_can_be_and_others_say_why_not() {
        let of = |bands, rows, shingle| SignatureSettings {
            bands,
            rows,
            shingle,
            ..SignatureSettings::default()
        };
        for (bands, rows) in [(14, 8), (20, 13), (9, 13), (450, 20), (1, 1)] {
            assert_eq!(of(bands, rows, 5).check(), Ok(()));
        }
        for (settings, message) in [
            (of(0, 8, 5), "`bands`: must be at least 1"),
            (of(14, 0, 5), "`rows`: must be at least 1"),
            (of(14, 8, 0), "`shingle`: must be at least 1"),
            (of(14, 8, 65), "`shingle`: must be at most 64, not 65"),
            (
                of(u32::MAX, u32::MAX, 5),
                "`bands`: bands times rows must be at most 16384, not 18446744065119617025",
            ),
        ] {
            assert_eq!(settings.check().unwrap_err().to_string(), message);
        }
    }
}
