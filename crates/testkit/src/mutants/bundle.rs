//! Makes CSV, ZIP and tar files with wrong marks, sizes and places.

use crate::random::Random;
use crate::zip::ZipEntry;
use std::fmt::Write;

/// Returns rows with these markers as CSV, with some edits between the markers.
pub(super) fn csv(random: &mut Random, markers: &[String], edits: &mut Vec<String>) -> Vec<u8> {
    const MARKS: [&str; 12] =
        ["\"", "\"\"", ",", "\r", "\n", "\r\n", "\0", "\u{FEFF}", ";", "\t", "'", "\\\""];
    let line_end = random.pick(&["\n", "\r\n", "\r"]);
    let mut file = format!("id,text,url{line_end}");
    for (row, marker) in markers.iter().enumerate() {
        // All texts differ, so no row is a duplicate.
        let [a, b, c] = ["a", "b", "c"].map(|letter| format!("{marker}{letter}"));
        let text = match row % 3 {
            0 => format!("{marker} {a} {b} {c}"),
            1 => format!("\"{marker} {a}, {b} \"\"{c}\"\"\""),
            _ => format!("\"{marker} {a}{line_end}{b} {c}\""),
        };
        let _ = write!(file, "{row},{text},http://example.test/{row}{line_end}");
    }
    let mut file = file.into_bytes();
    for _ in 0..random.within(1, 4) {
        let offset = random.within(0, file.len());
        if random.below(3) == 0 {
            edits.push(format!("byte {offset} ({}) is left out", file[offset].escape_ascii()));
            file.remove(offset);
        } else {
            let mark = random.pick(&MARKS);
            edits.push(format!("before byte {offset}: {mark:?}"));
            file.splice(offset..offset, mark.bytes());
        }
    }
    if random.below(8) == 0 {
        let length = random.within(1, file.len() + 1);
        edits.push(format!("cut to {length} bytes"));
        file.truncate(length);
    }
    file
}

/// Returns a page around a marker, larger than a block of tar. In a smaller file, tar cannot detect
/// a wrong size.
fn page(marker: &str) -> String {
    let paragraph = "The reed boats are tied at the same quay, and the owners meet to repair them.";
    let rest = format!("<p>{paragraph}").repeat(9);
    format!("<!DOCTYPE html><title>Boats</title><article><p>{marker} {paragraph}{rest}")
}

/// Returns a ZIP file of pages with these markers, with some edits of its headers and its
/// directory.
pub(super) fn zip(random: &mut Random, markers: &[String], edits: &mut Vec<String>) -> Vec<u8> {
    let entry = |(row, marker): (usize, &String)| {
        let (name, page) = (format!("pages/{row}.html"), page(marker));
        if row % 2 == 0 {
            ZipEntry::deflated(&name, page.as_bytes())
        } else {
            ZipEntry::stored(&name, page)
        }
    };
    let entries: Vec<ZipEntry> = markers.iter().enumerate().map(entry).collect();
    let mut file = crate::zip::zip(&entries);
    let headers: Vec<(usize, usize)> = (0..file.len().saturating_sub(4))
        .filter_map(|offset| match &file[offset..offset + 4] {
            b"PK\x03\x04" => Some((offset, 30)),
            b"PK\x01\x02" => Some((offset, 46)),
            b"PK\x05\x06" => Some((offset, 22)),
            _ => None,
        })
        .collect();
    for _ in 0..random.within(1, 4) {
        let (start, length) = random.pick(&headers);
        let width = random.pick(&[1, 2, 4]);
        let place = start + random.within(0, length / width) * width;
        let mut old = [0; 8];
        old[..width].copy_from_slice(&file[place..place + width]);
        let new = random.other_than(i64::from_le_bytes(old)).to_le_bytes();
        edits.push(format!("{place}, {width} bytes: {old:?} becomes {new:?}"));
        file[place..place + width].copy_from_slice(&new[..width]);
    }
    file
}

/// Returns a tar archive of pages with these markers, with some edits of its headers.
pub(super) fn tar(random: &mut Random, markers: &[String], edits: &mut Vec<String>) -> Vec<u8> {
    /// The fields of a header: their offsets and lengths in bytes.
    const FIELDS: [(usize, usize); 9] = [
        (0, 100),
        (100, 8),
        (108, 8),
        (124, 12),
        (136, 12),
        (148, 8),
        (156, 1),
        (257, 8),
        (345, 155),
    ];
    const BLOCK: usize = 512;
    let mut headers = Vec::new();
    let mut file = Vec::new();
    for (row, marker) in markers.iter().enumerate() {
        headers.push(file.len());
        file.extend(crate::tar::file(format!("pages/{row}.html"), page(marker).as_bytes()));
    }
    file.resize(file.len() + 2 * BLOCK, 0);
    for _ in 0..random.within(1, 4) {
        let start = random.pick(&headers);
        let (field, length) = random.pick(&FIELDS);
        let old = file[start + field..start + field + length].to_vec();
        let new = if length == 12 && random.below(2) == 0 {
            let size = i64::from_str_radix(str_of(&old), 8).unwrap_or_default();
            format!("{:011o}\0", random.other_than(size).cast_unsigned() & 0o77_777_777_777)
                .into_bytes()
        } else {
            random.bytes(length)
        };
        edits.push(format!("header {start}, field {field}: {}", new.escape_ascii()));
        file[start + field..start + field + length].copy_from_slice(&new);
        if random.below(2) == 0 && field != 148 {
            edits.push("with its checksum".to_owned());
            file[start + 148..start + 156].fill(b' ');
            let sum: u32 = file[start..start + BLOCK].iter().map(|byte| u32::from(*byte)).sum();
            file[start + 148..start + 156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        }
    }
    file
}

fn str_of(field: &[u8]) -> &str {
    std::str::from_utf8(field).unwrap_or_default().trim_end_matches('\0')
}
