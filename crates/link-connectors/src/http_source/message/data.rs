//! The data points that a connector reads: those of the interface, without ids. The service itself computes the derived
//! ones.

use std::marker::PhantomData;

use link_domain::data::provider_file::{DocumentKey, FileOffer, FileReference};
use link_types::data::{self, DataPointBody, DataPointKind, Document};
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

macro_rules! data_message {
    (
        {$($one:ident $One:ident $one_key:ident $one_doc:literal $one_rest:tt)*}
        {$($list:ident $List:ident $list_key:ident $list_doc:literal $list_rest:tt)*}
        $made_list:tt $made_one:tt
    ) => {
        /// The data that was read. A missing list is empty. Each list is sent with the oldest item first.
        #[derive(Clone, Default, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "camelCase", default)]
        pub struct DataMessage {
            $(#[doc = $one_doc] #[schema(value_type = Option<data::$One>)] pub $one_key: Option<Unnamed<data::$One>>,)*
            $(#[doc = $list_doc] #[schema(value_type = Vec<data::$List>)] pub $list_key: Vec<Unnamed<data::$List>>,)*
        }

        impl DataMessage {
            /// Converts the data points to the domain's form, with the files that are offered for documents.
            pub(super) fn bodies(mut self) -> Result<(Vec<DataPointBody>, Vec<FileOffer>), ExchangeError> {
                let (mut bodies, mut files) = (Vec::new(), Vec::new());
                for (index, document) in std::mem::take(&mut self.documents).into_iter().enumerate() {
                    let (document, offer) = document.with_file(&format!("data.documents[{index}]"))?;
                    files.extend(offer);
                    bodies.push(DataPointBody::from(document));
                }
                $(if let Some(item) = self.$one_key {
                    let at = format!("data.{}", DataPointKind::$one.key());
                    bodies.push(item.into_data_point(DataPointKind::$one, &at)?.into());
                })*
                $(for (index, item) in self.$list_key.into_iter().enumerate() {
                    let at = format!("data.{}[{index}]", DataPointKind::$list.key());
                    bodies.push(item.into_data_point(DataPointKind::$list, &at)?.into());
                })*
                bodies.sort_by_key(DataPointBody::kind);
                Ok((bodies, files))
            }
        }
    };
}

link_types::data_points!(shaped data_message);

impl Unnamed<Document> {
    /// Returns the document, with the file that it offers. A document has a file or a `fileUrl`, not both.
    fn with_file(mut self, at: &str) -> Result<(Document, Option<FileOffer>), ExchangeError> {
        let refused = || ExchangeError::at(format!("{at}.{FILE}"));
        let reference = match self.fields.remove(FILE) {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => Some(FileReference::new(text).ok_or_else(refused)?),
            Some(_) => return Err(refused()),
        };
        let document = self.into_data_point(DataPointKind::Documents, at)?;
        if reference.is_some() && document.file_url.is_some() {
            return Err(refused());
        }
        let key = DocumentKey::from_document(&document);
        Ok((document, reference.map(|reference| FileOffer { document: key, reference })))
    }
}

impl<T: DeserializeOwned> Unnamed<T> {
    /// Returns the data point with a placeholder id.
    fn into_data_point(self, kind: DataPointKind, at: &str) -> Result<T, ExchangeError> {
        let mut fields = self.fields;
        if let Some((field, _)) = malformed_fields(&fields).into_iter().next() {
            return Err(ExchangeError::at(format!("{at}.{field}")));
        }
        for list in LISTS {
            let given = fields.remove(list).filter(|it| !it.is_null());
            fields.insert(list.to_owned(), given.unwrap_or_else(|| Value::Array(Vec::new())));
        }
        fields.insert("id".to_owned(), kind.id([0; 16]).into());
        serde_path_to_error::deserialize(Value::Object(fields)).map_err(
            |error: serde_path_to_error::Error<_>| ExchangeError::at(format!("{at}.{}", error.path())),
        )
    }
}

/// Returns the fields of a data point that violate a form which the interface defines only in words, each with the
/// required form: a currency of three capital letters, or the URL of a web page or file.
///
/// The result has field names and positions, like `socialProfiles[0].socialUrl`, and never a value.
pub fn malformed_fields(fields: &Map<String, Value>) -> Vec<(String, &'static str)> {
    let mut found = Vec::new();
    for (name, value) in fields {
        match value {
            Value::String(text) => found.extend(required_form(name, text).map(|form| (name.clone(), form))),
            Value::Object(inner) => {
                found.extend(
                    malformed_fields(inner).into_iter().map(|(at, form)| (format!("{name}.{at}"), form)),
                );
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    let inner = item.as_object().map(malformed_fields).unwrap_or_default();
                    found.extend(inner.into_iter().map(|(at, form)| (format!("{name}[{index}].{at}"), form)));
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    found
}

/// Returns the required form of a field with this name, if the text violates it.
fn required_form(name: &str, text: &str) -> Option<&'static str> {
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
