//! Counts over the kept content of every element.

use super::words::ClassWords;
use crate::removal::Removal;
use huller_page::entity::{Context, decode};
use huller_page::{AttributeName, Node, Page, RunFlags, Tag, TagSet};

/// The counts of an element and of the kept elements below it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ElementCounts {
    /// Length of the text: visible scalars plus gaps.
    pub(super) text: u32,
    /// Length of the text within links, in tenths. Each scalar of a link to the page itself counts
    /// three tenths.
    linked_tenths: u64,
    /// Length of the text within headings.
    pub(super) headings: u32,
    /// Length of the text within lists.
    pub(super) lists: u32,
    /// Number of commas.
    pub(super) commas: u32,
    /// Length of the text directly in the element, outside of block elements below it.
    pub(super) own_text: u32,
    /// Number of commas in this text.
    pub(super) own_commas: u32,
    /// Number of sentence ends.
    pub(super) sentences: u32,
    /// Number of `p` elements.
    pub(super) paragraphs: u32,
    /// Number of `img` elements.
    pub(super) images: u32,
    /// Number of `li` elements.
    pub(super) items: u32,
    /// Number of `input` elements.
    pub(super) inputs: u32,
    /// Number of `table` elements.
    pub(super) tables: u32,
    /// Number of `tr` elements.
    pub(super) rows: u32,
    /// Number of `td` elements.
    pub(super) cells: u32,
    /// Number of table parts that only data tables have.
    pub(super) table_headers: u32,
    /// Number of block elements below, without the element itself.
    pub(super) blocks: u32,
    /// Number of child elements.
    pub(super) children: u32,
}

impl ElementCounts {
    /// Returns the share of linked text, 0 to 1.
    pub(super) fn link_density(&self) -> f64 {
        if self.text == 0 { 0.0 } else { self.linked_tenths as f64 / (10.0 * f64::from(self.text)) }
    }

    /// Returns the share of `part` in the text, 0 to 1.
    pub(super) fn share(&self, part: u32) -> f64 {
        if self.text == 0 { 0.0 } else { f64::from(part) / f64::from(self.text) }
    }

    fn from_tag(node: &Node) -> ElementCounts {
        let is = |tags: &[Tag]| u32::from(tags.contains(&node.tag));
        ElementCounts {
            paragraphs: is(&[Tag::P]),
            images: is(&[Tag::IMG]),
            items: is(&[Tag::LI]),
            inputs: is(&[Tag::INPUT]),
            tables: is(&[Tag::TABLE]),
            rows: is(&[Tag::TR]),
            cells: is(&[Tag::TD]),
            table_headers: is(&[
                Tag::CAPTION,
                Tag::COL,
                Tag::COLGROUP,
                Tag::TH,
                Tag::THEAD,
                Tag::TFOOT,
            ]),
            ..ElementCounts::default()
        }
    }

    /// Adds the counts of a child element with this tag.
    fn add_child(&mut self, tag: Tag, child: &ElementCounts) {
        let is_list = matches!(tag, Tag::UL | Tag::OL);
        self.text += child.text;
        self.linked_tenths += child.linked_tenths;
        self.headings += if is_heading(tag) { child.text } else { child.headings };
        self.lists += if is_list { child.text } else { child.lists };
        self.commas += child.commas;
        if !tag.is(TagSet::BLOCK) {
            self.own_text += child.own_text;
            self.own_commas += child.own_commas;
        }
        self.sentences += child.sentences;
        self.paragraphs += child.paragraphs;
        self.images += child.images;
        self.items += child.items;
        self.inputs += child.inputs;
        self.tables += child.tables;
        self.rows += child.rows;
        self.cells += child.cells;
        self.table_headers += child.table_headers;
        self.blocks += child.blocks + u32::from(tag.is(TagSet::BLOCK));
        self.children += 1;
    }
}

pub(super) fn is_heading(tag: Tag) -> bool {
    matches!(tag, Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6)
}

/// Counts of the punctuation in one run.
#[derive(Clone, Copy, Debug, Default)]
struct Punctuation {
    commas: u32,
    sentences: u32,
}

/// Counts of one page.
#[derive(Debug, Default)]
pub(super) struct PageCounts {
    punctuation: Vec<Punctuation>,
    decoded: String,
    /// For each node, how many tenths of its own text count as linked.
    link_tenths: Vec<u8>,
    is_kept: Vec<bool>,
    /// Indices of the kept nodes.
    kept: Vec<u32>,
    node_counts: Vec<ElementCounts>,
}

impl PageCounts {
    /// Counts the commas and the ends of sentences in all runs.
    pub(super) fn read_runs(&mut self, page: &Page<'_>) {
        self.punctuation.clear();
        for run in page.runs() {
            let source = page.run_source(run);
            let text = if run.flags.contains(RunFlags::REFERENCES) {
                self.decoded.clear();
                decode(source, Context::Text, &mut self.decoded);
                &self.decoded
            } else {
                source
            };
            self.punctuation.push(punctuation(text));
        }
    }

    /// Decides which elements of the body are kept. Drops the elements that `removal` removes and
    /// hidden ones. With `strip`, it also drops unlikely elements outside tables and code.
    pub(super) fn keep(
        &mut self,
        page: &Page<'_>,
        body: u32,
        removal: &Removal,
        words: &ClassWords,
        strip: bool,
    ) {
        let nodes = page.nodes();
        self.is_kept.clear();
        self.is_kept.resize(nodes.len(), false);
        self.link_tenths.clear();
        self.link_tenths.resize(nodes.len(), 0);
        self.kept.clear();
        // The end of the present outermost table or `code` element.
        let mut shelter_end = 0;
        let mut index = body;
        while index < nodes[body as usize].end {
            let node = &nodes[index as usize];
            let is_unlikely =
                strip && index >= shelter_end && node.tag != Tag::A && words.is_unlikely(index);
            let dropped = removal.removes(node) || words.is_hidden(index) || is_unlikely;
            if dropped && index != body {
                index = node.end;
                continue;
            }
            if matches!(node.tag, Tag::TABLE | Tag::CODE) && index >= shelter_end {
                shelter_end = node.end;
            }
            self.is_kept[index as usize] = true;
            self.kept.push(index);
            self.link_tenths[index as usize] = match node.tag {
                Tag::A => {
                    let target = page.attribute(node, AttributeName::Href).unwrap_or_default();
                    if target.trim_start().starts_with('#') { 3 } else { 10 }
                }
                _ if index == body => 0,
                _ => self.link_tenths[node.parent as usize],
            };
            index += 1;
        }
    }

    /// Computes the counts of all kept elements.
    pub(super) fn sum_counts(&mut self, page: &Page<'_>, body: u32) {
        self.node_counts.clear();
        self.node_counts.resize(page.nodes().len(), ElementCounts::default());
        self.sum_and_prune(page, body, |_, _, _| false);
    }

    /// Computes the counts of the subtree of `root`, children before parents. Drops every element
    /// for which `drop` returns true. `drop` gets the counts of the content that remains below the
    /// element.
    pub(super) fn sum_and_prune(
        &mut self,
        page: &Page<'_>,
        root: u32,
        drop: impl Fn(u32, &Node, &ElementCounts) -> bool,
    ) {
        let nodes = page.nodes();
        let end = nodes[root as usize].end;
        let first_index = self.kept.partition_point(|node| *node < root);
        let end_index = self.kept.partition_point(|node| *node < end);
        for node in &self.kept[first_index..end_index] {
            self.node_counts[*node as usize] = ElementCounts::from_tag(&nodes[*node as usize]);
        }
        for index in nodes[root as usize].runs() {
            let run = &page.runs()[index];
            let node = run.node as usize;
            if self.is_kept[node] {
                let text = run.counts.chars + run.counts.gaps;
                let counts = &mut self.node_counts[node];
                counts.text += text;
                counts.linked_tenths += u64::from(self.link_tenths[node]) * u64::from(text);
                counts.commas += self.punctuation[index].commas;
                counts.own_text += text;
                counts.own_commas += self.punctuation[index].commas;
                counts.sentences += self.punctuation[index].sentences;
            }
        }
        for kept_index in (first_index..end_index).rev() {
            let index = self.kept[kept_index];
            let node = &nodes[index as usize];
            let counts = self.node_counts[index as usize];
            if !self.is_kept[index as usize] {
                continue;
            }
            if drop(index, node, &counts) {
                self.is_kept[index as usize] = false;
            } else if index != root {
                self.node_counts[node.parent as usize].add_child(node.tag, &counts);
            }
        }
    }

    /// Returns the kept nodes in document order.
    pub(super) fn kept_nodes(&self) -> &[u32] {
        &self.kept
    }

    pub(super) fn is_kept(&self, node: u32) -> bool {
        self.is_kept[node as usize]
    }

    pub(super) fn get(&self, node: u32) -> &ElementCounts {
        &self.node_counts[node as usize]
    }

    /// Appends the outermost dropped elements of the body to `removed`.
    pub(super) fn append_removed(&self, page: &Page<'_>, body: u32, removed: &mut Vec<u32>) {
        let nodes = page.nodes();
        let mut index = body + 1;
        while index < nodes[body as usize].end {
            if self.is_kept[index as usize] {
                index += 1;
            } else {
                removed.push(index);
                index = nodes[index as usize].end;
            }
        }
    }
}

fn punctuation(text: &str) -> Punctuation {
    let mut punctuation = Punctuation::default();
    let mut after_stop = false;
    for c in text.chars() {
        punctuation.sentences += u32::from(after_stop && c.is_whitespace());
        after_stop = c == '.';
        match c {
            ',' | '،' | '、' | '，' | '﹐' | '︐' | '︑' => punctuation.commas += 1,
            '。' => punctuation.sentences += 1,
            _ => {}
        }
    }
    punctuation.sentences += u32::from(after_stop);
    punctuation
}
