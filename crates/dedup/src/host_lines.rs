//! Finds lines that are on many pages of one host: menus, notices, signatures. Templates of a site
//! repeat, and texts do not. (Bar-Yossef and Rajagopalan, "Template detection via data mining and
//! its applications", 2002, drop parts that many pages of a site share.)

use crate::decide::Decisions;
use crate::error::DedupError;
use crate::external_sort::ExternalSort;
use crate::file_pass::{Event, FilePass, PassEnding};
use crate::matched_lines::{MatchedLine, ParsedRow, RecordReader, for_each_line};
use crate::monitor::{Phase, Reporter};
use crate::rows::CorpusRows;
use crate::settings::Settings;
use huller_provenance::Host;
use huller_refine::LineHasher;
use std::path::Path;

/// The lines of hosts that are left out of texts.
pub(crate) struct HostLines {
    /// Hashes of a host and a line, ascending.
    hashes: Vec<u64>,
    /// Fewest Unicode scalars of a line.
    least: u64,
}

/// The lines of a chunk.
#[derive(Default)]
struct ChunkLines {
    /// Hashes of lines, and the rows that have them.
    pairs: Vec<(u64, u32)>,
    /// Number of rows of the chunk.
    rows: u64,
}

impl HostLines {
    /// Returns a text without the repeated lines of its host, or `None` if it has no such line.
    pub(crate) fn without_repeats(&self, text: &str, url: Option<&str>) -> Option<String> {
        let hasher = LineHasher::new(&Host::from_url(url?)?, self.least);
        let is_dropped = |line: &str| {
            hasher.hash(line).is_some_and(|hash| self.hashes.binary_search(&hash).is_ok())
        };
        let lines: Vec<_> = text.split('\n').map(|line| (line, is_dropped(line))).collect();
        if lines.iter().all(|(_, is_dropped)| !is_dropped) {
            return None;
        }
        let kept_lines: Vec<_> =
            lines.into_iter().filter(|(_, is_dropped)| !is_dropped).map(|(line, _)| line).collect();
        Some(kept_lines.join("\n"))
    }

    /// Counts the lines of all kept rows. Returns `None` if the run was interrupted.
    pub(crate) fn count(
        settings: &Settings,
        pass: &FilePass<'_>,
        (rows, signature_indexes): (&CorpusRows, &[Option<usize>]),
        decisions: &Decisions,
        (memory, folder): (u64, &Path),
        monitor: &mut Reporter<'_>,
    ) -> Result<Option<HostLines>, DedupError> {
        monitor.phase(Phase::Lines, Some(u64::from(decisions.rows() - decisions.earlier)));
        let mut reader = RecordReader::new(rows, signature_indexes);
        let mut sort: ExternalSort<u64> = ExternalSort::new((memory / 2) as usize, folder, 0);
        let mut rows_read = 0;
        let inputs = (0..signature_indexes.len())
            .filter(|input| signature_indexes[*input].is_some())
            .collect();
        let ending = pass.run(
            inputs,
            |input, chunk| reader.take(input, chunk),
            |input, chunk, records| {
                let signed = &rows.files[signature_indexes[input].expect("it has signatures")];
                let mut chunk_lines = ChunkLines::default();
                for_each_line(settings, (&pass.files[input], signed), chunk, &records, |line| {
                    let MatchedLine::Row { row, parsed, .. } = line else { return Ok(()) };
                    chunk_lines.rows += 1;
                    if decisions.dropped_by(row).is_none() {
                        let hashes = line_hashes(&parsed, settings.host_line_chars).into_iter();
                        chunk_lines.pairs.extend(hashes.map(|hash| (hash, row)));
                    }
                    Ok(())
                })?;
                Ok(chunk_lines)
            },
            |input, event: Event<Result<ChunkLines, DedupError>>| {
                if let Some(chunk_lines) = event.chunk(&pass.files[input].name)? {
                    let ChunkLines { pairs, rows } = chunk_lines?;
                    for (hash, row) in pairs {
                        sort.push(hash, row)
                            .map_err(DedupError::output_error("sort in", folder))?;
                    }
                    rows_read += rows;
                    monitor.progress(rows_read);
                }
                Ok(())
            },
        )?;
        if ending == PassEnding::Interrupted {
            return Ok(None);
        }
        let max_hashes = (memory / 4 / size_of::<u64>() as u64) as usize;
        let mut hashes = Vec::new();
        let sorted = sort.frequent(settings.host_lines, |hash| {
            if hashes.len() == max_hashes {
                return Err(std::io::ErrorKind::OutOfMemory.into());
            }
            hashes.push(hash);
            Ok(())
        });
        sorted.map_err(DedupError::output_error(
            "hold the lines of hosts in memory, or sort them in",
            folder,
        ))?;
        Ok(Some(HostLines { hashes, least: settings.host_line_chars }))
    }
}

/// Returns the hashes of a row's lines that are long enough, each once.
fn line_hashes(row: &ParsedRow<'_>, min_chars: u64) -> Vec<u64> {
    let Some(host) = row.url.as_deref().and_then(Host::from_url) else { return Vec::new() };
    let of_host = LineHasher::new(&host, min_chars);
    let mut hashes: Vec<_> = row.text.split('\n').filter_map(|line| of_host.hash(line)).collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_host_are_left_out() {
        let of_host = LineHasher::new(&Host::parse("site.org").unwrap(), 4);
        let mut hashes: Vec<_> = ["Menu", "Imprint"].map(|line| of_host.hash(line).unwrap()).into();
        hashes.sort_unstable();
        let lines = HostLines { hashes, least: 4 };
        let text = "  Menu \nThe text.\n\nImprint\nMore.";
        assert_eq!(
            lines.without_repeats(text, Some("http://SITE.org/a")).unwrap(),
            "The text.\n\nMore."
        );
        for url in ["http://site.org.:80/", "http:\\\\site.org\\@other.org", "http://s%69te.org"] {
            assert!(lines.without_repeats(text, Some(url)).is_some(), "{url}");
        }
        for url in ["http://other.org/a", "http://other.org\\@site.org/", "mailto:a@site.org"] {
            assert_eq!(lines.without_repeats(text, Some(url)), None, "{url}");
        }
        assert_eq!(lines.without_repeats(text, None), None);
        assert_eq!(lines.without_repeats("Menu\nImprint", Some("http://site.org")).unwrap(), "");
    }
}
