//! The data points that a connector reads: those of the interface, without ids. The service itself computes the derived
//! ones.

use std::marker::PhantomData;

use link_domain::documents::provider_file::{DocumentKey, FileOffer, FileReference};
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

use crate::http_source::fault::ExchangeError;

/// The field of a document that names its file. It is not part of the interface's Document.
pub(crate) const FILE: &str = "file";

/// The lists of an identity, which may be left out.
pub(crate) const LISTS: [&str; 4] = ["emails", "phones", "socialProfiles", "addresses"];

/// A data point of the interface without its `id`, which the service assigns. Optional fields may be left out.
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Unnamed<T> {
    fields: Map<String, Value>,
    #[serde(skip)]
    kind: PhantomData<T>,
}

/// The data that was read. A missing list is empty. Each list is sent with the oldest item first.
#[derive(Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DataMessage {
    /// The person's identity.
    #[schema(value_type = Option<Identity>)]
    pub identity: Option<Unnamed<Identity>>,
    /// The rating on a platform.
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
    /// Transactions.
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
    /// Converts the data points to the domain's form, with the files that are offered for documents.
    pub(super) fn bodies(self) -> Result<(Vec<DataPointBody>, Vec<FileOffer>), ExchangeError> {
        use DataPointBody as Body;
        let (mut bodies, mut files) = (Vec::new(), Vec::new());
        for (at, it) in self.identity.into_iter().map(|it| ("data.identity", it)) {
            bodies.push(Body::Identity(Box::new(it.named(IdentityId::from_bytes, at)?)));
        }
        for (at, it) in self.rating.into_iter().map(|it| ("data.rating", it)) {
            bodies.push(Body::Rating(it.named(RatingId::from_bytes, at)?));
        }
        for (index, item) in self.documents.into_iter().enumerate() {
            let (document, offer) = item.with_file(&format!("data.documents[{index}]"))?;
            files.extend(offer);
            bodies.push(Body::Document(document));
        }
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
        Ok((bodies, files))
    }
}

fn each<T: DeserializeOwned, Id: Serialize>(
    items: Vec<Unnamed<T>>,
    list: &str,
    id: fn([u8; 16]) -> Id,
    body: fn(T) -> DataPointBody,
    bodies: &mut Vec<DataPointBody>,
) -> Result<(), ExchangeError> {
    for (index, item) in items.into_iter().enumerate() {
        bodies.push(body(item.named(id, &format!("data.{list}[{index}]"))?));
    }
    Ok(())
}

impl Unnamed<Document> {
    /// Returns the document, with the file that it offers. A document has a file or a `fileUrl`, not both.
    fn with_file(mut self, at: &str) -> Result<(Document, Option<FileOffer>), ExchangeError> {
        let refused = || ExchangeError::at(format!("{at}.{FILE}"));
        let reference = match self.fields.remove(FILE) {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => Some(FileReference::new(text).ok_or_else(refused)?),
            Some(_) => return Err(refused()),
        };
        let document = self.named(DocumentId::from_bytes, at)?;
        if reference.is_some() && document.file_url.is_some() {
            return Err(refused());
        }
        let key = DocumentKey::of(&document);
        Ok((document, reference.map(|reference| FileOffer { document: key, reference })))
    }
}

impl<T: DeserializeOwned> Unnamed<T> {
    /// Returns the data point with a placeholder id.
    fn named<Id: Serialize>(self, id: fn([u8; 16]) -> Id, at: &str) -> Result<T, ExchangeError> {
        let mut fields = self.fields;
        if let Some((field, _)) = misformed(&fields).into_iter().next() {
            return Err(ExchangeError::at(format!("{at}.{field}")));
        }
        for list in LISTS {
            let given = fields.remove(list).filter(|it| !it.is_null());
            fields.insert(list.to_owned(), given.unwrap_or_else(|| Value::Array(Vec::new())));
        }
        let placeholder = serde_json::to_value(id([0; 16])).map_err(|_| ExchangeError::at(at))?;
        fields.insert("id".to_owned(), placeholder);
        serde_path_to_error::deserialize(Value::Object(fields)).map_err(
            |error: serde_path_to_error::Error<_>| ExchangeError::at(format!("{at}.{}", error.path())),
        )
    }
}

/// Returns the fields of a data point that violate a form which the interface defines only in words, each with the
/// required form: a currency of three capital letters, or the URL of a web page or file.
///
/// The result has field names and positions, like `socialProfiles[0].socialUrl`, and never a value.
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

/// Returns the required form of a field with this name, if the text violates it.
fn refused_form(name: &str, text: &str) -> Option<&'static str> {
    let (fits, form) = match name {
        "currency" => {
            let fits = text.len() == 3 && text.bytes().all(|it| it.is_ascii_uppercase());
            (fits, "an ISO 4217 code, like MXN")
        }
        "fileUrl" | "photoUrl" | "profileUrl" | "socialUrl" => {
            (is_web(text), "a web address, like https://example.com/ana")
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
