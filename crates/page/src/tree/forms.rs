//! Marks small forms: searches, log-ins, subscriptions (specification 0.6).
//!
//! A form is small if it has under 200 visible scalars or a field for a password or a search. A
//! form with more than half of the body's text is not small, since ASP.NET wraps whole pages in a
//! form. Cost: O(nodes + runs) on pages with forms, else nothing.

use crate::attribute::AttributeName;
use crate::columns::Columns;
use crate::memory::clear_and_shrink;
use crate::node::NodeFlags;
use crate::page::Page;

/// A form with fewer visible scalars than this is small.
const MIN_LARGE_FORM_CHARS: u32 = 200;

/// The forms of one page, and the fields that show their purpose.
#[derive(Debug, Default)]
pub(super) struct Forms {
    /// `form` elements, in the order of their nodes.
    found: Vec<u32>,
    /// `input` elements, in the order of their nodes.
    inputs: Vec<u32>,
    /// Number of visible scalars before each run, then that of the whole page.
    chars_before: Vec<u32>,
}

impl Forms {
    pub(super) fn clear(&mut self) {
        const MAX_KEPT_ENTRIES: usize = 1 << 14;
        for column in [&mut self.found, &mut self.inputs, &mut self.chars_before] {
            clear_and_shrink(column, MAX_KEPT_ENTRIES);
        }
    }

    /// Adds a `form`. Its node comes after all nodes added before.
    pub(super) fn add_form(&mut self, node: u32) {
        self.found.push(node);
    }

    /// Adds an `input`. Its node comes after all nodes added before.
    pub(super) fn add_input(&mut self, node: u32) {
        self.inputs.push(node);
    }

    /// Applies `renumber` to the numbers of all nodes.
    pub(super) fn renumber(&mut self, renumber: impl Fn(&mut u32)) {
        for column in [&mut self.found, &mut self.inputs] {
            column.iter_mut().for_each(&renumber);
            column.sort_unstable();
        }
    }

    /// Marks the small forms of a complete page.
    pub(super) fn mark(&mut self, html: &str, columns: &mut Columns) {
        if self.found.is_empty() {
            return;
        }
        let mut sum = 0;
        self.chars_before.extend(columns.runs.iter().map(|run| {
            let sum_before = sum;
            sum += run.counts.chars;
            sum_before
        }));
        self.chars_before.push(sum);
        let chars = |columns: &Columns, node: u32| {
            let runs = columns.nodes[node as usize].runs();
            self.chars_before[runs.end] - self.chars_before[runs.start]
        };
        let page = Page::new(html, columns);
        self.inputs.retain(|input| {
            let kind = page.attribute(&page.nodes()[*input as usize], AttributeName::Type);
            kind.is_some_and(|kind| {
                kind.eq_ignore_ascii_case("password") || kind.eq_ignore_ascii_case("search")
            })
        });
        let page_chars = u64::from(chars(columns, columns.body));
        let mut fields = self.inputs.as_slice();
        for form in &self.found {
            while let [first, rest @ ..] = fields
                && first < form
            {
                fields = rest;
            }
            let form_chars = chars(columns, *form);
            let node = &mut columns.nodes[*form as usize];
            let has_field = fields.first().is_some_and(|field| *field < node.end);
            if (form_chars < MIN_LARGE_FORM_CHARS || has_field)
                && u64::from(form_chars) * 2 <= page_chars
            {
                node.flags.insert(NodeFlags::SMALL_FORM);
            }
        }
    }
}
