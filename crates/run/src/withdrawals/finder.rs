//! Tells which rows are withdrawn.

use crate::withdrawals::keys::Withdrawals;
use crate::withdrawals::tombstone::Rule;
use huller_refine::Text;
use huller_refine::signature::signature_file::RecordView;
use huller_refine::signature::{Signature, SignatureSettings, Signer, url_digest};
use std::sync::Arc;

/// The values of a row that tombstones name. Values that a row lacks are `None`.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowIdentity<'a> {
    /// The URL of the page.
    pub url: Option<&'a str>,
    /// The identifier of the row.
    pub id: Option<&'a str>,
    /// The identifier of the page's row, if the row is a passage or a link of it.
    pub parent_id: Option<&'a str>,
    /// The text of the row.
    pub text: Option<&'a str>,
}

/// Looks rows up among withdrawn keys. Each thread has its own, for its buffers.
pub struct Finder {
    lists: Vec<Arc<Withdrawals>>,
    signers: Vec<Signer>,
    text: Text,
    signature: Signature,
    buffer: Vec<u8>,
}

impl Finder {
    /// Creates a finder of the rows that one of these lists names.
    pub fn new(lists: Vec<Arc<Withdrawals>>) -> Finder {
        let mut settings: Vec<_> = Vec::new();
        for known in lists.iter().flat_map(|list| list.signatures()) {
            if !settings.contains(&known) {
                settings.push(known);
            }
        }
        // The settings were checked when the tombstones were read.
        let signers = settings.into_iter().filter_map(|settings| Signer::new(settings).ok());
        let (text, signature, buffer) = (Text::default(), Signature::default(), Vec::new());
        Finder { signers: signers.collect(), lists, text, signature, buffer }
    }

    /// Returns the rule by which a row is withdrawn.
    pub fn rule(&mut self, row: &RowIdentity<'_>) -> Option<Rule> {
        let by_keys = self.rule_of_keys(row);
        by_keys.or_else(|| self.is_near(row.text?).then_some(Rule::Near))
    }

    /// Returns the rule by which a row is withdrawn whose text has this signature. All lists must
    /// have its settings, if they have signatures.
    pub fn rule_of_signed(
        &mut self,
        row: &RowIdentity<'_>,
        (settings, signature): (SignatureSettings, RecordView<'_>),
    ) -> Option<Rule> {
        let by_keys = self.rule_of_keys(row);
        let is_near = || self.lists.iter().any(|list| list.has_signed(settings, signature));
        by_keys.or_else(|| is_near().then_some(Rule::Near))
    }

    /// Returns the rule that names the URL, the host or an identifier of a row.
    fn rule_of_keys(&mut self, row: &RowIdentity<'_>) -> Option<Rule> {
        if let Some(url) = row.url {
            if self.lists.iter().any(|list| list.has_urls()) {
                let digest = url_digest(url, &mut self.buffer);
                if self.lists.iter().any(|list| list.has_url(digest)) {
                    return Some(Rule::Url);
                }
            }
            if self.lists.iter().any(|list| list.has_host(url)) {
                return Some(Rule::Host);
            }
        }
        let ids = [row.id, row.parent_id];
        let mut ids = ids.into_iter().flatten();
        ids.find_map(|id| self.lists.iter().find_map(|list| list.rule_of_id(id)))
    }

    fn is_near(&mut self, content: &str) -> bool {
        let Finder { lists, signers, text, signature, .. } = self;
        signers.iter_mut().any(|signer| {
            text.begin().push_str(content);
            signer.sign(text, None, signature);
            lists.iter().any(|list| list.has_text(signer.settings(), signature))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::withdrawals::tombstone::{Tombstone, WithdrawalStamp};

    const TEXT: &str = "The river rose in the night, and took the old stone bridge away.";

    #[test]
    fn rows_are_named_by_url_host_id_and_text() {
        let stamp = WithdrawalStamp { when: "w".to_owned(), reason: None };
        let (mut text, mut signature) = (Text::default(), Signature::default());
        text.begin().push_str(TEXT);
        let settings = SignatureSettings::default();
        Signer::new(settings).unwrap().sign(&mut text, None, &mut signature);
        let tombstones = [
            Tombstone::of_url("http://a.test/x", &stamp),
            Tombstone::of_host("b.test", &stamp).unwrap(),
            Tombstone::of_id("7", &stamp),
            Tombstone::of_near_id("8", &stamp),
            Tombstone::of_text(&signature, settings, &stamp),
        ];
        let keys = Withdrawals::new(&tombstones);
        assert_eq!(keys.digest(), Withdrawals::new(tombstones.iter().rev()).digest());
        let mut finder = Finder::new(vec![Arc::new(keys)]);
        let none = RowIdentity::default();
        for (row, expected) in [
            (RowIdentity { url: Some("HTTP://A.test:80/x#y"), ..none }, Some(Rule::Url)),
            (RowIdentity { url: Some("http://a.test/x/y"), ..none }, None),
            (RowIdentity { url: Some("https://www.b.test/"), ..none }, Some(Rule::Host)),
            (RowIdentity { url: Some("https://c.b.test/q"), ..none }, Some(Rule::Host)),
            (RowIdentity { url: Some("https://bb.test/q"), ..none }, None),
            (RowIdentity { id: Some("7"), ..none }, Some(Rule::Id)),
            (RowIdentity { id: Some("9"), parent_id: Some("7"), ..none }, Some(Rule::Id)),
            (RowIdentity { parent_id: Some("8"), ..none }, Some(Rule::NearId)),
            (RowIdentity { text: Some(&TEXT.to_uppercase()), ..none }, Some(Rule::Near)),
            (RowIdentity { text: Some("Another text of enough words to sign it."), ..none }, None),
            (none, None),
        ] {
            assert_eq!(finder.rule(&row), expected, "{row:?}");
        }
    }
}
