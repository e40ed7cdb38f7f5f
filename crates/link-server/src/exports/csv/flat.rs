//! Flattens a data point into rows: one for each record of a link and each feature of an insight, and one for any other
//! data point.

use std::collections::BTreeMap;

use link_types::data::DataPointKind;
use serde_json::Value;

use super::Cell;

type Cells = BTreeMap<&'static str, Cell>;

/// The separator between several values in a cell.
const SEVERAL: &str = "; ";

/// Returns the rows of a data point.
pub(super) fn rows(kind: DataPointKind, body: &Value) -> Vec<Cells> {
    let row = |fields: &[(&'static str, &Value)]| {
        let mut cells = Cells::from([("dataPoint", Cell::Text(kind.as_str().to_owned()))]);
        cells.extend(fields.iter().filter_map(|(name, value)| Some((*name, cell(value)?))));
        cells
    };
    let id = ("id", &body["id"]);
    if kind == DataPointKind::Insights {
        let cutoff = ("cutoffTime", &body["cutoffTime"]);
        let features = body["features"].as_object().into_iter().flatten();
        let feature = |(name, value): (&String, &Value)| {
            row(&[id, cutoff, ("name", &Value::from(name.as_str())), ("value", value)])
        };
        return features.map(feature).collect();
    }
    if kind == DataPointKind::Links {
        let records = body["records"].as_array().into_iter().flatten();
        let (start, end) = (("startDate", &body["startDate"]), ("endDate", &body["endDate"]));
        let record =
            |it: &Value| row(&[id, start, end, ("count", &it["count"]), ("linkedAt", &it["linkedAt"])]);
        return records.map(record).collect();
    }
    let fields: Vec<(&'static str, &Value)> =
        super::COLUMNS.iter().filter_map(|name| Some((*name, body.get(name)?))).collect();
    vec![row(&fields)]
}

/// Converts a value to a cell. Returns `None` for null and empty lists.
fn cell(value: &Value) -> Option<Cell> {
    match value {
        Value::Null => None,
        Value::Bool(flag) => Some(Cell::Text(flag.to_string())),
        Value::Number(number) => Some(Cell::Number(number.to_string())),
        Value::String(text) => Some(Cell::Text(text.clone())),
        Value::Array(items) if items.is_empty() => None,
        Value::Array(items) => {
            let parts: Vec<String> = items.iter().map(part).collect();
            Some(Cell::Text(parts.join(SEVERAL)))
        }
        Value::Object(_) => Some(Cell::Text(part(value))),
    }
}

/// Formats one of several values. Of an object, this is the most descriptive field.
fn part(value: &Value) -> String {
    let descriptive = ["address", "number", "socialUrl", "fullAddress"];
    match value {
        Value::String(text) => text.clone(),
        Value::Object(fields) => {
            let field = descriptive.iter().find_map(|name| fields.get(*name)?.as_str());
            field.map_or_else(|| value.to_string(), str::to_owned)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => value.to_string(),
    }
}
