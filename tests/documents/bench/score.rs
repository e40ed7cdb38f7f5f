//! Counts the correctly read fields of a document.

use link_test_support::documents::Sample;
use link_test_support::documents::truth::Truth;
use link_types::archive::{ArchiveType, Extraction};
use link_types::data::Transaction;

/// Data that the reader found in a document.
pub struct Read {
    /// The document type and the fields.
    pub extraction: Extraction,
    /// The transactions of a bank statement.
    pub transactions: Vec<Transaction>,
}

/// The score of one document.
pub struct Score {
    /// The number of correct fields.
    pub right: usize,
    /// The number of expected fields.
    pub all: usize,
    /// The name, the expected and the actual value of each wrong field.
    pub misses: Vec<(String, String, String)>,
}

/// Compares the findings with the document. The type counts as one field and each transaction as three.
pub fn score(sample: &Sample, read: Option<&Read>) -> Score {
    let mut score = Score { right: 0, all: 0, misses: Vec::new() };
    let kind = read.map(|read| read.extraction.document_type);
    score.compare("documentType", sample.truth.kind.as_str(), kind.map_or("", ArchiveType::as_str));
    for (name, expected) in &sample.truth.expected {
        let mut fields = read.iter().flat_map(|read| &read.extraction.fields);
        let read = fields.find(|field| field.name == *name).map_or("", |field| field.value.as_str());
        score.compare(name, expected, read);
    }
    movements(&mut score, &sample.truth, read);
    score
}

fn movements(score: &mut Score, truth: &Truth, read: Option<&Read>) {
    for (at, movement) in truth.movements.iter().enumerate() {
        let read = read.and_then(|read| read.transactions.get(at));
        let text = |value: Option<String>| value.unwrap_or_default();
        score.compare(
            "date",
            &movement.date.to_string(),
            &text(read.and_then(|it| it.date).map(|date| date.to_string())),
        );
        score.compare(
            "description",
            &movement.description,
            &text(read.and_then(|it| it.description.clone())),
        );
        let amount = read.map(|it| it.amount.hundredths().to_string());
        score.compare("amount", &movement.hundredths.to_string(), &text(amount));
    }
}

impl Score {
    /// Ignores case and runs of spaces, but not accents.
    fn compare(&mut self, name: &str, expected: &str, read: &str) {
        let form = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        self.all += 1;
        if form(expected) == form(read) {
            self.right += 1;
        } else {
            self.misses.push((name.to_owned(), expected.to_owned(), read.to_owned()));
        }
    }
}
