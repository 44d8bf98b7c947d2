//! The costs of a run in its report: CPU time, memory, slow pages.

use crate::chart::bar;
use crate::html_table::{place, table};
use crate::run_files_data::{Costs, SlowPage};
use huller_html::{duration, size};
use maud::{Markup, html};

/// Returns the section.
pub(crate) fn costs(costs: &Costs) -> Markup {
    html! {
        h3 { "CPU time" }
        @match costs.cpu {
            None => p.dim { "Not recorded: the runs have no CPU times." },
            Some(cpu) => (parts(cpu)),
        }
        p.dim {
            "Runs do not record the time of single steps (parsing, each extractor, each filter); "
            "huller bench --stages measures it."
        }
        h3 { "Memory" }
        @match costs.peak_memory {
            None => p.dim {
                "Not recorded: the runs were made by an earlier version, or on a system "
                "that does not report memory."
            },
            Some(bytes) => p { "At most " (size(bytes)) " in any single process" },
        }
        h3 { "Slowest pages" }
        @match &costs.slow_pages {
            None => p.dim {
                "Not recorded: the runs were made by an earlier version, or read no records."
            },
            Some(pages) => (slow_pages(pages)),
        }
    }
}

fn parts(cpu: [f64; 3]) -> Markup {
    let total: f64 = cpu.iter().sum();
    let share = |seconds: f64| if total > 0.0 { seconds / total } else { 0.0 };
    let names = ["reader", "workers: unpack, parse, extract, filter", "writer"];
    let rows = html! {
        @for (name, seconds) in names.into_iter().zip(cpu) {
            tr {
                td { (name) }
                td.number { (duration(seconds)) }
                td.number { (format!("{:.1} %", share(seconds) * 100.0)) }
                td { (bar(share(seconds))) }
            }
        }
    };
    table(&["part", "CPU time", "share", ""], &rows)
}

fn slow_pages(pages: &[SlowPage]) -> Markup {
    let rows = html! {
        @for SlowPage { seconds, input, offset, url } in pages {
            tr {
                td.number { (format!("{:.1} ms", seconds * 1e3)) }
                td {
                    @if let Some(url) = url { (url) br; }
                    (place(input, *offset))
                }
            }
        }
    };
    html! {
        (table(&["time", "page"], &rows))
        p.dim {
            "Wall-clock time from the bytes of a page to its row, including the wait for a "
            "processor."
        }
    }
}
