//! The cut-offs of perplexity by language, from a CSV file.

use crate::language::names_in_files;
use huller_models::ModelFile;
use std::collections::BTreeMap;
use std::path::Path;

/// Two cut-offs for each language: of the buckets `head` and `middle`.
#[derive(Debug)]
pub(super) struct Cutoffs {
    by_language: BTreeMap<String, [f64; 2]>,
    digest: String,
}

impl Cutoffs {
    /// Reads a table with a column for each language and a row for each percentile. The first
    /// column has the percentiles. The first row has the names of languages, as the models have
    /// them.
    pub(super) fn read(path: &Path, percentiles: [u32; 2]) -> Result<Cutoffs, String> {
        let file = ModelFile::open(path).map_err(|error| error.to_string())?;
        let text = str::from_utf8(file.bytes()).map_err(|_| "it is not UTF-8".to_owned())?;
        let by_language = parse(text, percentiles)?;
        Ok(Cutoffs { by_language, digest: file.digest().to_owned() })
    }

    /// Returns the cut-offs of a language of ISO 639-3.
    pub(super) fn for_language(&self, language: &str) -> Option<[f64; 2]> {
        names_in_files(language).find_map(|name| self.by_language.get(name)).copied()
    }

    /// Returns the digest of the file.
    pub(super) fn digest(&self) -> &str {
        &self.digest
    }
}

/// Returns the cut-offs of each language at two percentiles.
fn parse(text: &str, percentiles: [u32; 2]) -> Result<BTreeMap<String, [f64; 2]>, String> {
    let cells = |line: &'_ str| {
        let cells = line.trim_end_matches('\r').split(',');
        cells.map(|cell| cell.trim().trim_matches('"').to_owned()).collect::<Vec<_>>()
    };
    let mut lines = text.lines().map(cells);
    let languages = lines.next().unwrap_or_default();
    if languages.len() < 2 {
        return Err("it has no columns; its first line names languages after a comma".to_owned());
    }
    let mut found = [None, None];
    for cells in lines {
        let percentile: Option<f64> = cells[0].parse().ok();
        for (wanted, row) in percentiles.iter().zip(&mut found) {
            if percentile == Some(f64::from(*wanted)) && row.is_none() {
                *row = Some(cells.clone());
            }
        }
    }
    let row = |at: usize| {
        let missing = || format!("it has no row for percentile {}", percentiles[at]);
        found[at].as_ref().ok_or_else(missing)
    };
    let rows = [row(0)?, row(1)?];
    let cutoff = |row: &[String], column: usize| {
        let cutoff = row.get(column).and_then(|cell| cell.parse().ok());
        let language = &languages[column];
        cutoff
            .filter(|cutoff: &f64| cutoff.is_finite())
            .ok_or_else(|| format!("it has no number for '{language}' at percentile {}", row[0]))
    };
    let of = |column: usize| {
        Ok((languages[column].clone(), [cutoff(rows[0], column)?, cutoff(rows[1], column)?]))
    };
    (1..languages.len()).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_are_languages_and_the_rows_percentiles() {
        let table = ",de,\"en\"\r\n0,1.5,2\n30,100.25,200\n60,300,4e2\n60,1,1\n";
        let found = parse(table, [30, 60]).unwrap();
        assert_eq!(found["de"].map(f64::to_bits), [100.25, 300.].map(f64::to_bits));
        assert_eq!(found["en"].map(f64::to_bits), [200., 400.].map(f64::to_bits));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cutoff.csv");
        std::fs::write(&path, table).unwrap();
        let cutoffs = Cutoffs::read(&path, [0, 30]).unwrap();
        assert_eq!(
            (cutoffs.for_language("deu"), cutoffs.for_language("fra")),
            (Some([1.5, 100.25]), None)
        );
    }

    #[test]
    fn tables_without_what_is_needed_are_refused() {
        for (table, problem) in [
            ("", "no columns"),
            (",de\n30,1\n", "no row for percentile 60"),
            (",de,en\n30,1,2\n60,1\n", "no number for 'en' at percentile 60"),
            (",de\n30,x\n60,1\n", "no number for 'de' at percentile 30"),
            (",de\n30,nan\n60,1\n", "no number"),
        ] {
            assert!(parse(table, [30, 60]).unwrap_err().contains(problem), "{table}");
        }
    }
}
