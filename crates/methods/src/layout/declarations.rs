//! The declarations of one rule or one `style` attribute.

use super::length::Length;
use super::trim::trim_fast;
use memchr::memchr_iter;

/// The declarations of one rule, or of several rules merged.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Declarations {
    /// The declared properties, as bits. A declared property without a readable value has no value,
    /// but still overrides weaker declarations.
    declared: u8,
    pub(super) width: Option<Length>,
    pub(super) height: Option<Length>,
    pub(super) margin_top: Option<Length>,
    pub(super) margin_bottom: Option<Length>,
    pub(super) font_size: Option<Length>,
    pub(super) float: Option<FloatSide>,
    pub(super) hidden: bool,
    /// The number of the background colour, computed by [`color`]; 0 if unknown.
    pub(super) background: u32,
}

/// The side to which a block floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FloatSide {
    Left,
    Right,
}

const WIDTH: u8 = 1;
const HEIGHT: u8 = 1 << 1;
const MARGIN_TOP: u8 = 1 << 2;
const MARGIN_BOTTOM: u8 = 1 << 3;
const FONT_SIZE: u8 = 1 << 4;
const FLOAT: u8 = 1 << 5;
const DISPLAY: u8 = 1 << 6;
const BACKGROUND: u8 = 1 << 7;

/// Returns whether the layout may use a property, judged by its length and first letter. This rules
/// out nearly all others.
fn may_count(property: &str) -> bool {
    let first_byte = property.bytes().next().map(|b| b.to_ascii_lowercase());
    matches!(
        (property.len(), first_byte),
        (5, Some(b'w' | b'f'))
            | (6, Some(b'h'))
            | (7, Some(b'd'))
            | (9, Some(b'f'))
            | (10 | 13, Some(b'm'))
            | (10 | 16, Some(b'b'))
    )
}

/// Returns the property and the value of a declaration, if the layout may use the property. The
/// first letter rules out most declarations without reading the rest.
fn property_that_counts(declaration: &str) -> Option<(&str, &str)> {
    let bytes = declaration.as_bytes();
    let white = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_whitespace()).count();
    let start = white(0);
    let letters = |b: &&u8| b.is_ascii_alphabetic() || **b == b'-';
    let end = match bytes.get(start)? {
        b'b' | b'd' | b'f' | b'h' | b'm' | b'w' | b'B' | b'D' | b'F' | b'H' | b'M' | b'W' => {
            start + bytes[start..].iter().take_while(letters).count()
        }
        _ => start,
    };
    let colon = end + white(end);
    match bytes.get(colon)? {
        b':' => {
            let property = &declaration[start..end];
            may_count(property).then(|| (property, &declaration[colon + 1..]))
        }
        // White space beyond ASCII may precede the colon.
        0x0B | 0x80.. => {
            let (property, value) = declaration.split_once(':')?;
            may_count(property.trim()).then(|| (property.trim(), value))
        }
        _ => None,
    }
}

impl Declarations {
    /// No declarations.
    pub(super) const NONE: Declarations = Declarations {
        declared: 0,
        width: None,
        height: None,
        margin_top: None,
        margin_bottom: None,
        font_size: None,
        float: None,
        hidden: false,
        background: 0,
    };

    /// Adds the declarations in `text`, which are separated by `;`. Later ones win.
    pub(super) fn read(&mut self, text: &str) {
        let mut start = 0;
        for end in memchr_iter(b';', text.as_bytes()).chain([text.len()]) {
            let declaration = &text[start..end];
            start = end + 1;
            if let Some((property, value)) = property_that_counts(declaration) {
                self.declare(property, value);
            }
        }
    }

    fn declare(&mut self, property: &str, value: &str) {
        let value = trim_fast(value);
        let value = match value.split_once('!') {
            Some((value, important)) if important.trim().eq_ignore_ascii_case("important") => {
                value.trim_end()
            }
            _ => value,
        };
        let is = |name: &str| property.eq_ignore_ascii_case(name);
        self.declared |= match property.len() {
            5 if is("width") => {
                self.width = Length::parse_size(value);
                WIDTH
            }
            5 if is("float") => {
                self.float = match value {
                    _ if value.eq_ignore_ascii_case("left") => Some(FloatSide::Left),
                    _ if value.eq_ignore_ascii_case("right") => Some(FloatSide::Right),
                    _ => None,
                };
                FLOAT
            }
            6 if is("height") => {
                self.height = Length::parse_size(value);
                HEIGHT
            }
            7 if is("display") => {
                self.hidden = value.eq_ignore_ascii_case("none");
                DISPLAY
            }
            9 if is("font-size") => {
                self.font_size = Length::parse_size(value);
                FONT_SIZE
            }
            10 if is("margin-top") => {
                self.margin_top = Length::parse(value);
                MARGIN_TOP
            }
            10 if is("background") => match color_in(value) {
                Some(name) => {
                    self.background = color(name);
                    BACKGROUND
                }
                None => 0,
            },
            13 if is("margin-bottom") => {
                self.margin_bottom = Length::parse(value);
                MARGIN_BOTTOM
            }
            16 if is("background-color") => {
                self.background = color(value);
                BACKGROUND
            }
            _ => 0,
        };
    }

    /// Returns whether there are no declarations.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.declared == 0
    }

    /// Returns whether the element declares neither a size nor a margin.
    #[inline]
    pub(super) fn is_plain(&self) -> bool {
        self.declared & (WIDTH | HEIGHT | MARGIN_TOP | MARGIN_BOTTOM) == 0
    }

    /// Applies stronger declarations on top of these.
    pub(super) fn overlay(&mut self, stronger: &Declarations) {
        let has = |property: u8| stronger.declared & property != 0;
        if has(WIDTH) {
            self.width = stronger.width;
        }
        if has(HEIGHT) {
            self.height = stronger.height;
        }
        if has(MARGIN_TOP) {
            self.margin_top = stronger.margin_top;
        }
        if has(MARGIN_BOTTOM) {
            self.margin_bottom = stronger.margin_bottom;
        }
        if has(FONT_SIZE) {
            self.font_size = stronger.font_size;
        }
        if has(FLOAT) {
            self.float = stronger.float;
        }
        if has(DISPLAY) {
            self.hidden = stronger.hidden;
        }
        if has(BACKGROUND) {
            self.background = stronger.background;
        }
        self.declared |= stronger.declared;
    }

    /// Applies the `bgcolor` attribute, the weakest declaration.
    pub(super) fn weak_background(&mut self, value: &str) {
        if self.declared & BACKGROUND == 0 {
            self.background = color(value);
            self.declared |= BACKGROUND;
        }
    }

    /// Applies the `width` attribute, the weakest declaration.
    pub(super) fn weak_width(&mut self, value: &str) {
        if self.declared & WIDTH == 0 {
            self.width = Length::parse_size(value);
            self.declared |= WIDTH;
        }
    }

    /// Applies the `height` attribute, the weakest declaration.
    pub(super) fn weak_height(&mut self, value: &str) {
        if self.declared & HEIGHT == 0 {
            self.height = Length::parse_size(value);
            self.declared |= HEIGHT;
        }
    }
}

/// Returns a number for a colour as written, ignoring case; 0 for an empty text. Two spellings of
/// one colour give two numbers.
fn color(text: &str) -> u32 {
    let text = text.trim();
    if text.is_empty() {
        return 0;
    }
    let hash = huller_page::fnv::hash_lowercase(text.as_bytes());
    ((hash >> 32) as u32 ^ hash as u32).max(1)
}

/// Returns the first colour in the value of `background`: `#` with 3 to 8 digits, `rgb()`,
/// `rgba()`, or one of the eight common names.
fn color_in(value: &str) -> Option<&str> {
    const NAMES: [&str; 8] = ["white", "black", "red", "green", "blue", "gray", "silver", "yellow"];
    let bytes = value.as_bytes();
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || !b.is_ascii();
    let mut offset = 0;
    while offset < bytes.len() {
        let remaining = &bytes[offset..];
        if remaining[0] == b'#' {
            let digits =
                remaining[1..].iter().take(8).take_while(|b| b.is_ascii_hexdigit()).count();
            if digits >= 3 {
                return Some(&value[offset..=offset + digits]);
            }
            offset += 1;
        } else if is_word(remaining[0]) {
            let len = remaining.iter().take_while(|b| is_word(**b)).count();
            let word = &value[offset..offset + len];
            if NAMES.iter().any(|name| word.eq_ignore_ascii_case(name)) {
                return Some(word);
            }
            let is_function = remaining.get(len) == Some(&b'(')
                && (word.eq_ignore_ascii_case("rgb") || word.eq_ignore_ascii_case("rgba"));
            if is_function {
                // Without `)` the rest of the value has no colour.
                let end = value[offset..].find(')')?;
                return Some(&value[offset..=offset + end]);
            }
            offset += len;
        } else {
            offset += 1;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Declarations {
        let mut declarations = Declarations::NONE;
        declarations.read(text);
        declarations
    }

    #[test]
    fn the_last_declaration_wins_and_an_unreadable_one_hides_those_before() {
        let read = of("WIDTH: 10px; width:20px !important; float: LEFT;display:none;color:red");
        assert_eq!(read.width, Some(Length::Pixels(20.0)));
        assert_eq!((read.float, read.hidden), (Some(FloatSide::Left), true));
        assert_eq!(of("width:10px;width:auto").width, None);
        let mut read = of("width:10px;height:5px");
        read.overlay(&of("width:auto"));
        read.weak_width("30");
        assert_eq!((read.width, read.height), (None, Some(Length::Pixels(5.0))));
        assert!(of("color:red;border:0").is_empty());
    }

    #[test]
    fn used_properties_are_found_among_others() {
        let width = |text: &str| of(text).width.is_some();
        for text in [
            "width:1px",
            " \n Width : 1px",
            "\u{a0}width\u{3000}:1px",
            "\u{b}width:1px",
            "color;;width:1px;x",
        ] {
            assert!(width(text), "{text:?}");
        }
        for text in [
            "widths:1px",
            "max-width:1px",
            "-width:1px",
            "wid th:1px",
            "width",
            "width\u{e9}:1px",
            "*width:1px",
            "a:b:width:1px",
        ] {
            assert!(of(text).is_empty(), "{text:?}");
        }
        assert!(!of("background-color:red").is_empty() && !of("MARGIN-BOTTOM:1px").is_empty());
    }

    #[test]
    fn colours_are_found_in_backgrounds() {
        for (value, found) in [
            ("url(a.png) #FFF no-repeat", Some("#FFF")),
            ("url(#a) RGBA(1, 2, 3, 0) x", Some("RGBA(1, 2, 3, 0)")),
            ("no-repeat White", Some("White")),
            ("url(red.png)", Some("red")),
            ("url(redder.png)", None),
            ("rgb(1,2", None),
            ("中文 #ab", None),
            ("none", None),
        ] {
            assert_eq!(color_in(value), found, "{value}");
        }
        assert_eq!(of("background:#FFF").background, of("background-color: #fff ").background);
        assert_ne!(of("background:#FFF").background, of("background:#000").background);
        assert_eq!(of("background-color:").background, 0);
    }
}
