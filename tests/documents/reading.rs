//! The rules on text layers: every document type of both countries in every known layout. `cargo xtask bench ocr`,
//! which takes minutes, measures the reading of pixels.

use std::time::{Duration, Instant};

use link_documents::{Tesseract, reading, rules};
use link_test_support::documents::layouts::Style;
use link_test_support::documents::{Country, Form, Layout, Sample, sample};
use link_types::archive::ArchiveType;

const KINDS: [ArchiveType; 7] = [
    ArchiveType::Payslip,
    ArchiveType::TaxDocument,
    ArchiveType::CompanyId,
    ArchiveType::Identification,
    ArchiveType::Clearance,
    ArchiveType::Certificate,
    ArchiveType::BankStatement,
];

fn wrong_fields(sample: &Sample) -> Vec<String> {
    let files = vec![(sample.form.format(), sample.bytes.clone())];
    let until = Instant::now() + Duration::from_secs(60);
    let pages = reading::pages(files, &Tesseract::default(), until).unwrap().pages;
    let Ok(findings) = rules::read(&pages) else { return vec![format!("{}: not recognized", sample.name)] };
    let mut wrong = Vec::new();
    if findings.extracted.first.document_type != sample.truth.kind {
        wrong.push(format!("{}: {:?}", sample.name, findings.extracted.first.document_type));
    }
    for (name, expected) in &sample.truth.expected {
        let read = findings.extracted.first.fields.iter().find(|field| field.name == *name);
        let read = read.map(|field| field.value.to_lowercase()).unwrap_or_default();
        if read != expected.to_lowercase() {
            wrong.push(format!("{}: {name}: «{expected}» read as «{read}»", sample.name));
        }
    }
    let amounts: Vec<i64> = findings.transactions.iter().map(|it| it.amount.hundredths()).collect();
    let printed: Vec<i64> = sample.truth.movements.iter().map(|movement| movement.hundredths).collect();
    if amounts != printed {
        wrong.push(format!("{}: movements", sample.name));
    }
    wrong
}

#[test]
fn text_layers_are_read_with_under_1_percent_errors() {
    let mut fields = 0;
    let mut wrong = Vec::new();
    for (number, kind) in KINDS.into_iter().enumerate() {
        for country in [Country::Mx, Country::Ph] {
            // Styles differ in the amounts of payslips.
            let is_tested = |layout: &Layout| kind == ArchiveType::Payslip || layout.style == Style::Plain;
            for layout in Layout::all_known().filter(is_tested) {
                let sample = sample(kind, country, layout, Form::TextPdf, 40_000 + number as u64);
                fields += sample.truth.expected.len();
                wrong.extend(wrong_fields(&sample));
            }
        }
    }
    assert!(wrong.len() * 100 < fields, "{} of {fields} fields:\n{}", wrong.len(), wrong.join("\n"));
}
