//! The data points that a connector reads: those of the interface, without ids. What is computed from others, the
//! service computes itself.

use std::marker::PhantomData;

use link_types::data::{
    Contribution, DataPointBody, Document, Employment, Identity, Income, Liability, Rating, Transaction,
};
use link_types::id::{
    ContributionId, DocumentId, EmploymentId, IdentityId, IncomeId, LiabilityId, RatingId, TransactionId,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use url::Url;
use utoipa::ToSchema;

use super::super::fault::Fault;

/// The lists of an identity: they may be left out.
pub(in super::super) const LISTS: [&str; 4] = ["emails", "phones", "socialProfiles", "addresses"];

/// A data point of the interface without its `id`: the service gives it one. Its optional fields may be left out.
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Unnamed<T> {
    fields: Map<String, Value>,
    #[serde(skip)]
    kind: PhantomData<T>,
}

/// What was read. A list that is left out is empty; each is sent with the oldest first.
#[derive(Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DataMessage {
    /// Who the person is.
    #[schema(value_type = Option<Identity>)]
    pub identity: Option<Unnamed<Identity>>,
    /// Rating on a platform.
    #[schema(value_type = Option<Rating>)]
    pub rating: Option<Unnamed<Rating>>,
    /// Documents.
    #[schema(value_type = Vec<Document>)]
    pub documents: Vec<Unnamed<Document>>,
    /// Jobs.
    #[schema(value_type = Vec<Employment>)]
    pub employments: Vec<Unnamed<Employment>>,
    /// Pay.
    #[schema(value_type = Vec<Income>)]
    pub incomes: Vec<Unnamed<Income>>,
    /// Money movements.
    #[schema(value_type = Vec<Transaction>)]
    pub transactions: Vec<Unnamed<Transaction>>,
    /// Contributions.
    #[schema(value_type = Vec<Contribution>)]
    pub contributions: Vec<Unnamed<Contribution>>,
    /// Loans.
    #[schema(value_type = Vec<Liability>)]
    pub liabilities: Vec<Unnamed<Liability>>,
}

impl DataMessage {
    /// The data points as the domain takes them.
    pub(super) fn bodies(self) -> Result<Vec<DataPointBody>, Fault> {
        use DataPointBody as Body;
        let mut bodies = Vec::new();
        for (at, it) in self.identity.into_iter().map(|it| ("data.identity", it)) {
            bodies.push(Body::Identity(Box::new(it.named(IdentityId::from_bytes, at)?)));
        }
        for (at, it) in self.rating.into_iter().map(|it| ("data.rating", it)) {
            bodies.push(Body::Rating(it.named(RatingId::from_bytes, at)?));
        }
        each(self.documents, "documents", DocumentId::from_bytes, Body::Document, &mut bodies)?;
        each(self.employments, "employments", EmploymentId::from_bytes, Body::Employment, &mut bodies)?;
        each(self.incomes, "incomes", IncomeId::from_bytes, Body::Income, &mut bodies)?;
        each(self.transactions, "transactions", TransactionId::from_bytes, Body::Transaction, &mut bodies)?;
        each(
            self.contributions,
            "contributions",
            ContributionId::from_bytes,
            Body::Contribution,
            &mut bodies,
        )?;
        each(self.liabilities, "liabilities", LiabilityId::from_bytes, Body::Liability, &mut bodies)?;
        Ok(bodies)
    }
}

fn each<T: DeserializeOwned, Id: Serialize>(
    items: Vec<Unnamed<T>>,
    list: &str,
    id: fn([u8; 16]) -> Id,
    body: fn(T) -> DataPointBody,
    bodies: &mut Vec<DataPointBody>,
) -> Result<(), Fault> {
    for (index, item) in items.into_iter().enumerate() {
        bodies.push(body(item.named(id, &format!("data.{list}[{index}]"))?));
    }
    Ok(())
}

impl<T: DeserializeOwned> Unnamed<T> {
    /// The data point with a placeholder for an id.
    fn named<Id: Serialize>(self, id: fn([u8; 16]) -> Id, at: &str) -> Result<T, Fault> {
        let mut fields = self.fields;
        if let Some((field, _)) = misformed(&fields).into_iter().next() {
            return Err(Fault::at(format!("{at}.{field}")));
        }
        for list in LISTS {
            let given = fields.remove(list).filter(|it| !it.is_null());
            fields.insert(list.to_owned(), given.unwrap_or_else(|| Value::Array(Vec::new())));
        }
        let placeholder = serde_json::to_value(id([0; 16])).map_err(|_| Fault::at(at))?;
        fields.insert("id".to_owned(), placeholder);
        serde_path_to_error::deserialize(Value::Object(fields))
            .map_err(|error: serde_path_to_error::Error<_>| Fault::at(format!("{at}.{}", error.path())))
    }
}

/// The places in a data point that are not of the form which the interface says in words alone, each with that form: a
/// currency of three capital letters, an address that is a web page's or a file's. Field names and positions, like
/// `socialProfiles[0].socialUrl`; never a value.
pub fn misformed(fields: &Map<String, Value>) -> Vec<(String, &'static str)> {
    let mut found = Vec::new();
    for (name, value) in fields {
        match value {
            Value::String(text) => found.extend(refused_form(name, text).map(|form| (name.clone(), form))),
            Value::Object(inner) => {
                found.extend(misformed(inner).into_iter().map(|(at, form)| (format!("{name}.{at}"), form)));
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    let inner = item.as_object().map(misformed).unwrap_or_default();
                    found.extend(inner.into_iter().map(|(at, form)| (format!("{name}[{index}].{at}"), form)));
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    found
}

/// What a field of this name has to be, when a text is not.
fn refused_form(name: &str, text: &str) -> Option<&'static str> {
    let (fits, form) = match name {
        "currency" => {
            let fits = text.len() == 3 && text.bytes().all(|it| it.is_ascii_uppercase());
            (fits, "an ISO 4217 code, like MXN")
        }
        "fileUrl" | "photoUrl" | "profileUrl" | "socialUrl" => {
            (is_web(text), "an address of the web, like https://example.com/ana")
        }
        _ => return None,
    };
    (!fits).then_some(form)
}

fn is_web(text: &str) -> bool {
    let has_host = ["https://", "http://"].iter().any(|scheme| text.starts_with(scheme))
        && Url::parse(text).is_ok_and(|it| it.has_host());
    has_host && !text.contains(|it: char| it.is_whitespace() || it.is_control())
}
