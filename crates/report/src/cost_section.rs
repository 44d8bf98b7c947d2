//! Writes the costs of a run in its report: CPU time, memory, slow pages.

use crate::body::Body;
use crate::chart::bar;
use crate::figures::{duration, size};
use crate::run_data::{Costs, SlowPage};

/// Writes the section.
pub(crate) fn costs(costs: &Costs, page: &mut Body) {
    page.heading("CPU time");
    match costs.cpu {
        None => page.dim("Not recorded: the runs have no CPU times."),
        Some(cpu) => parts(cpu, page),
    }
    page.dim(
        "Runs do not record the time of single steps (parsing, each extractor, each filter); \
        huller bench --stages measures it.",
    );
    page.heading("Memory");
    match costs.peak_memory {
        None => page.dim(
            "Not recorded: the runs were made by an earlier version, or on a system \
            that does not report memory.",
        ),
        Some(bytes) => {
            page.open("p", "");
            page.text(&format!("At most {} in any single process", size(bytes)));
            page.close("p");
        }
    }
    page.heading("Slowest pages");
    match &costs.slow_pages {
        None => page.dim(
            "Not recorded: the runs were made by an earlier version, or read no \
            records.",
        ),
        Some(pages) => slow_pages(pages, page),
    }
}

fn parts(cpu: [f64; 3], page: &mut Body) {
    let all: f64 = cpu.iter().sum();
    page.table(&["part", "CPU time", "share", ""]);
    let names = ["reader", "workers: unpack, parse, extract, filter", "writer"];
    for (name, seconds) in names.into_iter().zip(cpu) {
        page.raw("<tr><td>");
        page.text(name);
        page.raw("</td>");
        page.number(&duration(seconds));
        let share = if all > 0.0 { seconds / all } else { 0.0 };
        page.number(&format!("{:.1} %", share * 100.0));
        page.raw("<td>");
        bar(share, &mut page.html);
        page.raw("</td></tr>");
    }
    page.end_table();
}

fn slow_pages(pages: &[SlowPage], page: &mut Body) {
    page.table(&["time", "page"]);
    for SlowPage { seconds, input, offset, url } in pages {
        page.raw("<tr>");
        page.number(&format!("{:.1} ms", seconds * 1e3));
        page.raw("<td>");
        if let Some(url) = url {
            page.text(url);
            page.raw("<br>");
        }
        page.place(input, *offset);
        page.raw("</td></tr>");
    }
    page.end_table();
    page.dim(
        "Wall-clock time from the bytes of a page to its row, including the wait for a processor.",
    );
}
