//! How many fields of a document were read right.

use link_types::archive::{ArchiveType, Extraction};
use link_types::data::Transaction;

use crate::generator::Sample;
use crate::generator::truth::Truth;

/// What a document was read as.
pub struct Read {
    /// Kind and fields.
    pub extraction: Extraction,
    /// A bank's movements.
    pub transactions: Vec<Transaction>,
}

/// Fields of one document: right ones, all, and what went wrong.
pub struct Score {
    /// Read right.
    pub right: usize,
    /// Expected.
    pub all: usize,
    /// Name, what was expected, what was read.
    pub misses: Vec<(String, String, String)>,
}

/// Compares what was read with what stands in the document. The kind counts as a field, and each movement as three.
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
    /// Case and runs of spaces do not matter; accents do.
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
