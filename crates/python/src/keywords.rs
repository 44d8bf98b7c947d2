//! Converts keyword arguments of Python to a configuration.
//!
//! Keywords that are options are fields of [`Config`], whose own deserializer reads them. So a new
//! option needs no code here.

use crate::config::PyConfig;
use crate::errors::value_error;
use huller_pipeline::Config;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{self, Deserialize, Deserializer, Expected, IntoDeserializer, Unexpected, Visitor};
use std::collections::HashSet;
use std::fmt::{self, Display};

/// Reads `**options` of `function`. Refuses names that are not in `known`. `None` means the
/// default. The key `config` gives the values of options that are not set.
pub(crate) fn config(
    function: &str,
    known: &[&str],
    keywords: Option<&Bound<'_, PyDict>>,
) -> PyResult<Config> {
    let mut config = Config::default();
    let mut defaults = Config::default();
    for (name, value) in keywords.into_iter().flatten() {
        let name = name.cast::<PyString>()?.to_str()?;
        if name == "config" {
            if !value.is_none() {
                defaults = from_config_object(&value)?;
                defaults.retain(|name| known.contains(&name));
            }
            continue;
        }
        if !known.contains(&name) {
            let message = format!("{function}() got an unexpected keyword argument '{name}'");
            return Err(PyTypeError::new_err(message));
        }
        if !value.is_none() {
            config = config_with_option(name, &value)?.or(config);
        }
    }
    let mut config = config.merge_over(defaults);
    if let Some(names) = &mut config.extractor {
        let mut known_names = HashSet::new();
        names.retain(|name| known_names.insert(name.clone()));
    }
    Ok(config)
}

/// Returns the configuration of a `huller.Config`.
fn from_config_object(value: &Bound<'_, PyAny>) -> PyResult<Config> {
    match value.cast::<PyConfig>() {
        Ok(config) => Ok(config.get().file.config.clone()),
        Err(_) => Err(PyTypeError::new_err(format!(
            "argument 'config': expected a huller.Config such as huller.Config(\"huller.toml\"), \
             not {}",
            value.get_type().name()?
        ))),
    }
}

/// Returns a configuration with one option.
fn config_with_option(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Config> {
    let type_error =
        |message: String| PyTypeError::new_err(format!("argument '{name}': {message}"));
    let value: Value = match value.extract() {
        Ok(value) => value,
        Err(_) => {
            return Err(type_error(format!(
                "it cannot have the type {}",
                value.get_type().name()?
            )));
        }
    };
    let entries = MapDeserializer::new([(name, value)].into_iter());
    Config::deserialize(entries).map_err(|fault: ValueProblem| match fault {
        ValueProblem::Kind(what) => type_error(what),
        ValueProblem::Value(what) => value_error(format!("{name} {what}")),
    })
}

/// A Python value that an option may have.
#[derive(FromPyObject)]
enum Value {
    /// A `bool`.
    Flag(bool),
    /// An `int`.
    Number(i64),
    /// A `str`.
    Text(String),
    /// A list of `str`.
    List(Vec<String>),
}

/// The problem with a value: `Kind` becomes a `TypeError` of Python, `Value` a `ValueError`.
#[derive(Debug)]
enum ValueProblem {
    Kind(String),
    Value(String),
}

impl Display for ValueProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (ValueProblem::Kind(message) | ValueProblem::Value(message)) = self;
        f.write_str(message)
    }
}

impl std::error::Error for ValueProblem {}

impl de::Error for ValueProblem {
    fn custom<T: Display>(message: T) -> ValueProblem {
        ValueProblem::Value(format!("is wrong: {message}"))
    }

    fn invalid_type(actual: Unexpected<'_>, expected: &dyn Expected) -> ValueProblem {
        ValueProblem::Kind(format!("expected {expected}, not {actual}"))
    }

    fn invalid_value(actual: Unexpected<'_>, expected: &dyn Expected) -> ValueProblem {
        ValueProblem::Value(format!("is {expected}, not {actual}"))
    }

    fn unknown_variant(actual: &str, expected: &'static [&'static str]) -> ValueProblem {
        let words: Vec<_> = expected.iter().map(|word| format!("'{word}'")).collect();
        let words = match words.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
            None => "nothing".to_owned(),
        };
        ValueProblem::Value(format!("takes {words}, not '{actual}'"))
    }
}

impl IntoDeserializer<'_, ValueProblem> for Value {
    type Deserializer = Value;

    fn into_deserializer(self) -> Value {
        self
    }
}

impl<'de> Deserializer<'de> for Value {
    type Error = ValueProblem;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueProblem> {
        match self {
            Value::Flag(flag) => visitor.visit_bool(flag),
            Value::Number(number) => visitor.visit_i64(number),
            Value::Text(text) => visitor.visit_string(text),
            Value::List(texts) => visitor.visit_seq(SeqDeserializer::new(texts.into_iter())),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueProblem> {
        visitor.visit_some(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ValueProblem> {
        match self {
            Value::Text(text) => text.into_deserializer().deserialize_enum(name, variants, visitor),
            other => other.deserialize_any(visitor),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct newtype_struct seq
        tuple tuple_struct map struct identifier ignored_any
    }
}
