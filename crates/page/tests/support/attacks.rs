//! Pages that make careless parsers slow: the shapes of the generator of attacks, and some that aim at this crate.
//!
//! Each is a few parts, of which some are repeated as often as fit in a given size, so that twice the size is twice the work.

/// A piece of a page.
pub(crate) enum Part {
    Once(&'static str),
    /// So many times, whatever the size of the page.
    Times(usize, &'static str),
    /// Repeated.
    Many(&'static str),
    /// Repeated, with the number of the repetition.
    Numbered(fn(usize) -> String),
}

use Part::{Many, Numbered, Once, Times};

/// A shape of attack.
pub(crate) struct Attack {
    pub(crate) name: &'static str,
    parts: &'static [Part],
}

impl Attack {
    /// A page of about `bytes` bytes; with 0, what stands around the repeated parts.
    pub(crate) fn page(&self, bytes: usize) -> String {
        let unit = |part: &Part| match part {
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

/// Text that comes before or after the attack and must be found.
pub(crate) const GOOD_TEXT: &str = "The harbour town kept its lamps lit through the winter.";
/// Text that nobody sees.
pub(crate) const HIDDEN_TEXT: &str = "SECRETSCRIPT";

const START: Part =
    Once("<!DOCTYPE html><html><head><meta charset=utf-8><title>t</title></head><body>");
const GOOD: Part = Once("<p>The harbour town kept its lamps lit through the winter.</p>");

/// Names that fall into the same places of any table of up to 2^16 slots, for the hash that attributes use.
fn colliding_name(i: usize) -> String {
    use std::sync::OnceLock;
    static NAMES: OnceLock<Vec<String>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let place = |name: &str| {
            let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, b| {
                (hash ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3)
            });
            (hash ^ (hash >> 32)) & 0xffff
        };
        let wanted = place("class");
        (0..).map(|i| format!("c{i}")).filter(|name| place(name) == wanted).take(80).collect()
    });
    names.get(i).map_or_else(|| "class=c ".to_owned(), |name| format!("{name} "))
}

/// Bytes without order, as they come out of a decoder.
fn noise(i: usize) -> String {
    let byte = ((i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as u8;
    char::from(byte).to_string()
}

/// All shapes.
pub(crate) static ATTACKS: &[Attack] = &[
    Attack { name: "deep-div", parts: &[START, Many("<div>"), GOOD, Many("</div>")] },
    Attack { name: "deep-div-unclosed", parts: &[START, Many("<div>"), GOOD] },
    Attack { name: "deep-b", parts: &[START, Many("<b>"), GOOD] },
    Attack { name: "deep-a-nobr-mix", parts: &[START, Many("<a><b><i><p>"), GOOD] },
    Attack { name: "deep-hopeless-end", parts: &[START, Many("<div>"), Many("</b>"), GOOD] },
    Attack { name: "hopeless-end", parts: &[START, Times(500, "<div>"), Many("</b>"), GOOD] },
    Attack { name: "unclosed-p", parts: &[START, Numbered(|i| format!("<p>w{i} ")), GOOD] },
    Attack { name: "unclosed-p-div", parts: &[START, Many("<p><div>"), GOOD] },
    Attack { name: "stray-end", parts: &[START, Many("</div>"), GOOD] },
    Attack { name: "stray-end-p", parts: &[START, Many("</p>"), GOOD] },
    Attack {
        name: "stray-end-unknown",
        parts: &[START, Times(500, "<a-b>"), Many("</b-a>"), GOOD],
    },
    // Names that fall into one slot of the open elements.
    Attack {
        name: "stray-end-colliding",
        parts: &[START, Times(500, "<x-ao>"), Many("</x-cq>"), GOOD],
    },
    Attack {
        name: "stray-end-colliding-long",
        parts: &[
            START,
            Times(500, "<x-looooooooooooooooooooooooooooooooooooooooooooooooooooooooooooong-ao>"),
            Many("</x-looooooooooooooooooooooooooooooooooooooooooooooooooooooooooooong-cq>"),
            GOOD,
        ],
    },
    Attack {
        name: "million-attrs",
        parts: &[START, Once("<div "), Numbered(|i| format!("a{i}={i} ")), Once(">"), GOOD],
    },
    Attack { name: "dup-attrs", parts: &[START, Once("<div "), Many("class=c "), Once(">"), GOOD] },
    Attack {
        name: "dup-attrs-of-many",
        parts: &[
            START,
            Once("<div a b c d e f g h i j k l m n o p "),
            Many("class=c "),
            Once(">"),
            GOOD,
        ],
    },
    Attack {
        name: "colliding-attrs",
        parts: &[START, Once("<div "), Numbered(colliding_name), Once(">"), GOOD],
    },
    Attack {
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
    Attack {
        name: "huge-attr",
        parts: &[START, Once("<div data-x=\""), Many("y"), Once("\">"), GOOD],
    },
    Attack { name: "lt-flood", parts: &[Many("<")] },
    Attack { name: "lt-space", parts: &[Many("< ")] },
    Attack { name: "lt-a", parts: &[Many("<a")] },
    Attack { name: "lt-slash", parts: &[Many("</")] },
    Attack { name: "open-comment", parts: &[START, GOOD, Once("<!-- "), Many("<p>SECRETSCRIPT ")] },
    Attack { name: "many-comment-starts", parts: &[START, GOOD, Many("<!--")] },
    Attack { name: "many-dashes", parts: &[START, GOOD, Once("<!--"), Many("--!-")] },
    Attack { name: "many-comment-gt", parts: &[START, GOOD, Once("<!-- "), Many("->")] },
    Attack { name: "many-comments", parts: &[START, Many("<!---->"), GOOD] },
    Attack {
        name: "open-script",
        parts: &[START, GOOD, Once("<script>"), Many("var SECRETSCRIPT=\"</scrip\";\n")],
    },
    Attack {
        name: "script-escapes",
        parts: &[START, GOOD, Many("<script><!--<script>"), Once("SECRETSCRIPT")],
    },
    Attack {
        name: "script-escape-starts",
        parts: &[START, GOOD, Once("<script>"), Many("<!-- -->"), Once("SECRETSCRIPT")],
    },
    Attack { name: "many-open-script", parts: &[START, GOOD, Many("<script>")] },
    Attack { name: "many-scripts", parts: &[START, Many("<script>SECRETSCRIPT</script>"), GOOD] },
    Attack { name: "open-title", parts: &[Once("<!DOCTYPE html><title>"), Many("<p>title text ")] },
    Attack { name: "open-textarea", parts: &[START, GOOD, Once("<textarea>"), Many("<p>t ")] },
    Attack {
        name: "textarea-end-starts",
        parts: &[START, GOOD, Once("<textarea>"), Many("</textare")],
    },
    Attack {
        name: "open-attr",
        parts: &[START, GOOD, Once("<a href=\""), Many("<p>SECRETSCRIPT</p> ")],
    },
    Attack { name: "many-open-attr", parts: &[START, GOOD, Many("<a href=\"")] },
    Attack { name: "many-open-quotes", parts: &[START, GOOD, Many("<a b='\" c=\"'")] },
    Attack { name: "many-open-cdata", parts: &[START, GOOD, Once("<svg>"), Many("<![CDATA[")] },
    Attack { name: "many-html-cdata", parts: &[START, Many("<![CDATA[x]]>"), GOOD] },
    Attack { name: "many-bogus-comments", parts: &[START, GOOD, Many("<?")] },
    Attack { name: "amp-flood", parts: &[START, GOOD, Once("<p>"), Many("&")] },
    Attack { name: "ampamp", parts: &[START, GOOD, Once("<p>start &amp;"), Many("amp;")] },
    Attack {
        name: "unknown-entities",
        parts: &[START, GOOD, Once("<p>"), Numbered(|i| format!("&nosuchentity{i}; "))],
    },
    Attack { name: "entity-long", parts: &[START, GOOD, Once("<p>&"), Many("a")] },
    Attack { name: "entity-digits", parts: &[START, GOOD, Once("<p>&#"), Many("0")] },
    Attack {
        name: "entity-prefixes",
        parts: &[START, GOOD, Once("<p>"), Many("&notabcdefghijklmnopqrstuvwxyzabcdefghij")],
    },
    Attack {
        name: "numeric-entities",
        parts: &[
            START,
            GOOD,
            Once("<p>"),
            Many("&#xD800;&#0;&#x110000;&#99999999999999999999;&#xDFFF; word "),
        ],
    },
    Attack {
        name: "entity-expand",
        parts: &[
            START,
            GOOD,
            Once("<p>"),
            Many("&CounterClockwiseContourIntegral;&NotEqualTilde; "),
        ],
    },
    Attack {
        name: "nul-bytes",
        parts: &[START, Once("<p>a\0b</p>"), Many("\0"), GOOD, Once("<di\0v>x</di\0v>")],
    },
    Attack { name: "replaced-bytes", parts: &[START, Once("<p>"), Many("\u{fffd}w "), GOOD] },
    Attack { name: "noise", parts: &[GOOD, Numbered(noise)] },
    Attack { name: "one-text", parts: &[START, GOOD, Once("<p>"), Many("x"), Once("</p>")] },
    Attack {
        name: "one-text-words",
        parts: &[START, GOOD, Once("<p>"), Many("word "), Once("</p>")],
    },
    Attack { name: "only-white", parts: &[START, Many("\u{3000}\n"), GOOD] },
    Attack { name: "million-blocks", parts: &[START, Many("<div>a</div>"), GOOD] },
    Attack {
        name: "million-links",
        parts: &[START, Numbered(|i| format!("<a href=/{i}>l{i}</a>")), GOOD],
    },
    Attack { name: "table-foster", parts: &[START, GOOD, Once("<table>"), Many("<tr>x<td>")] },
    Attack { name: "nested-tables", parts: &[START, Many("<table><tr><td>"), GOOD] },
    Attack {
        name: "nested-select-option",
        parts: &[START, GOOD, Once("<select>"), Many("<option>x")],
    },
    Attack { name: "nested-svg-math", parts: &[START, GOOD, Many("<svg><desc><math><mi>")] },
    Attack { name: "nested-svg-ended", parts: &[START, Many("<svg><g><p>"), GOOD] },
    Attack { name: "nested-template", parts: &[START, Many("<template>"), GOOD] },
    Attack { name: "nested-list", parts: &[START, Many("<ul><li>"), GOOD] },
    Attack { name: "utf16-as-utf8", parts: &[GOOD, Many("<\0p\0>\0x\0 \0<\0/\0p\0>\0")] },
    Attack {
        name: "iso2022-escape-flood",
        parts: &[START, GOOD, Once("<p>"), Many("\x1b$B$\"\x1b(B")],
    },
    Attack {
        name: "control-bidi",
        parts: &[
            START,
            GOOD,
            Many(
                "\u{202e}\u{2066}\u{200b}\u{feff}\u{fffe}\u{ffff}\u{10ffff}\x01\x0b\x7f\u{80}\"\\ \u{2028} w ",
            ),
        ],
    },
    Attack { name: "quote-backslash", parts: &[START, GOOD, Once("<p>"), Many("\"\\")] },
    Attack { name: "many-html-tags", parts: &[START, Many("<html a=b><body c=d>"), GOOD] },
    Attack { name: "many-titles", parts: &[START, Many("<title>x</title>"), GOOD] },
];
