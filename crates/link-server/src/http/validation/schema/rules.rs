//! The rules of a schema for a single value: its type, its length, its range and its form.

use link_types::problem::{FaultCode, FieldFault};
use link_types::{Date, Timestamp};
use serde_json::Value;

use crate::http::problem::fault;

fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

pub(super) fn type_fits(schema: &Value, value: &Value) -> bool {
    let types = types(schema);
    types.is_empty()
        || types.iter().any(|it| match *it {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "string" => value.is_string(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            "number" => value.is_number(),
            "integer" => value.is_i64() || value.is_u64(),
            _ => false,
        })
}

/// Returns the expected form if the schema requires a date or date-time and the text is not one.
pub(super) fn expected_time(schema: &Value, text: &str) -> Option<&'static str> {
    let error = match schema.get("format").and_then(Value::as_str) {
        Some("date-time") => text.parse::<Timestamp>().err(),
        Some("date") => text.parse::<Date>().err(),
        _ => None,
    };
    error.map(|it| it.expected)
}

/// Describes a pattern, with an example if the schema has one.
pub(super) fn form_words(schema: &Value, pattern: &str) -> String {
    let example = schema.get("example").or_else(|| schema.pointer("/examples/0")).and_then(Value::as_str);
    match example {
        Some(example) => format!("of the form {pattern}, like {example}"),
        None => format!("of the form {pattern}"),
    }
}

pub(super) fn type_words(schema: &Value) -> String {
    types(schema).join(" or ")
}

/// Checks a length. Returns false if it exceeds the maximum, so that the caller does not examine the contents.
pub(super) fn check_length(
    schema: &Value,
    min: &str,
    max: &str,
    length: usize,
    unit: &str,
    path: &str,
    faults: &mut Vec<FieldFault>,
) -> bool {
    let length = u64::try_from(length).unwrap_or(u64::MAX);
    if let Some(max) = schema.get(max).and_then(Value::as_u64)
        && length > max
    {
        faults.push(fault(path, FaultCode::TooLong, format!("at most {max} {unit}")));
        return false;
    }
    if let Some(min) = schema.get(min).and_then(Value::as_u64)
        && length < min
    {
        faults.push(fault(path, FaultCode::TooShort, format!("at least {min} {unit}")));
    }
    true
}

pub(super) fn check_range(schema: &Value, number: Option<f64>, path: &str, faults: &mut Vec<FieldFault>) {
    let bound = |key| schema.get(key).and_then(Value::as_f64);
    let Some(number) = number else { return };
    // `int32` implies a maximum.
    let widest =
        (schema.get("format").and_then(Value::as_str) == Some("int32")).then_some(f64::from(i32::MAX));
    let (minimum, maximum) = (bound("minimum"), bound("maximum").or(widest));
    if minimum.is_some_and(|min| number < min) || maximum.is_some_and(|max| number > max) {
        let words = match (minimum, maximum) {
            (Some(min), Some(max)) => format!("{min} to {max}"),
            (Some(min), None) => format!("at least {min}"),
            (None, Some(max)) => format!("at most {max}"),
            (None, None) => String::new(),
        };
        faults.push(fault(path, FaultCode::OutOfRange, words));
    }
}
