//! How text is written.

use crate::profile::Profile;

/// How text is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextStyle {
    /// By specification 0.5: white space becomes one space; the start and the end of a block
    /// element, and a `br`, become one newline; zero-width and control characters are left out.
    #[default]
    Specification,
    /// With the form that carries meaning: lines of preformatted text, rows of tables, formulas,
    /// and what else this names. See `docs/text.md`.
    Formed(TextForm),
}

/// What a formed text has besides its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextForm {
    /// Items of ordered lists have their numbers, and lists in lists are indented.
    pub lists: bool,
    /// Empty lines part stanzas, and stand in preformatted text.
    pub empty_lines: bool,
    /// Superscripts and subscripts are marked: `10<sup>15</sup>` is `10¹⁵`, not `1015`.
    pub scripts: bool,
}

impl TextForm {
    /// What ships.
    pub const WHOLE: TextForm = TextForm { lists: true, empty_lines: true, scripts: true };

    /// Lines and words alone.
    pub const BARE: TextForm = TextForm { lists: false, empty_lines: false, scripts: false };
}

impl TextStyle {
    /// What ships.
    pub const FORMED: TextStyle = TextStyle::Formed(TextForm::WHOLE);

    /// The style of a profile: the papers' methods are compared by the specification's text.
    pub fn of(profile: Profile) -> TextStyle {
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
