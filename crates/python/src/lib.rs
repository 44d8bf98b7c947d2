//! The extension module `huller._huller`: the part of the Python package that is written in Rust.
//!
//! It contains no algorithms. Pages and archives go through [`Pages`](huller_pipeline::Pages) and
//! [`Rows`](huller_pipeline::Rows), which the program's workers use too.
//! [`Columns`](huller_row::Columns) take the rows and become an Arrow record batch.
//! `python/huller/` is the Python side; its stubs document every function.
//!
//! The interpreter's lock is released while pages are processed. Values that are borrowed from
//! Python meanwhile are immutable (`str`, `bytes`, Arrow buffers) and held by a reference.

mod config;
mod counters;
mod dedup;
mod errors;
mod evaluate;
mod extract;
mod file;
mod index;
mod indexes;
mod input_names;
mod interrupts;
mod keywords;
mod options;
mod page;
mod page_list;
mod passages;
mod pool;
mod records;
mod refine;
mod row_batcher;
mod schema_rows;
mod signatures;
mod sources;
mod stream;

use pyo3::prelude::*;

/// The extension module of the package.
#[pymodule]
fn _huller(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let extractors: Vec<_> =
        huller_extract::EXTRACTORS.iter().map(|extractor| extractor.name()).collect();
    module.add("METHODS", pyo3::types::PyTuple::new(module.py(), extractors)?)?;
    let stages = huller_refine::STAGES.iter().map(|stage| stage.name);
    module.add("STAGES", pyo3::types::PyTuple::new(module.py(), stages.collect::<Vec<_>>())?)?;
    let presets = huller_pipeline::PRESETS.iter().map(|preset| preset.name);
    module.add("PRESETS", pyo3::types::PyTuple::new(module.py(), presets.collect::<Vec<_>>())?)?;
    let schemas = huller_row::SCHEMAS.iter().filter(|schema| !schema.has_actions());
    let (with_null, without_null): (Vec<_>, Vec<_>) =
        schemas.partition(|schema| !schema.omits_null());
    let names = |of: Vec<&huller_row::Schema>| of.into_iter().map(|it| it.name).collect::<Vec<_>>();
    module.add("SCHEMAS", pyo3::types::PyTuple::new(module.py(), names(with_null))?)?;
    module.add(
        "SCHEMAS_WITHOUT_NULL",
        pyo3::types::PyTuple::new(module.py(), names(without_null))?,
    )?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<counters::PyCounters>()?;
    module.add_class::<config::PyConfig>()?;
    module.add_class::<page::Page>()?;
    module.add_class::<records::Fault>()?;
    module.add_class::<records::Record>()?;
    module.add_class::<records::RecordReader>()?;
    module.add_class::<refine::RowStages>()?;
    module.add_class::<schema_rows::SchemaRows>()?;
    module.add_class::<stream::Stream>()?;
    module.add_function(wrap_pyfunction!(dedup::dedup, module)?)?;
    module.add_function(wrap_pyfunction!(evaluate::evaluate, module)?)?;
    module.add_function(wrap_pyfunction!(extract::extract, module)?)?;
    module.add_function(wrap_pyfunction!(index::check_index, module)?)?;
    module.add_function(wrap_pyfunction!(index::index, module)?)?;
    module.add_function(wrap_pyfunction!(index::search, module)?)?;
    module.add_function(wrap_pyfunction!(input_names::input_names, module)?)?;
    module.add_function(wrap_pyfunction!(input_names::read_list, module)?)?;
    module.add_function(wrap_pyfunction!(counters::run_stats, module)?)?;
    module.add_function(wrap_pyfunction!(page_list::extract_many, module)?)?;
    module.add_function(wrap_pyfunction!(page_list::many_schema, module)?)?;
    module.add_function(wrap_pyfunction!(refine::column_content, module)?)?;
    module.add_function(wrap_pyfunction!(options::check_stream_options, module)?)?;
    module.add_function(wrap_pyfunction!(options::options_of, module)?)?;
    module.add_function(wrap_pyfunction!(options::stage_names, module)?)?;
    module.add_function(wrap_pyfunction!(passages::passage_batches, module)?)?;
    module.add_function(wrap_pyfunction!(passages::passage_schema, module)?)?;
    module.add_function(wrap_pyfunction!(signatures::signature_columns, module)?)?;
    module.add_function(wrap_pyfunction!(stream::stream_schema, module)?)?;
    Ok(())
}
