//! Pages of any size that make careless parsers slow, to measure how work grows with size.
//!
//! Most shapes are the HTML attacks in another form; some aim at the tree builder of `huller-page`.
//! Each shape is a list of parts, some of which are repeated to fill the wanted size. Twice the
//! size is therefore twice the work.

/// A part of a page.
#[derive(Debug)]
enum PagePart {
    /// Text that occurs once.
    Once(&'static str),
    /// Text repeated this number of times, whatever the size of the page.
    Times(usize, &'static str),
    /// Text repeated to fill the page.
    Many(&'static str),
    /// Numbered text repeated to fill the page.
    Numbered(fn(usize) -> String),
}

use PagePart::{Many, Numbered, Once, Times};

/// A shape of attack, from which pages of any size are made.
#[derive(Debug)]
pub struct AttackShape {
    /// The name of the shape.
    pub name: &'static str,
    parts: &'static [PagePart],
}

impl AttackShape {
    /// Returns a page of about `bytes` bytes. With 0, the page has only the parts that are not
    /// repeated.
    pub fn page(&self, bytes: usize) -> String {
        let unit = |part: &PagePart| match part {
            Once(_) | Times(..) => 0,
            Many(text) => text.len(),
            Numbered(text) => text(10_000).len(),
        };
        let n = bytes / self.parts.iter().map(unit).sum::<usize>();
        let mut page = String::with_capacity(bytes + 4_096);
        for part in self.parts {
            match part {
                Once(text) => page.push_str(text),
                Times(n, text) => (0..*n).for_each(|_| page.push_str(text)),
                Many(text) => (0..n).for_each(|_| page.push_str(text)),
                Numbered(text) => (0..n).for_each(|i| page.push_str(&text(i))),
            }
        }
        page
    }
}

/// Text before or after the attack that must be extracted.
pub const GOOD_TEXT: &str = "The harbour town kept its lamps lit through the winter.";
/// Text of scripts, comments and attributes that must not be extracted.
pub const HIDDEN_TEXT: &str = "SECRETSCRIPT";

const START: PagePart =
    Once("<!DOCTYPE html><html><head><meta charset=utf-8><title>t</title></head><body>");
const GOOD: PagePart = Once("<p>The harbour town kept its lamps lit through the winter.</p>");

/// Returns a name that falls into the same slot of any table of up to 2^16 slots, for the hash of
/// attribute names.
fn colliding_name(i: usize) -> String {
    use std::sync::OnceLock;
    static NAMES: OnceLock<Vec<String>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let slot = |name: &str| {
            let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, b| {
                (hash ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3)
            });
            (hash ^ (hash >> 32)) & 0xffff
        };
        let wanted_slot = slot("class");
        (0..).map(|i| format!("c{i}")).filter(|name| slot(name) == wanted_slot).take(80).collect()
    });
    names.get(i).map_or_else(|| "class=c ".to_owned(), |name| format!("{name} "))
}

/// Returns a pseudo-random character below U+0100, as a decoder of Latin-1 may return.
fn noise(i: usize) -> String {
    let byte = ((i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as u8;
    char::from(byte).to_string()
}

/// All shapes.
pub static SHAPES: &[AttackShape] = &[
    AttackShape { name: "deep-div", parts: &[START, Many("<div>"), GOOD, Many("</div>")] },
    AttackShape { name: "deep-div-unclosed", parts: &[START, Many("<div>"), GOOD] },
    AttackShape { name: "deep-b", parts: &[START, Many("<b>"), GOOD] },
    AttackShape { name: "deep-a-nobr-mix", parts: &[START, Many("<a><b><i><p>"), GOOD] },
    AttackShape { name: "deep-hopeless-end", parts: &[START, Many("<div>"), Many("</b>"), GOOD] },
    AttackShape { name: "hopeless-end", parts: &[START, Times(500, "<div>"), Many("</b>"), GOOD] },
    AttackShape { name: "unclosed-p", parts: &[START, Numbered(|i| format!("<p>w{i} ")), GOOD] },
    AttackShape { name: "unclosed-p-div", parts: &[START, Many("<p><div>"), GOOD] },
    AttackShape { name: "stray-end", parts: &[START, Many("</div>"), GOOD] },
    AttackShape { name: "stray-end-p", parts: &[START, Many("</p>"), GOOD] },
    AttackShape {
        name: "stray-end-unknown",
        parts: &[START, Times(500, "<a-b>"), Many("</b-a>"), GOOD],
    },
    // Names that fall into one slot of the open elements.
    AttackShape {
        name: "stray-end-colliding",
        parts: &[START, Times(500, "<x-ao>"), Many("</x-cq>"), GOOD],
    },
    AttackShape {
        name: "stray-end-colliding-long",
        parts: &[
            START,
            Times(500, "<x-looooooooooooooooooooooooooooooooooooooooooooooooooooooooooooong-ao>"),
            Many("</x-looooooooooooooooooooooooooooooooooooooooooooooooooooooooooooong-cq>"),
            GOOD,
        ],
    },
    AttackShape {
        name: "million-attrs",
        parts: &[START, Once("<div "), Numbered(|i| format!("a{i}={i} ")), Once(">"), GOOD],
    },
    AttackShape {
        name: "dup-attrs",
        parts: &[START, Once("<div "), Many("class=c "), Once(">"), GOOD],
    },
    AttackShape {
        name: "dup-attrs-of-many",
        parts: &[
            START,
            Once("<div a b c d e f g h i j k l m n o p "),
            Many("class=c "),
            Once(">"),
            GOOD,
        ],
    },
    AttackShape {
        name: "colliding-attrs",
        parts: &[START, Once("<div "), Numbered(colliding_name), Once(">"), GOOD],
    },
    AttackShape {
        name: "many-attrs-then-some",
        parts: &[
            START,
            Once("<div "),
            Numbered(|i| format!("a{i} ")),
            Once(">"),
            Many("<b a b c d e f g h i j k l m n o p q>"),
            GOOD,
        ],
    },
    AttackShape {
        name: "huge-attr",
        parts: &[START, Once("<div data-x=\""), Many("y"), Once("\">"), GOOD],
    },
    AttackShape { name: "lt-flood", parts: &[Many("<")] },
    AttackShape { name: "lt-space", parts: &[Many("< ")] },
    AttackShape { name: "lt-a", parts: &[Many("<a")] },
    AttackShape { name: "lt-slash", parts: &[Many("</")] },
    AttackShape {
        name: "open-comment",
        parts: &[START, GOOD, Once("<!-- "), Many("<p>SECRETSCRIPT ")],
    },
    AttackShape { name: "many-comment-starts", parts: &[START, GOOD, Many("<!--")] },
    AttackShape { name: "many-dashes", parts: &[START, GOOD, Once("<!--"), Many("--!-")] },
    AttackShape { name: "many-comment-gt", parts: &[START, GOOD, Once("<!-- "), Many("->")] },
    AttackShape { name: "many-comments", parts: &[START, Many("<!---->"), GOOD] },
    AttackShape {
        name: "open-script",
        parts: &[START, GOOD, Once("<script>"), Many("var SECRETSCRIPT=\"</scrip\";\n")],
    },
    AttackShape {
        name: "script-escapes",
        parts: &[START, GOOD, Many("<script><!--<script>"), Once("SECRETSCRIPT")],
    },
    AttackShape {
        name: "script-escape-starts",
        parts: &[START, GOOD, Once("<script>"), Many("<!-- -->"), Once("SECRETSCRIPT")],
    },
    AttackShape { name: "many-open-script", parts: &[START, GOOD, Many("<script>")] },
    AttackShape {
        name: "many-scripts",
        parts: &[START, Many("<script>SECRETSCRIPT</script>"), GOOD],
    },
    AttackShape {
        name: "open-title",
        parts: &[Once("<!DOCTYPE html><title>"), Many("<p>title text ")],
    },
    AttackShape { name: "open-textarea", parts: &[START, GOOD, Once("<textarea>"), Many("<p>t ")] },
    AttackShape {
        name: "textarea-end-starts",
        parts: &[START, GOOD, Once("<textarea>"), Many("</textare")],
    },
    AttackShape {
        name: "open-attr",
        parts: &[START, GOOD, Once("<a href=\""), Many("<p>SECRETSCRIPT</p> ")],
    },
    AttackShape { name: "many-open-attr", parts: &[START, GOOD, Many("<a href=\"")] },
    AttackShape { name: "many-open-quotes", parts: &[START, GOOD, Many("<a b='\" c=\"'")] },
    AttackShape {
        name: "many-open-cdata",
        parts: &[START, GOOD, Once("<svg>"), Many("<![CDATA[")],
    },
    AttackShape { name: "many-html-cdata", parts: &[START, Many("<![CDATA[x]]>"), GOOD] },
    AttackShape { name: "many-bogus-comments", parts: &[START, GOOD, Many("<?")] },
    AttackShape { name: "amp-flood", parts: &[START, GOOD, Once("<p>"), Many("&")] },
    AttackShape { name: "ampamp", parts: &[START, GOOD, Once("<p>start &amp;"), Many("amp;")] },
    AttackShape {
        name: "unknown-entities",
        parts: &[START, GOOD, Once("<p>"), Numbered(|i| format!("&nosuchentity{i}; "))],
    },
    AttackShape { name: "entity-long", parts: &[START, GOOD, Once("<p>&"), Many("a")] },
    AttackShape { name: "entity-digits", parts: &[START, GOOD, Once("<p>&#"), Many("0")] },
    AttackShape {
        name: "entity-prefixes",
        parts: &[START, GOOD, Once("<p>"), Many("&notabcdefghijklmnopqrstuvwxyzabcdefghij")],
    },
    AttackShape {
        name: "numeric-entities",
        parts: &[
            START,
            GOOD,
            Once("<p>"),
            Many("&#xD800;&#0;&#x110000;&#99999999999999999999;&#xDFFF; word "),
        ],
    },
    AttackShape {
        name: "entity-expand",
        parts: &[
            START,
            GOOD,
            Once("<p>"),
            Many("&CounterClockwiseContourIntegral;&NotEqualTilde; "),
        ],
    },
    AttackShape {
        name: "nul-bytes",
        parts: &[START, Once("<p>a\0b</p>"), Many("\0"), GOOD, Once("<di\0v>x</di\0v>")],
    },
    AttackShape { name: "replaced-bytes", parts: &[START, Once("<p>"), Many("\u{fffd}w "), GOOD] },
    AttackShape { name: "noise", parts: &[GOOD, Numbered(noise)] },
    AttackShape { name: "one-text", parts: &[START, GOOD, Once("<p>"), Many("x"), Once("</p>")] },
    AttackShape {
        name: "one-text-words",
        parts: &[START, GOOD, Once("<p>"), Many("word "), Once("</p>")],
    },
    AttackShape { name: "only-white", parts: &[START, Many("\u{3000}\n"), GOOD] },
    AttackShape { name: "million-blocks", parts: &[START, Many("<div>a</div>"), GOOD] },
    AttackShape {
        name: "million-links",
        parts: &[START, Numbered(|i| format!("<a href=/{i}>l{i}</a>")), GOOD],
    },
    AttackShape { name: "table-foster", parts: &[START, GOOD, Once("<table>"), Many("<tr>x<td>")] },
    AttackShape { name: "nested-tables", parts: &[START, Many("<table><tr><td>"), GOOD] },
    AttackShape {
        name: "nested-select-option",
        parts: &[START, GOOD, Once("<select>"), Many("<option>x")],
    },
    AttackShape { name: "nested-svg-math", parts: &[START, GOOD, Many("<svg><desc><math><mi>")] },
    AttackShape { name: "nested-svg-ended", parts: &[START, Many("<svg><g><p>"), GOOD] },
    AttackShape { name: "nested-template", parts: &[START, Many("<template>"), GOOD] },
    AttackShape { name: "nested-list", parts: &[START, Many("<ul><li>"), GOOD] },
    AttackShape { name: "utf16-as-utf8", parts: &[GOOD, Many("<\0p\0>\0x\0 \0<\0/\0p\0>\0")] },
    AttackShape {
        name: "iso2022-escape-flood",
        parts: &[START, GOOD, Once("<p>"), Many("\x1b$B$\"\x1b(B")],
    },
    AttackShape {
        name: "control-bidi",
        parts: &[
            START,
            GOOD,
            Many(
                "\u{202e}\u{2066}\u{200b}\u{feff}\u{fffe}\u{ffff}\u{10ffff}\x01\x0b\x7f\u{80}\"\\ \u{2028} w ",
            ),
        ],
    },
    AttackShape { name: "quote-backslash", parts: &[START, GOOD, Once("<p>"), Many("\"\\")] },
    AttackShape { name: "many-html-tags", parts: &[START, Many("<html a=b><body c=d>"), GOOD] },
    AttackShape { name: "many-titles", parts: &[START, Many("<title>x</title>"), GOOD] },
];
