//! The data of a tenant's own login, as a tenant writes it: items without ids, and only the fields that matter.

use link_connectors::http_source::message::misformed;
use link_types::id::*;
use link_types::problem::{FaultCode, FieldFault};
use link_types::scenario::ScenarioData;
use serde_json::{Map, Value};
use utoipa::openapi::schema::AdditionalProperties;
use utoipa::openapi::{Object, ObjectBuilder, Type};

use crate::http::body::misfit;
use crate::http::json::short;
use crate::http::problem::{Answer, Problem, fault, is_enough};
use crate::http::schema::Schemas;

/// The longest list of one kind.
const LIST_LIMIT: usize = 1_000;

/// Data points that a login may lead to.
struct Kind {
    /// Their key.
    key: &'static str,
    /// The name of one's schema in the document.
    schema: &'static str,
    is_list: bool,
    /// What stands in for an id until they are read.
    id: String,
}

/// The schemas that the data is held against.
pub const SCHEMAS: [&str; 8] =
    ["Identity", "Rating", "Document", "Income", "Transaction", "Employment", "Contribution", "Liability"];

fn kinds() -> [Kind; 8] {
    let zero = [0; 16];
    let [identity, rating, document, income, transaction, employment, contribution, liability] = SCHEMAS;
    let one = |key, schema, id| Kind { key, schema, is_list: false, id };
    let list = |key, schema, id| Kind { key, schema, is_list: true, id };
    [
        one("identity", identity, IdentityId::from_bytes(zero).to_string()),
        one("rating", rating, RatingId::from_bytes(zero).to_string()),
        list("documents", document, DocumentId::from_bytes(zero).to_string()),
        list("incomes", income, IncomeId::from_bytes(zero).to_string()),
        list("transactions", transaction, TransactionId::from_bytes(zero).to_string()),
        list("employments", employment, EmploymentId::from_bytes(zero).to_string()),
        list("contributions", contribution, ContributionId::from_bytes(zero).to_string()),
        list("liabilities", liability, LiabilityId::from_bytes(zero).to_string()),
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
/// Everything that is wrong with it, by name.
pub(super) fn read(schemas: &Schemas, data: Map<String, Value>) -> Result<ScenarioData, Vec<FieldFault>> {
    let (kinds, mut faults) = (kinds(), Vec::new());
    let mut given = data;
    for (name, value) in &mut given {
        if is_enough(&faults) {
            return Err(faults);
        }
        let path = format!("data.{}", short(name));
        match (kinds.iter().find(|kind| kind.key == name), value) {
            (None, _) => faults.push(fault(path, FaultCode::Unknown, "no kind of data points")),
            (Some(kind), Value::Array(items)) if kind.is_list => {
                if items.len() > LIST_LIMIT {
                    let words = format!("at most {LIST_LIMIT} items");
                    faults.push(fault(&path, FaultCode::TooLong, words));
                    continue;
                }
                for (index, item) in items.iter_mut().enumerate() {
                    if is_enough(&faults) {
                        return Err(faults);
                    }
                    check(schemas, kind, item, &format!("{path}[{index}]"), &mut faults);
                }
            }
            (Some(kind), _) if kind.is_list => faults.push(fault(path, FaultCode::WrongType, "array")),
            (Some(kind), item) => check(schemas, kind, item, &path, &mut faults),
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    serde_path_to_error::deserialize(Value::Object(given))
        .map_err(|error| vec![misfit(&format!("data.{}", error.path()), error.inner())])
}

/// Gives an item the id that its type asks for, and names what is wrong with it.
fn check(schemas: &Schemas, kind: &Kind, item: &mut Value, path: &str, faults: &mut Vec<FieldFault>) {
    if let Value::Object(fields) = item {
        for made in ["id", "metadata"] {
            if fields.remove(made).is_some() {
                faults.push(fault(format!("{path}.{made}"), FaultCode::Unknown, "made by the service"));
            }
        }
        for (at, form) in misformed(fields) {
            faults.push(fault(format!("{path}.{at}"), FaultCode::Invalid, form));
        }
        fields.insert("id".to_owned(), kind.id.clone().into());
    }
    faults.extend(schemas.check_part(kind.schema, item, path));
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn schemas() -> Schemas {
        Schemas::of_requests(crate::endpoints::openapi::PUBLISHED, &SCHEMAS).unwrap()
    }

    fn given(data: Value) -> Result<ScenarioData, Vec<String>> {
        let Value::Object(data) = data else { panic!("no object") };
        read(&schemas(), data).map_err(|faults| faults.into_iter().map(|fault| fault.field).collect())
    }

    #[test]
    fn what_is_written_is_shown_again_without_ids() {
        let read = given(json!({"employments": [{"employer": "Talleres Aurora"}], "incomes": []})).unwrap();
        let shown = shown(&read).unwrap();
        assert_eq!(shown["employments"][0]["employer"], "Talleres Aurora");
        assert_eq!(shown["employments"][0].get("id"), None);
        assert_eq!((&shown["incomes"], shown.get("documents")), (&json!([]), None));
        let Value::Object(again) = shown else { panic!("no object") };
        assert_eq!(super::read(&schemas(), again), Ok(read));
    }

    #[test]
    fn unknown_kinds_and_fields_and_what_the_service_makes_are_named() {
        let wrong = json!({"eincomes": [], "employments": [{"id": "e-1"}], "identity": "Ana"});
        assert_eq!(given(wrong).unwrap_err(), ["data.eincomes", "data.employments[0].id", "data.identity"]);
        let wrong = json!({"identity": {"fullName": "Ana", "age": 3, "emails": [{"address": "a@example.com", "kind": 1}], "phones": [], "socialProfiles": [], "addresses": []}});
        assert_eq!(given(wrong).unwrap_err(), ["data.identity.age", "data.identity.emails[0].kind"]);
        let missing = ["data.incomes[0].currency", "data.incomes[0].frequency"];
        assert_eq!(given(json!({"incomes": [{}]})).unwrap_err(), missing);
        let wrong = json!({
            "incomes": [{"currency": "pesos", "frequency": "MONTHLY"}],
            "identity": {
                "emails": [], "phones": [], "addresses": [],
                "socialProfiles": [{"socialUrl": "javascript:alert(1)"}],
            },
        });
        assert_eq!(
            given(wrong).unwrap_err(),
            ["data.identity.socialProfiles[0].socialUrl", "data.incomes[0].currency"]
        );
        let wrong = json!({"employments": [{"startDate": "yesterday"}]});
        assert_eq!(given(wrong).unwrap_err(), ["data.employments[0].startDate"]);
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once_with_its_code() {
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
    fn an_amount_is_told_how_exact_it_may_be() {
        let data = json!({"transactions": [{"amount": 1.005, "currency": "MXN"}]});
        let faults = read(&schemas(), data.as_object().unwrap().clone()).unwrap_err();
        assert_eq!(faults[0].field, "data.transactions[0].amount");
        assert_eq!(faults[0].message, "an amount with at most two decimals");
    }
}
