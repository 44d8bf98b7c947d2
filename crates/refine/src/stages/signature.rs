//! Signs each row, so that duplicates can be found across all rows of a corpus.

use crate::invalid::InvalidSettings;
use crate::reason::Reason;
use crate::row_in_progress::RowInProgress;
use crate::signature::{Signature as Signed, SignatureSettings, Signer};
use crate::stage::{Decision, RowStage, Stage, StagePhase};

/// Signs each row ([`signature`](crate::signature)) and drops none. It signs the text in its final
/// form, after all stages of [`StagePhase::Text`]. The signature is in
/// [`Text::signature`](crate::Text::signature) until the next row begins.
#[derive(Clone, Copy, Debug)]
pub struct Signature(SignatureSettings);

impl Signature {
    /// Creates the stage with these settings.
    ///
    /// # Errors
    ///
    /// A setting is 0 or too large.
    pub fn new(settings: SignatureSettings) -> Result<Signature, InvalidSettings> {
        settings.check()?;
        Ok(Signature(settings))
    }
}

impl Stage for Signature {
    fn name(&self) -> &'static str {
        "signature"
    }

    fn fingerprint(&self) -> serde_json::Value {
        super::fingerprint(2, &self.0)
    }

    fn reasons(&self) -> &[Reason] {
        &[]
    }

    fn phase(&self) -> StagePhase {
        StagePhase::Final
    }

    fn worker(&self) -> Box<dyn RowStage> {
        let signer = Signer::new(self.0).expect("the settings were checked");
        Box::new(Worker { signer, signature: Signed::default() })
    }
}

/// The stage in one worker thread.
struct Worker {
    signer: Signer,
    /// The signature of this row. It is exchanged with that of the previous row to reuse its
    /// memory.
    signature: Signed,
}

impl RowStage for Worker {
    fn apply(&mut self, row_in_progress: &mut RowInProgress<'_>) -> Decision {
        self.signer.sign(row_in_progress.text, row_in_progress.url, &mut self.signature);
        row_in_progress.text.set_signature(&mut self.signature);
        Decision::Keep
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::Chain;
    use crate::signals::Signals;
    use crate::stages::Mask;
    use crate::text::Text;

    #[test]
    fn the_last_text_is_signed_whatever_the_order_of_stages() {
        let mut text = Text::default();
        let mut signed = |stages: &[Box<dyn Stage>], content: &str| {
            let (mut chain, mut signals) = (Chain::new(stages), Signals::disabled());
            text.begin().push_str(content);
            let mut row_in_progress = RowInProgress::from_text(&mut text, &mut signals);
            for needs in [StagePhase::Text, StagePhase::Final] {
                chain.apply(needs, &mut row_in_progress).unwrap();
            }
            text.signature().unwrap().clone()
        };
        let signature = || Box::new(Signature::new(SignatureSettings::default()).unwrap());
        let first = signed(
            &[signature(), Box::new(Mask::default())],
            "Now you can write to ann@site.org about this.",
        );
        let last = signed(&[signature()], "Now you can write to email@example.com about this.");
        assert_eq!(first, last);
        assert_eq!(first.bands.len(), 14);
    }
}
