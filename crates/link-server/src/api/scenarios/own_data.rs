//! The data of a tenant's own login, in the form that a tenant sends: items without ids, and with any subset of fields.

use link_connectors::http_source::message::malformed_fields;
use link_types::data::DataPointKind;
use link_types::problem::{FaultCode, FieldFault};
use link_types::scenario::ScenarioData;
use serde_json::{Map, Value};
use utoipa::openapi::schema::AdditionalProperties;
use utoipa::openapi::{Object, ObjectBuilder, Type};

use crate::http::extract::body::misfit;
use crate::http::problem::{ApiResult, Problem, fault, is_enough};
use crate::http::validation::json::short;
use crate::http::validation::schema::Schemas;

/// The maximum length of a list.
const LIST_LIMIT: usize = 1_000;

macro_rules! schemas {
    (
        {$($one:ident $One:ident $one_key:ident $one_doc:literal $one_rest:tt)*}
        {$($list:ident $List:ident $list_key:ident $list_doc:literal $list_rest:tt)*}
        $made_list:tt $made_one:tt
    ) => {
        /// The schemas that the data is validated with.
        pub const SCHEMAS: &[&str] = &[$(stringify!($One),)* $(stringify!($List),)*];
        /// The kinds that the data may have.
        const KINDS: &[DataPointKind] = &[$(DataPointKind::$one,)* $(DataPointKind::$list,)*];
    };
}

link_types::data_points!(shaped schemas);

/// Returns the schema of the data. It describes the keys only in its description; [`read`] checks them.
pub(super) fn schema() -> Object {
    ObjectBuilder::new()
        .schema_type(Type::Object)
        .description(Some(format!(
            "Data points by the keys of a payload: {}. Lists are plain arrays. Items have the fields of their list \
             endpoint, without ids.",
            KINDS.iter().map(|kind| kind.key()).collect::<Vec<_>>().join(", ")
        )))
        .additional_properties(Some(AdditionalProperties::FreeForm(true)))
        .build()
}

/// Reads the data of a request body.
///
/// # Errors
/// A fault for each invalid field.
pub(super) fn read(schemas: &Schemas, data: Map<String, Value>) -> Result<ScenarioData, Vec<FieldFault>> {
    let mut faults = Vec::new();
    let mut given = data;
    for (name, value) in &mut given {
        if is_enough(&faults) {
            return Err(faults);
        }
        let path = format!("data.{}", short(name));
        match (DataPointKind::of_sources().find(|kind| kind.key() == *name), value) {
            (None, _) => faults.push(fault(path, FaultCode::Unknown, "not a kind of data points")),
            (Some(kind), Value::Array(items)) if !kind.is_single() => {
                if items.len() > LIST_LIMIT {
                    let message = format!("at most {LIST_LIMIT} items");
                    faults.push(fault(&path, FaultCode::TooLong, message));
                    continue;
                }
                for (index, item) in items.iter_mut().enumerate() {
                    if is_enough(&faults) {
                        return Err(faults);
                    }
                    check(schemas, kind, item, &format!("{path}[{index}]"), &mut faults);
                }
            }
            (Some(kind), _) if !kind.is_single() => faults.push(fault(path, FaultCode::WrongType, "array")),
            (Some(kind), item) => check(schemas, kind, item, &path, &mut faults),
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    serde_path_to_error::deserialize(Value::Object(given))
        .map_err(|error| vec![misfit(&format!("data.{}", error.path()), error.inner())])
}

/// Checks an item and sets a placeholder for its id.
fn check(schemas: &Schemas, kind: DataPointKind, item: &mut Value, path: &str, faults: &mut Vec<FieldFault>) {
    if let Value::Object(fields) = item {
        for assigned in ["id", "metadata"] {
            if fields.remove(assigned).is_some() {
                faults.push(fault(format!("{path}.{assigned}"), FaultCode::Unknown, "set by the service"));
            }
        }
        for (at, form) in malformed_fields(fields) {
            faults.push(fault(format!("{path}.{at}"), FaultCode::Invalid, form));
        }
        fields.insert("id".to_owned(), kind.id([0; 16]).into());
    }
    faults.extend(schemas.check_part(kind.body_name(), item, path));
}

/// Returns the data in the form that a tenant sends.
///
/// # Errors
/// Never in practice: data points can always be serialized as JSON.
pub(super) fn show_data(data: &ScenarioData) -> ApiResult<Value> {
    let mut shown = serde_json::to_value(data).map_err(Problem::system)?;
    for kind in shown.as_object_mut().into_iter().flat_map(Map::values_mut) {
        match kind {
            Value::Array(items) => items.iter_mut().for_each(remove_id),
            item
            @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_)) => {
                remove_id(item)
            }
        }
    }
    Ok(shown)
}

fn remove_id(item: &mut Value) {
    item.as_object_mut().map(|item| item.remove("id"));
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn schemas() -> Schemas {
        Schemas::of_requests(crate::openapi::PUBLISHED, SCHEMAS).unwrap()
    }

    fn read_data(data: Value) -> Result<ScenarioData, Vec<String>> {
        let Value::Object(data) = data else { panic!("not an object") };
        read(&schemas(), data).map_err(|faults| faults.into_iter().map(|fault| fault.field).collect())
    }

    #[test]
    fn own_data_is_returned_as_sent_without_ids() {
        let read =
            read_data(json!({"employments": [{"employer": "Talleres Aurora"}], "incomes": []})).unwrap();
        let shown = show_data(&read).unwrap();
        assert_eq!(shown["employments"][0]["employer"], "Talleres Aurora");
        assert_eq!(shown["employments"][0].get("id"), None);
        assert_eq!((&shown["incomes"], shown.get("documents")), (&json!([]), None));
        let Value::Object(again) = shown else { panic!("not an object") };
        assert_eq!(super::read(&schemas(), again), Ok(read));
    }

    #[test]
    fn own_data_with_unknown_or_assigned_fields_is_rejected() {
        let wrong = json!({"eincomes": [], "employments": [{"id": "e-1"}], "identity": "Ana"});
        assert_eq!(
            read_data(wrong).unwrap_err(),
            ["data.eincomes", "data.employments[0].id", "data.identity"]
        );
        let wrong = json!({"identity": {"fullName": "Ana", "age": 3, "emails": [{"address": "a@example.com", "kind": 1}], "phones": [], "socialProfiles": [], "addresses": []}});
        assert_eq!(read_data(wrong).unwrap_err(), ["data.identity.age", "data.identity.emails[0].kind"]);
        let missing = ["data.incomes[0].currency", "data.incomes[0].frequency"];
        assert_eq!(read_data(json!({"incomes": [{}]})).unwrap_err(), missing);
        let wrong = json!({
            "incomes": [{"currency": "pesos", "frequency": "MONTHLY"}],
            "identity": {
                "emails": [], "phones": [], "addresses": [],
                "socialProfiles": [{"socialUrl": "javascript:alert(1)"}],
            },
        });
        assert_eq!(
            read_data(wrong).unwrap_err(),
            ["data.identity.socialProfiles[0].socialUrl", "data.incomes[0].currency"]
        );
        let wrong = json!({"employments": [{"startDate": "yesterday"}]});
        assert_eq!(read_data(wrong).unwrap_err(), ["data.employments[0].startDate"]);
    }

    #[test]
    fn own_data_faults_are_reported_at_once_with_codes() {
        let data = json!({
            "transactions": [
                {"date": "2024-02-30", "amount": "5", "currency": "mxn"},
                {"amount": 5, "currency": "MXN", "colour": "red"},
            ],
            "incomes": "none",
            "rating": [],
        });
        let mut faults = read(&schemas(), data.as_object().unwrap().clone()).unwrap_err();
        faults.sort_by(|one, other| one.field.cmp(&other.field));
        let named: Vec<_> =
            faults.iter().map(|it| (it.field.as_str(), it.code, it.message.as_str())).collect();
        let expected = [
            ("data.incomes", FaultCode::WrongType, "array"),
            ("data.rating", FaultCode::WrongType, "object"),
            ("data.transactions[0].amount", FaultCode::WrongType, "number"),
            ("data.transactions[0].currency", FaultCode::Invalid, "an ISO 4217 code, like MXN"),
            ("data.transactions[0].date", FaultCode::Invalid, "a date, like 2026-11-20"),
            ("data.transactions[1].colour", FaultCode::Unknown, "no such field"),
        ];
        assert_eq!(named, expected);
    }

    #[test]
    fn amount_with_three_decimals_gets_a_specific_message() {
        let data = json!({"transactions": [{"amount": 1.005, "currency": "MXN"}]});
        let faults = read(&schemas(), data.as_object().unwrap().clone()).unwrap_err();
        assert_eq!(faults[0].field, "data.transactions[0].amount");
        assert_eq!(faults[0].message, "an amount with at most two decimals");
    }
}
