//! Models that the user trained, in place of those that ship.

use crate::usage_error::UsageError;
use anyhow::{Context, Result, anyhow};
use huller_extract::{Method, Profile};
use huller_methods::nb::model::Model;
use huller_pipeline::Trained;
use std::path::Path;

/// Reads a model and gives it to those of the methods that can take one.
pub(crate) fn read(
    path: &Path,
    methods: &[&'static dyn Method],
    profile: Profile,
) -> Result<Vec<Trained>> {
    let bytes = std::fs::read(path).map_err(|error| {
        UsageError(format!("cannot read the model '{}': {error}", path.display()))
    })?;
    let trained = methods.iter().filter_map(|method| Trained::new(*method, profile, &bytes));
    trained
        .map(|trained| trained.map_err(|error| anyhow!(error)))
        .collect::<Result<Vec<_>>>()
        .with_context(|| format!("cannot use '{}'", path.display()))
}

/// Reads a model of the methods nb and nb-table.
pub(crate) fn read_counts(path: &Path) -> Result<Model> {
    let json = std::fs::read(path).with_context(|| format!("cannot read '{}'", path.display()))?;
    Model::from_bytes(&json).with_context(|| format!("cannot use '{}'", path.display()))
}
