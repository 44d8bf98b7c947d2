//! The styles of text.

use crate::profile::Profile;

/// A style of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextStyle {
    /// By specification 0.5. White space becomes one space. The start and the end of a block
    /// element, and a `br`, become one newline. Zero-width and control characters are left out.
    #[default]
    Specification,
    /// With the form that carries meaning: lines of preformatted text, rows of tables, formulas,
    /// and the parts in this value. See `docs/text.md`.
    Formed(TextForm),
}

/// The parts of a formed text besides its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextForm {
    /// Items of ordered lists have their numbers, and nested lists are indented.
    pub lists: bool,
    /// Empty lines separate stanzas, and stay in preformatted text.
    pub empty_lines: bool,
    /// Superscripts and subscripts are marked: `10<sup>15</sup>` is `10¹⁵`, not `1015`.
    pub scripts: bool,
}

impl TextForm {
    /// The form that ships.
    pub const WHOLE: TextForm = TextForm { lists: true, empty_lines: true, scripts: true };

    /// Only lines and words.
    pub const BARE: TextForm = TextForm { lists: false, empty_lines: false, scripts: false };
}

impl TextStyle {
    /// The style that ships.
    pub const FORMED: TextStyle = TextStyle::Formed(TextForm::WHOLE);

    /// Returns the style of a profile. The extractors of the papers are compared by the
    /// specification's text.
    pub fn for_profile(profile: Profile) -> TextStyle {
        match profile {
            Profile::Paper => TextStyle::Specification,
            Profile::Tuned => TextStyle::FORMED,
        }
    }

    pub(super) fn form(self) -> TextForm {
        match self {
            TextStyle::Specification => TextForm::BARE,
            TextStyle::Formed(form) => form,
        }
    }
}
