//! Pages in the memory of Python, borrowed without a copy.

use crate::errors::value_error;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, LargeBinaryArray, LargeStringArray, StringArray,
    StringViewArray, make_array,
};
use arrow_data::ArrayData;
use arrow_pyarrow::FromPyArrow;
use arrow_schema::DataType;
use huller_pipeline::Html;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyBytes, PyString};

/// A text of Python, held by a reference and read without the interpreter's lock.
pub(crate) enum Source {
    /// A `str`.
    Text(PyBackedStr),
    /// A `bytes` object.
    Bytes(PyBackedBytes),
}

impl Source {
    pub(crate) fn from_object(object: &Bound<'_, PyAny>) -> PyResult<Source> {
        if object.is_instance_of::<PyBytes>() {
            Ok(Source::Bytes(object.extract()?))
        } else if object.is_instance_of::<PyString>() {
            Ok(Source::Text(object.extract()?))
        } else {
            let kind = object.get_type().name()?;
            Err(PyTypeError::new_err(format!("expected bytes or str, not {kind}")))
        }
    }

    pub(crate) fn html(&self) -> Html<'_> {
        match self {
            Source::Text(text) => Html::Text(text),
            Source::Bytes(bytes) => Html::Bytes(bytes),
        }
    }
}

/// Many texts.
pub(crate) enum Sources {
    /// A list of Python's objects.
    Objects(Vec<Option<Source>>),
    /// Chunks of an Arrow column.
    Arrays(Chunks),
}

/// The chunks of one array.
pub(crate) struct Chunks {
    arrays: Vec<ArrayRef>,
    /// The place of the first text after each chunk.
    ends: Vec<usize>,
}

impl Chunks {
    fn new(arrays: Vec<ArrayRef>) -> Chunks {
        let mut end = 0;
        let ends = arrays.iter().map(|array| {
            end += array.len();
            end
        });
        Chunks { ends: ends.collect(), arrays }
    }

    fn len(&self) -> usize {
        self.ends.last().copied().unwrap_or_default()
    }

    fn get(&self, index: usize) -> Option<Html<'_>> {
        let chunk = self.ends.partition_point(|end| *end <= index);
        let array = self.arrays.get(chunk)?;
        value(array, index + array.len() - self.ends[chunk])
    }
}

impl Sources {
    /// Returns the text at a place, if there is one and it is UTF-8.
    pub(crate) fn text(&self, index: usize) -> Option<&str> {
        match self.get(index)? {
            Html::Text(text) => Some(text),
            Html::Bytes(bytes) => std::str::from_utf8(bytes).ok(),
        }
    }

    /// Takes a list or another iterable of `bytes`, `str` and `None`, an Arrow array or a chunked
    /// array.
    pub(crate) fn from_object(object: &Bound<'_, PyAny>) -> PyResult<Sources> {
        if object.hasattr("__arrow_c_array__")? {
            return Ok(Sources::Arrays(Chunks::new(vec![array(object)?])));
        }
        if object.hasattr("__arrow_c_stream__")? {
            let chunked =
                object.py().import("pyarrow")?.call_method1("chunked_array", (object,))?;
            let chunks = chunked.getattr("chunks")?;
            let chunks = chunks.try_iter()?.map(|chunk| array(&chunk?));
            return Ok(Sources::Arrays(Chunks::new(chunks.collect::<PyResult<_>>()?)));
        }
        if object.is_instance_of::<PyBytes>() || object.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err("expected several pages, not one: put it in a list"));
        }
        let of_item = |item: PyResult<Bound<'_, PyAny>>| {
            let item = item?;
            if item.is_none() { Ok(None) } else { Source::from_object(&item).map(Some) }
        };
        Ok(Sources::Objects(object.try_iter()?.map(of_item).collect::<PyResult<_>>()?))
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Sources::Objects(objects) => objects.len(),
            Sources::Arrays(chunks) => chunks.len(),
        }
    }

    /// Returns the text at `index`, if there is one.
    pub(crate) fn get(&self, index: usize) -> Option<Html<'_>> {
        match self {
            Sources::Objects(objects) => objects[index].as_ref().map(Source::html),
            Sources::Arrays(chunks) => chunks.get(index),
        }
    }
}

fn array(object: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let array = make_array(ArrayData::from_pyarrow_bound(object)?);
    match array.data_type() {
        DataType::Utf8
        | DataType::LargeUtf8
        | DataType::Utf8View
        | DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView => Ok(array),
        DataType::Dictionary(_, values) if !values.is_nested() => {
            let pyarrow = object.py().import("pyarrow")?;
            let decoded = pyarrow.call_method1("array", (object,))?;
            self::array(&decoded.call_method0("dictionary_decode")?)
        }
        other => {
            Err(value_error(format!("expected an array of strings or binaries, not of {other}")))
        }
    }
}

fn value(array: &ArrayRef, index: usize) -> Option<Html<'_>> {
    fn downcast<T: Array + 'static>(array: &ArrayRef) -> &T {
        array.as_any().downcast_ref().expect("the type was looked at")
    }
    if array.is_null(index) {
        return None;
    }
    Some(match array.data_type() {
        DataType::Utf8 => Html::Text(downcast::<StringArray>(array).value(index)),
        DataType::LargeUtf8 => Html::Text(downcast::<LargeStringArray>(array).value(index)),
        DataType::Utf8View => Html::Text(downcast::<StringViewArray>(array).value(index)),
        DataType::Binary => Html::Bytes(downcast::<BinaryArray>(array).value(index)),
        DataType::LargeBinary => Html::Bytes(downcast::<LargeBinaryArray>(array).value(index)),
        DataType::BinaryView => Html::Bytes(downcast::<BinaryViewArray>(array).value(index)),
        _ => unreachable!("other types are refused"),
    })
}
