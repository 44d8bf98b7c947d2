//! Replaces e-mail addresses, public IP addresses and phone numbers.
//!
//! E-mail and IP addresses are replaced as in datatrove 0.10.1 (`PIIFormatter`), with its
//! replacements. Phone numbers are replaced only on request, by the rule of Dolma (Soldaini et al.,
//! "Dolma: an Open Corpus of Three Trillion Tokens for Language Model Pretraining Research", 2024;
//! `python/dolma/taggers/pii.py`) and with the replacement of its paper.
//!
//! Replacements are used in turn. datatrove continues the turn from text to text. Here every row
//! begins with the first replacement, because a row must not depend on earlier rows.
//! [`RowStage::rewrite`] masks the other forms of a row.
//!
//! Each kind takes one pass over the bytes without regular expressions: the search looks for the
//! rare byte that all matches contain.

mod email;
mod ip;
mod phone;

use crate::documented::documented;
use crate::invalid::InvalidSettings;
use crate::reason::Reason;
use crate::row_in_progress::RowInProgress;
use crate::stage::{ChangedValues, Decision, RowStage, Stage, StagePhase};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;

documented! {
    /// Settings of [`Mask`]. Defaults are those of datatrove.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct MaskSettings {
        /// Mask e-mail addresses. Default true.
        pub emails: bool,
        /// The replacements of e-mail addresses, in turn. Default: two addresses that are reserved
        /// for examples.
        pub email_replacements: Vec<String>,
        /// Mask IPv4 addresses. Default true.
        pub ips: bool,
        /// Keep private, reserved and documentation addresses. Default true.
        pub public_ips_only: bool,
        /// The replacements of IP addresses, in turn. Default: datatrove's six addresses, which did
        /// not respond when they were chosen.
        pub ip_replacements: Vec<String>,
        /// Mask phone numbers of ten digits, in the form that is used in North America. Default
        /// false (datatrove has no such rule; Dolma does).
        pub phones: bool,
        /// The replacements of phone numbers, in turn. Default: `|||PHONE_NUMBER|||`, as in Dolma.
        pub phone_replacements: Vec<String>,
    }
}

impl Default for MaskSettings {
    fn default() -> MaskSettings {
        let emails = ["email@example.com", "firstname.lastname@example.org"];
        let ips = [
            "22.214.171.124",
            "126.96.36.199",
            "188.8.131.52",
            "184.108.40.206",
            "220.127.116.11",
            "18.104.22.168",
        ];
        MaskSettings {
            emails: true,
            email_replacements: emails.map(str::to_owned).to_vec(),
            ips: true,
            public_ips_only: true,
            ip_replacements: ips.map(str::to_owned).to_vec(),
            phones: false,
            phone_replacements: vec!["|||PHONE_NUMBER|||".to_owned()],
        }
    }
}

/// Masks e-mail addresses, IP addresses and phone numbers. Drops no rows.
#[derive(Clone, Debug)]
pub struct Mask(Arc<MaskSettings>);

impl Default for Mask {
    fn default() -> Mask {
        Mask::new(MaskSettings::default()).expect("the defaults are valid")
    }
}

impl Mask {
    /// Creates the stage with these settings.
    ///
    /// # Errors
    ///
    /// If a kind is to be masked and has no replacement.
    pub fn new(settings: MaskSettings) -> Result<Mask, InvalidSettings> {
        for (setting, is_on, replacements) in [
            ("email_replacements", settings.emails, &settings.email_replacements),
            ("ip_replacements", settings.ips, &settings.ip_replacements),
            ("phone_replacements", settings.phones, &settings.phone_replacements),
        ] {
            if is_on && replacements.is_empty() {
                return Err(InvalidSettings::new(setting, "must not be empty"));
            }
        }
        Ok(Mask(Arc::new(settings)))
    }
}

/// The kinds of data that are masked, in this order.
#[derive(Clone, Copy)]
enum MaskKind {
    /// E-mail addresses.
    Email,
    /// IPv4 addresses.
    Ip,
    /// Phone numbers.
    Phone,
}

impl MaskKind {
    const ALL: [MaskKind; 3] = [MaskKind::Email, MaskKind::Ip, MaskKind::Phone];

    fn signal(self) -> &'static str {
        match self {
            MaskKind::Email => "mask.emails",
            MaskKind::Ip => "mask.ips",
            MaskKind::Phone => "mask.phones",
        }
    }
}

impl Mask {
    /// Writes the text with all matches of a kind masked, and returns their number. Writes no text
    /// if there is no match.
    fn mask_matches(&self, kind: MaskKind, text: &str, out: &mut String) -> usize {
        let settings = &*self.0;
        match kind {
            MaskKind::Email if settings.emails => {
                replace_matches(text, email::next, &settings.email_replacements, out)
            }
            MaskKind::Ip if settings.ips => {
                let next = |text: &str, start| ip::next(text, start, settings.public_ips_only);
                replace_matches(text, next, &settings.ip_replacements, out)
            }
            MaskKind::Phone if settings.phones => {
                replace_matches(text, phone::next, &settings.phone_replacements, out)
            }
            _ => 0,
        }
    }
}

/// Writes the text with its matches replaced, the replacements in turn. `find_next` returns the
/// first match from an offset on.
fn replace_matches(
    text: &str,
    find_next: impl Fn(&str, usize) -> Option<Range<usize>>,
    replacements: &[String],
    out: &mut String,
) -> usize {
    let (mut count, mut copied_to) = (0, 0);
    while let Some(range) = find_next(text, copied_to) {
        out.push_str(&text[copied_to..range.start]);
        out.push_str(&replacements[count % replacements.len()]);
        count += 1;
        copied_to = range.end;
    }
    if count > 0 {
        out.push_str(&text[copied_to..]);
    }
    count
}

impl Stage for Mask {
    fn name(&self) -> &'static str {
        "mask"
    }

    fn fingerprint(&self) -> serde_json::Value {
        super::fingerprint(1, &*self.0)
    }

    fn reasons(&self) -> &[Reason] {
        &[]
    }

    fn phase(&self) -> StagePhase {
        StagePhase::Text
    }

    fn worker(&self) -> Box<dyn RowStage> {
        Box::new(Worker { stage: self.clone(), between: String::new() })
    }
}

/// The stage in one worker thread.
struct Worker {
    stage: Mask,
    /// The text between two kinds.
    between: String,
}

impl RowStage for Worker {
    fn apply(&mut self, row_in_progress: &mut RowInProgress<'_>) -> Decision {
        for kind in MaskKind::ALL {
            let mut count = 0;
            row_in_progress.text.replace_with(|old, new| {
                count = self.stage.mask_matches(kind, old, new);
                count > 0
            });
            row_in_progress.signals.record(kind.signal(), count as f64);
        }
        Decision::Keep
    }

    fn changed_values(&self) -> ChangedValues {
        ChangedValues::Own
    }

    fn rewrite(&mut self, form: &str, out: &mut String) -> bool {
        let mut is_changed = false;
        for kind in MaskKind::ALL {
            if !is_changed {
                is_changed = self.stage.mask_matches(kind, form, out) > 0;
                continue;
            }
            self.between.clear();
            if self.stage.mask_matches(kind, out, &mut self.between) > 0 {
                std::mem::swap(out, &mut self.between);
            }
        }
        is_changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::Signals;
    use crate::text::Text;

    #[test]
    fn all_kinds_are_masked_in_turn_and_counted() {
        let settings = MaskSettings { phones: true, ..MaskSettings::default() };
        let mut worker = Mask::new(settings).unwrap().worker();
        let content = "a@b.co, c@d.org, e@f.de; 8.8.8.8 or 10.0.0.1, call (555) 123-4567.";
        let masked = "email@example.com, firstname.lastname@example.org, email@example.com; 22.214.171.124 or 10.0.0.1, \
                      call |||PHONE_NUMBER|||.";
        let (mut text, mut signals) = (Text::default(), Signals::enabled());
        for _ in 0..2 {
            text.begin().push_str(content);
            worker.apply(&mut RowInProgress::from_text(&mut text, &mut signals));
            assert_eq!(text.as_str(), masked);
        }
        assert_eq!(
            signals.figures()[..3],
            [("mask.emails", 3.), ("mask.ips", 1.), ("mask.phones", 1.)]
        );
        let mut out = String::new();
        assert!(worker.rewrite(content, &mut out));
        assert_eq!(out, masked);
        out.clear();
        assert!(!worker.rewrite("nothing @ all, 1.2.3", &mut out));
    }

    #[test]
    fn replacements_must_exist() {
        let settings = MaskSettings { ip_replacements: Vec::new(), ..MaskSettings::default() };
        assert_eq!(Mask::new(settings).unwrap_err().setting, "ip_replacements");
    }
}
