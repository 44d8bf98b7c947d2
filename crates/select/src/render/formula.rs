//! Finds formulas, as TeX if the page has it.
//!
//! A page may hold a formula several times: as TeX to copy, as MathML for screen readers, as glyphs
//! or a picture for the eye. TeX, if found, replaces all of these. Sources of TeX are `annotation`
//! in `math` and its `alttext` (MediaWiki, KaTeX, LaTeXML, MathJax 3), and scripts of type
//! `math/tex` (MathJax 2). Others are the `alt` texts of images that renderers of wikis and blogs
//! make.

use super::mathml;
use super::render_kind::RenderKind;
use huller_page::entity::{self, Context};
use huller_page::{AttributeName, Attributes, Node, Page, Tag};

/// The formula of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Formula {
    /// A formula whose TeX is in the buffer of the caller.
    Tex { is_display: bool },
    /// A formula without TeX, written into the buffer of the caller as one types it. The buffer is
    /// empty if the formula has no visible scalar.
    Linear { is_display: bool },
    /// A copy of a formula whose TeX is in an element beside it.
    Copy,
}

/// Number of elements that are searched for an annotation, which is near the end of MathML. The
/// bound keeps a page of nested formulas from being searched again and again.
const MAX_SEARCHED_ELEMENTS: usize = 2_000;
/// Number of elements that are searched in an element other than `math` that a renderer may have
/// made.
const MAX_SEARCHED_IN_OTHERS: usize = 64;
/// Largest number of elements between a picture of a formula and the script with its TeX.
const MAX_SIBLINGS_BETWEEN: usize = 3;

/// Looks for a formula at an element, and writes its TeX into `tex`. This is one line, with
/// references decoded and without commands that only set its size. `None` if the element is not a
/// formula, or if an element inside holds the formula.
pub(super) fn find_formula(
    page: &Page<'_>,
    index: u32,
    node: &Node,
    kind: RenderKind,
    tex: &mut String,
) -> Option<Formula> {
    let class = || page.attribute(node, AttributeName::Class).unwrap_or_default();
    match kind {
        RenderKind::Math => {
            let has_tex = find_annotation(page, index, node, MAX_SEARCHED_ELEMENTS, tex)
                || read_alttext(page, node, tex);
            let is_display = is_display(page, node);
            if has_tex {
                return Some(Formula::Tex { is_display });
            }
            tex.clear();
            mathml::write(page, index, tex);
            Some(Formula::Linear { is_display })
        }
        RenderKind::Script => {
            let media_type = page.attribute(node, AttributeName::Type)?;
            if !media_type.starts_with("math/tex") {
                return None;
            }
            let source = page.node_source(node);
            let content = source.split_once('>')?.1;
            let content = content.rfind("</").map_or(content, |end| &content[..end]);
            tex.clear();
            push(content, tex);
            is_some(tex).then_some(Formula::Tex { is_display: media_type.contains("display") })
        }
        RenderKind::Image => {
            let is_formula = class().split_ascii_whitespace().any(|word| {
                matches!(
                    word,
                    "tex" | "latex" | "ql-img-inline-formula" | "ql-img-displayed-equation"
                ) || word.starts_with("mwe-math")
            });
            if !is_formula {
                return None;
            }
            if is_fallback(page, index, node, tex) {
                return Some(Formula::Copy);
            }
            tex.clear();
            push_decoded(unkept_attribute(page, node, "alt")?, tex);
            is_some(tex).then_some(Formula::Tex { is_display: class().contains("display") })
        }
        RenderKind::Inline if is_prefixed(page, node) => {
            find_formula(page, index, node, RenderKind::Math, tex)
        }
        RenderKind::Inline if matches!(node.tag, Tag::SPAN | Tag::UNKNOWN) => {
            let class = class();
            if class.starts_with("katex") || class.starts_with("mwe-math-element") {
                let has_tex = find_annotation(page, index, node, MAX_SEARCHED_IN_OTHERS, tex);
                has_tex.then_some(Formula::Tex { is_display: class.contains("display") })
            } else if class.starts_with("MathJax") {
                has_script_after(page, node).then_some(Formula::Copy)
            } else {
                None
            }
        }
        _ => None,
    }
}

/// Returns whether an element is the `math` of a name space with a prefix: `mml:math`.
fn is_prefixed(page: &Page<'_>, node: &Node) -> bool {
    node.tag == Tag::UNKNOWN && {
        let source = page.html().as_bytes().get(node.byte_start as usize..).unwrap_or_default();
        let is_prefixed = |prefix: &[u8]| {
            source.get(..prefix.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(prefix))
        };
        (is_prefixed(b"<mml:math") || is_prefixed(b"<m:math"))
            && mathml::local_name(page, node).eq_ignore_ascii_case("math")
    }
}

/// Returns whether a formula has a line of its own.
fn is_display(page: &Page<'_>, node: &Node) -> bool {
    let is = |name, wanted: &str| {
        unkept_attribute(page, node, name)
            .is_some_and(|value| value.trim().eq_ignore_ascii_case(wanted))
    };
    is("display", "block") || is("mode", "display")
}

/// Returns whether the encoding of an annotation is TeX: `application/x-tex`, `TeX`, `LaTeX`.
fn is_tex(encoding: &str) -> bool {
    let name = encoding.split(';').next().unwrap_or_default().trim();
    let name = name.rsplit_once('/').map_or(name, |(_, name)| name);
    let name = name.strip_prefix("x-").or_else(|| name.strip_prefix("X-")).unwrap_or(name);
    ["tex", "latex", "amstex", "mathtex"].iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Finds the TeX annotation among the elements of a formula.
fn find_annotation(
    page: &Page<'_>,
    index: u32,
    node: &Node,
    searched: usize,
    tex: &mut String,
) -> bool {
    let inner_nodes = &page.nodes()[index as usize + 1..node.end as usize];
    // MathML of a long formula has hundreds of elements before its annotation, so the search begins
    // at the end.
    let annotation_node = inner_nodes.iter().rev().take(searched).find(|inner| {
        inner.tag == Tag::UNKNOWN
            && mathml::local_name(page, inner).eq_ignore_ascii_case("annotation")
            && unkept_attribute(page, inner, "encoding").is_some_and(is_tex)
    });
    let Some(annotation_node) = annotation_node else { return false };
    tex.clear();
    for run in &page.runs()[annotation_node.runs()] {
        push_decoded(page.run_source(run), tex);
    }
    is_some(tex)
}

fn read_alttext(page: &Page<'_>, node: &Node, tex: &mut String) -> bool {
    let Some(text) = unkept_attribute(page, node, "alttext") else { return false };
    tex.clear();
    push_decoded(text, tex);
    is_some(tex)
}

/// Returns whether a picture is beside the MathML of its formula, as in MediaWiki: both in an
/// element of their own, the formula first. An inline pair is found as a whole. A display pair is
/// in a block, so the walk meets both.
fn is_fallback(page: &Page<'_>, index: u32, image: &Node, tex: &mut String) -> bool {
    let nodes = page.nodes();
    let parent = &nodes[image.parent as usize];
    let class = page.attribute(parent, AttributeName::Class).unwrap_or_default();
    // Each formula has one picture, so a formula is not searched again and again.
    let first_sibling = image.parent + 1;
    if !class.starts_with("mwe-math-element") || nodes[first_sibling as usize].end != index {
        return false;
    }
    (first_sibling..index).take(MAX_SIBLINGS_BETWEEN).any(|sibling| {
        let node = &nodes[sibling as usize];
        node.tag == Tag::MATH
            && matches!(
                find_formula(page, sibling, node, RenderKind::Math, tex),
                Some(Formula::Tex { .. })
            )
    })
}

/// Returns whether the script with the TeX follows an element that shows the same formula.
fn has_script_after(page: &Page<'_>, node: &Node) -> bool {
    let mut next = node.end as usize;
    for _ in 0..MAX_SIBLINGS_BETWEEN {
        let Some(sibling) = page.nodes().get(next).filter(|next| next.parent == node.parent) else {
            return false;
        };
        let media_type = page.attribute(sibling, AttributeName::Type).unwrap_or_default();
        if sibling.tag == Tag::SCRIPT && media_type.starts_with("math/tex") {
            return true;
        }
        next = sibling.end as usize;
    }
    false
}

/// Returns the value, as written, of an attribute that the page does not keep.
fn unkept_attribute<'a>(page: &Page<'a>, node: &Node, name: &str) -> Option<&'a str> {
    let mut scratch = Attributes::default();
    let mut attribute_list = page.all_attributes(node, &mut scratch);
    attribute_list
        .find(|(attribute_name, _)| attribute_name.eq_ignore_ascii_case(name))
        .map(|(_, value)| value)
}

fn push_decoded(source: &str, tex: &mut String) {
    let mut decoded = String::new();
    entity::decode(source, Context::Text, &mut decoded);
    push(&decoded, tex);
}

/// Appends TeX on one line.
fn push(source: &str, tex: &mut String) {
    for word in source.split_whitespace() {
        if !tex.is_empty() {
            tex.push(' ');
        }
        tex.push_str(word);
    }
}

/// Removes control characters and commands that only set the size of the formula. Returns whether
/// any TeX is left.
fn is_some(tex: &mut String) -> bool {
    tex.retain(|c| !c.is_control());
    for style in ["\\displaystyle", "\\textstyle", "\\scriptstyle"] {
        let inner = tex.strip_prefix('{').and_then(|inner| inner.strip_suffix('}'));
        if let Some(inner) = inner.and_then(|inner| inner.trim_start().strip_prefix(style)) {
            *tex = inner.trim().to_owned();
        }
    }
    !tex.is_empty()
}
