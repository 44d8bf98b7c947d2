//! `huller.signatures`: computes the signatures of rows, as columns.

use crate::errors::{huller_error, value_error};
use crate::interrupts::run_interruptibly;
use crate::pool::pool;
use crate::sources::Sources;
use arrow_array::builder::{BinaryBuilder, Int64Builder, ListBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_pyarrow::ToPyArrow;
use arrow_schema::ArrowError;
use huller_provenance::seconds;
use huller_refine::Text;
use huller_refine::signature::{Hash, Signature, SignatureSettings, Signer};
use pyo3::prelude::*;
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Returns the settings of signatures.
pub(crate) fn settings(
    bands: u32,
    rows: u32,
    shingle: u32,
    hash: &str,
    seed: u32,
) -> PyResult<SignatureSettings> {
    let hash = match hash {
        "fast" => Hash::Fast,
        "datatrove" => Hash::Datatrove,
        _ => return Err(value_error(format!("hash must be 'fast' or 'datatrove', not '{hash}'"))),
    };
    let settings = SignatureSettings { bands, rows, shingle, hash, seed };
    settings.check().map_err(|error| value_error(error.to_string()))?;
    Ok(settings)
}

/// A signed row.
struct SignedRow {
    signature: Signature,
    fetched: Option<i64>,
}

/// Signs rows, which are given as columns, on at most `threads` threads; 0 means one a core.
#[pyfunction]
#[pyo3(signature = (
    texts, *, urls=None, dates=None, bands=14, rows=8, shingle=5, hash="fast", seed=1, threads=0
))]
pub(crate) fn signature_columns<'py>(
    py: Python<'py>,
    texts: &Bound<'py, PyAny>,
    urls: Option<&Bound<'py, PyAny>>,
    dates: Option<&Bound<'py, PyAny>>,
    bands: u32,
    rows: u32,
    shingle: u32,
    hash: &str,
    seed: u32,
    threads: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let settings = settings(bands, rows, shingle, hash, seed)?;
    let texts = Sources::from_object(texts)?;
    let urls = urls.map(Sources::from_object).transpose()?;
    let dates = dates.map(Sources::from_object).transpose()?;
    let pool = pool(threads)?;
    let new_signer = || Signer::new(settings).expect("the settings were checked");
    let signed: Vec<Option<SignedRow>> = run_interruptibly(py, |stop| {
        pool.install(|| {
            let rows = (0..texts.len()).into_par_iter();
            rows.map_init(
                || (new_signer(), Text::default()),
                |(signer, text), row| {
                    if stop.load(Ordering::Relaxed) {
                        return None;
                    }
                    text.begin().push_str(texts.text(row)?);
                    let url =
                        urls.as_ref().and_then(|urls| urls.text(row)).filter(|url| !url.is_empty());
                    let mut signature = Signature::default();
                    signer.sign(text, url, &mut signature);
                    let fetched =
                        dates.as_ref().and_then(|dates| dates.text(row)).and_then(seconds);
                    Some(SignedRow { signature, fetched })
                },
            )
            .collect()
        })
    })?;
    signature_batch(&signed).map_err(|error| huller_error(py, error.to_string()))?.to_pyarrow(py)
}

fn signature_batch(rows: &[Option<SignedRow>]) -> Result<RecordBatch, ArrowError> {
    let (mut text, mut url) = (BinaryBuilder::new(), BinaryBuilder::new());
    let (mut chars, mut fetched) = (Int64Builder::new(), Int64Builder::new());
    let mut bands = ListBuilder::new(Int64Builder::new());
    for row in rows {
        let signature = row.as_ref().map(|row| &row.signature);
        text.append_option(signature.map(|signature| signature.text.to_le_bytes()));
        url.append_option(signature.and_then(|signature| signature.url).map(u128::to_le_bytes));
        chars.append_option(signature.map(|signature| i64::from(signature.chars)));
        fetched.append_option(row.as_ref().and_then(|row| row.fetched));
        // Numbers are signed, since Spark has no unsigned types.
        let hashes = signature.map(|signature| signature.bands.as_slice()).unwrap_or_default();
        bands
            .values()
            .append_slice(&hashes.iter().map(|hash| hash.cast_signed()).collect::<Vec<_>>());
        bands.append(signature.is_some());
    }
    let columns: [(&str, ArrayRef); 5] = [
        ("text_digest", Arc::new(text.finish())),
        ("url_digest", Arc::new(url.finish())),
        ("chars", Arc::new(chars.finish())),
        ("fetched", Arc::new(fetched.finish())),
        ("bands", Arc::new(bands.finish())),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true)))
}
