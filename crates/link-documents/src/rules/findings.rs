//! Data that was read from a document.

use link_domain::data::batch::Extracted;
use link_types::archive::PageArea;
use link_types::data::Transaction;
use serde::{Deserialize, Serialize};

/// Data that was read from a file's documents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    /// The kind and the fields of each document.
    pub extracted: Extracted,
    /// A bank's transactions, in the printed order. Their ids are placeholders.
    pub transactions: Vec<Transaction>,
    /// The ISO 3166-1 alpha-2 code of the document's country.
    pub country: String,
    /// The labels of the values, to compare them with the drawn pages.
    #[serde(skip)]
    pub(crate) labels: Vec<LabelArea>,
    /// The number of pages of documents of other kinds in the same files, which were not read.
    pub other_pages: u16,
}

/// Where the label of a value is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LabelArea {
    /// The page.
    pub page: u16,
    /// The place of the value.
    pub value: PageArea,
    /// The place of the label.
    pub label: PageArea,
}

/// Reason why a document was not recognized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecognitionError {
    /// Its kind is unknown, or almost no values were found.
    Unknown,
    /// The files contain documents of several people.
    SeveralPeople,
}
