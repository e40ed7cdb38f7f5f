//! The data of a tenant's own login, as a tenant writes it: items without ids, and only the fields that matter.

use link_connectors::http_source::message::misformed;
use link_types::id::*;
use link_types::problem::{FaultCode, FieldFault};
use link_types::scenario::ScenarioData;
use serde_json::{Map, Value};
use utoipa::openapi::schema::AdditionalProperties;
use utoipa::openapi::{Object, ObjectBuilder, Type};

use crate::http::problem::{Answer, Problem, fault};

/// The longest list of one kind.
const LIST_LIMIT: usize = 1_000;

/// Each key, and an id that stands in its items until they are read.
fn keys() -> [(&'static str, String); 8] {
    let zero = [0; 16];
    [
        ("identity", IdentityId::from_bytes(zero).to_string()),
        ("rating", RatingId::from_bytes(zero).to_string()),
        ("documents", DocumentId::from_bytes(zero).to_string()),
        ("incomes", IncomeId::from_bytes(zero).to_string()),
        ("transactions", TransactionId::from_bytes(zero).to_string()),
        ("employments", EmploymentId::from_bytes(zero).to_string()),
        ("contributions", ContributionId::from_bytes(zero).to_string()),
        ("liabilities", LiabilityId::from_bytes(zero).to_string()),
    ]
}

/// Data as a tenant writes it: what its keys are is said in words, and checked by [`read`].
pub(super) fn schema() -> Object {
    ObjectBuilder::new()
        .schema_type(Type::Object)
        .description(Some(
            "Data points by the keys of a payload (identity, rating, documents, incomes, transactions, employments, \
             contributions, liabilities); lists bare, items with the fields of their lists and without ids.",
        ))
        .additional_properties(Some(AdditionalProperties::FreeForm(true)))
        .build()
}

/// The data of a request body.
///
/// # Errors
/// Every unknown key and field by name, and the first place where something is of another form.
pub(super) fn read(data: Map<String, Value>) -> Result<ScenarioData, Vec<FieldFault>> {
    let (keys, mut faults) = (keys(), Vec::new());
    let mut given = data;
    for (name, value) in &mut given {
        let Some((_, id)) = keys.iter().find(|(key, _)| key == name) else {
            faults.push(fault(format!("data.{name}"), FaultCode::Unknown, "no kind of data points"));
            continue;
        };
        match value {
            Value::Array(items) if items.len() > LIST_LIMIT => {
                let words = format!("at most {LIST_LIMIT} items");
                faults.push(fault(format!("data.{name}"), FaultCode::TooLong, words));
            }
            Value::Array(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    identify(item, id, &format!("data.{name}[{index}]"), &mut faults);
                }
            }
            item
            @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_)) => {
                identify(item, id, &format!("data.{name}"), &mut faults)
            }
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let given = Value::Object(given);
    let read: ScenarioData =
        serde_path_to_error::deserialize(&given).map_err(|error| vec![refused(&error)])?;
    let known = serde_json::to_value(&read).unwrap_or_default();
    unknown(&given, &known, "data", &mut faults);
    if faults.is_empty() { Ok(read) } else { Err(faults) }
}

/// What a type says of the first place that it cannot take, without the value.
fn refused(error: &serde_path_to_error::Error<serde_json::Error>) -> FieldFault {
    let (path, words) = (error.path(), error.inner().to_string());
    match words.strip_prefix("missing field `").and_then(|rest| rest.split_once('`')) {
        Some((field, _)) => fault(format!("data.{path}.{field}"), FaultCode::Missing, "required"),
        None => fault(format!("data.{path}"), FaultCode::Invalid, "not of the required form"),
    }
}

/// The data as a tenant wrote it, and may write it again.
///
/// # Errors
/// Never in practice: data points are JSON.
pub(super) fn shown(data: &ScenarioData) -> Answer<Value> {
    let mut shown = serde_json::to_value(data).map_err(Problem::system)?;
    for kind in shown.as_object_mut().into_iter().flat_map(Map::values_mut) {
        match kind {
            Value::Array(items) => items.iter_mut().for_each(anonymize),
            item
            @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_)) => {
                anonymize(item)
            }
        }
    }
    Ok(shown)
}

fn anonymize(item: &mut Value) {
    item.as_object_mut().map(|item| item.remove("id"));
}

/// Gives an item the id that its type asks for.
fn identify(item: &mut Value, id: &str, path: &str, faults: &mut Vec<FieldFault>) {
    let Value::Object(fields) = item else {
        return faults.push(fault(path, FaultCode::Invalid, "not of the required form"));
    };
    for made in ["id", "metadata"] {
        if fields.contains_key(made) {
            faults.push(fault(format!("{path}.{made}"), FaultCode::Unknown, "made by the service"));
        }
    }
    if let Some(at) = misformed(fields) {
        faults.push(fault(format!("{path}.{at}"), FaultCode::Invalid, "not of the required form"));
    }
    fields.insert("id".to_owned(), id.into());
}

/// What was given and is not among what was read.
fn unknown(given: &Value, known: &Value, path: &str, faults: &mut Vec<FieldFault>) {
    match (given, known) {
        (Value::Object(given), Value::Object(known)) => {
            for (name, value) in given {
                let path = format!("{path}.{name}");
                match known.get(name) {
                    Some(known) => unknown(value, known, &path, faults),
                    // A null that is left out when written is what a null says.
                    None if value.is_null() => {}
                    None => faults.push(fault(path, FaultCode::Unknown, "no such field")),
                }
            }
        }
        (Value::Array(given), Value::Array(known)) => {
            for (index, (given, known)) in given.iter().zip(known).enumerate() {
                unknown(given, known, &format!("{path}[{index}]"), faults);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn given(data: Value) -> Result<ScenarioData, Vec<String>> {
        let Value::Object(data) = data else { panic!("no object") };
        read(data).map_err(|faults| faults.into_iter().map(|fault| fault.field).collect())
    }

    #[test]
    fn what_is_written_is_shown_again_without_ids() {
        let read = given(json!({"employments": [{"employer": "Talleres Aurora"}], "incomes": []})).unwrap();
        let shown = shown(&read).unwrap();
        assert_eq!(shown["employments"][0]["employer"], "Talleres Aurora");
        assert_eq!(shown["employments"][0].get("id"), None);
        assert_eq!((&shown["incomes"], shown.get("documents")), (&json!([]), None));
        let Value::Object(again) = shown else { panic!("no object") };
        assert_eq!(super::read(again), Ok(read));
    }

    #[test]
    fn unknown_kinds_and_fields_and_what_the_service_makes_are_named() {
        let wrong = json!({"eincomes": [], "employments": [{"id": "e-1"}], "identity": "Ana"});
        assert_eq!(given(wrong).unwrap_err(), ["data.eincomes", "data.employments[0].id", "data.identity"]);
        let wrong = json!({"identity": {"fullName": "Ana", "age": 3, "emails": [{"address": "a@example.com", "kind": 1}], "phones": [], "socialProfiles": [], "addresses": []}});
        assert_eq!(given(wrong).unwrap_err(), ["data.identity.age", "data.identity.emails[0].kind"]);
        assert_eq!(given(json!({"incomes": [{}]})).unwrap_err(), ["data.incomes[0].currency"]);
        let wrong = json!({
            "incomes": [{"currency": "pesos"}],
            "identity": {"socialProfiles": [{"socialUrl": "javascript:alert(1)"}]},
        });
        assert_eq!(
            given(wrong).unwrap_err(),
            ["data.identity.socialProfiles[0].socialUrl", "data.incomes[0].currency"]
        );
        let wrong = json!({"employments": [{"startDate": "yesterday"}]});
        assert_eq!(given(wrong).unwrap_err(), ["data.employments[0].startDate"]);
    }
}
