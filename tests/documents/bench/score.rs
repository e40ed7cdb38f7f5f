//! Counts the correctly read fields of a document.

use link_domain::data::batch::Extracted;
use link_test_support::documents::Sample;
use link_test_support::documents::truth::Truth;
use link_types::archive::ArchiveType;
use link_types::data::Transaction;

/// From this confidence on, a value should be correct.
pub const SURE: f64 = 0.95;

/// Data that the reader found in a document.
pub struct Read {
    /// The document type and the fields.
    pub extracted: Extracted,
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
    /// The confidence in each field that was read, and whether it is correct.
    pub sure: Vec<(f64, bool)>,
}

/// Compares the findings with the document. The type counts as one field and each transaction as three.
pub fn score(sample: &Sample, read: Option<&Read>) -> Score {
    let mut score = Score { right: 0, all: 0, misses: Vec::new(), sure: Vec::new() };
    let kind = read.map(|read| read.extracted.first.document_type);
    score.compare("documentType", sample.truth.kind.as_str(), kind.map_or("", ArchiveType::as_str));
    for (name, expected) in &sample.truth.expected {
        let mut fields = read.iter().flat_map(|read| &read.extracted.first.fields);
        let read = fields.find(|field| field.name == *name).map_or("", |field| field.value.as_str());
        score.compare(name, expected, read);
    }
    movements(&mut score, &sample.truth, read);
    for field in read.iter().flat_map(|read| &read.extracted.first.fields) {
        let expected = sample.truth.expected.iter().find(|(name, _)| *name == field.name);
        let right = expected.is_some_and(|(_, value)| form(value) == form(&field.value));
        score.sure.push((field.confidence, right));
        if !right && field.confidence >= SURE {
            let expected = expected.map_or("", |(_, value)| value);
            let name = format!("{} at {}", field.name, field.confidence);
            score.misses.push((name, expected.to_owned(), field.value.clone()));
        }
    }
    score
}

/// Returns a value without differences of case and of spaces.
fn form(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

fn movements(score: &mut Score, truth: &Truth, read: Option<&Read>) {
    let mut rest = read.map_or(&[][..], |read| read.transactions.as_slice());
    for movement in &truth.movements {
        // A row that was not read is one miss of each of its values, and not a miss of all rows after it.
        let same = |it: &Transaction| it.amount.hundredths() == movement.hundredths;
        let found = rest.iter().position(same).or_else(|| {
            let known = |it: &Transaction| {
                truth.movements.iter().any(|other| other.hundredths == it.amount.hundredths())
            };
            rest.first().filter(|it| !known(it)).map(|_| 0)
        });
        let read = found.and_then(|at| rest.get(at));
        rest = &rest[found.map_or(0, |at| at + 1)..];
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
        self.all += 1;
        if form(expected) == form(read) {
            self.right += 1;
        } else {
            self.misses.push((name.to_owned(), expected.to_owned(), read.to_owned()));
        }
    }
}
