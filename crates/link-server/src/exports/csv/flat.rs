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
    match kind {
        DataPointKind::Insights => {
            let cutoff = ("cutoffTime", &body["cutoffTime"]);
            let features = body["features"].as_object().into_iter().flatten();
            features
                .map(|(name, value)| {
                    let name = Value::from(name.as_str());
                    row(&[id, cutoff, ("name", &name), ("value", value)])
                })
                .collect()
        }
        DataPointKind::Links => {
            let records = body["records"].as_array().into_iter().flatten();
            let dates = [("startDate", &body["startDate"]), ("endDate", &body["endDate"])];
            records
                .map(|record| {
                    let [start, end] = dates;
                    row(&[id, start, end, ("count", &record["count"]), ("linkedAt", &record["linkedAt"])])
                })
                .collect()
        }
        DataPointKind::Identities
        | DataPointKind::Documents
        | DataPointKind::Employments
        | DataPointKind::Incomes
        | DataPointKind::Transactions
        | DataPointKind::Contributions
        | DataPointKind::Liabilities
        | DataPointKind::Eincomes
        | DataPointKind::Ratings => {
            let fields: Vec<(&'static str, &Value)> =
                super::COLUMNS.iter().filter_map(|name| Some((*name, body.get(name)?))).collect();
            vec![row(&fields)]
        }
    }
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
