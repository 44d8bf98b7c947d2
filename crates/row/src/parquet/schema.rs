//! Converts the columns of a file to a schema of Parquet.

use crate::columns::ColumnLayout;
use ::parquet::basic::{ConvertedType, LogicalType, Repetition, Type as PhysicalType};
use ::parquet::errors::Result;
use ::parquet::schema::types::{Type, TypePtr};
use arrow_schema::{DataType, Field};
use std::sync::Arc;

impl ColumnLayout {
    /// Returns the schema of a file with the columns at these indexes.
    pub(super) fn parquet_schema(&self, places: &[usize]) -> Result<TypePtr> {
        let columns = places.iter().map(|place| column(self.schema().field(*place)));
        let columns = columns.collect::<Result<_>>()?;
        Type::group_type_builder("row").with_fields(columns).build().map(Arc::new)
    }
}

fn column(field: &Field) -> Result<TypePtr> {
    let repetition = if field.is_nullable() { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    let kind = match field.data_type() {
        DataType::Boolean => PhysicalType::BOOLEAN,
        DataType::Int32 => PhysicalType::INT32,
        DataType::Int64 => PhysicalType::INT64,
        DataType::Float64 => PhysicalType::DOUBLE,
        DataType::Struct(fields) => {
            let columns = fields.iter().map(|field| column(field)).collect::<Result<_>>()?;
            let group = Type::group_type_builder(field.name()).with_repetition(repetition);
            return group.with_fields(columns).build().map(Arc::new);
        }
        _ => PhysicalType::BYTE_ARRAY,
    };
    let column = Type::primitive_type_builder(field.name(), kind).with_repetition(repetition);
    let column = if kind == PhysicalType::BYTE_ARRAY {
        column.with_converted_type(ConvertedType::UTF8).with_logical_type(Some(LogicalType::String))
    } else {
        column
    };
    column.build().map(Arc::new)
}
