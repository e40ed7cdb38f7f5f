//! Values that can be trusted: a value is what a person sees on the page, or its confidence is low (ADR 202).

mod another;
mod areas;
mod columns;
mod confirmed;
mod contradicted;
mod days;
mod drawn_again;
mod evidence;
mod faults;
mod forms;
mod hidden;
mod merged;
mod movements;
mod other_amounts;
mod pictured;
mod scans;
mod several;
pub mod turned;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use link_documents::rules::{Findings, RecognitionError};
use link_documents::{Tesseract, reading};
use link_test_support::documents::pdf::{draw_pdf, text_at};
use link_types::archive::FileFormat;

/// From this confidence, a value must be right.
pub const SURE: f64 = 0.95;

/// The rows of a payslip: a label and its values.
pub const PAYSLIP: [&[&str]; 12] = [
    &["Talleres Aurora S.A. de C.V."],
    &["RECIBO DE NÓMINA"],
    &["RFC del patrón", "ABA990703213"],
    &["Nombre completo", "Rosa Elena Ficticia Prueba"],
    &["Clave de empleado", "20881"],
    &["CURP", "IAEM870617MPLBBF02"],
    &["NSS", "55304484714"],
    &["Periodo", "1 de noviembre de 2025 - 15 de noviembre de 2025"],
    &["Sueldo", "6,300.00"],
    &["Total percepciones", "7,015.05"],
    &["Total deducciones", "1,000.00"],
    &["Neto a pagar", "6,015.05"],
];

/// The fields of that payslip that the tests compare.
pub const RIGHT: [(&str, &str); 12] = [
    ("employer", "Talleres Aurora S.A. de C.V."),
    ("employerTaxId", "ABA990703213"),
    ("fullName", "Rosa Elena Ficticia Prueba"),
    ("employeeNumber", "20881"),
    ("nationalId", "IAEM870617MPLBBF02"),
    ("socialSecurityNumber", "55304484714"),
    ("startDate", "2025-11-01"),
    ("endDate", "2025-11-15"),
    ("baseAmount", "6300.00"),
    ("grossAmount", "7015.05"),
    ("deductionsAmount", "1000.00"),
    ("netAmount", "6015.05"),
];

/// The columns of values, in points.
const COLUMNS: [f64; 4] = [51.0, 230.0, 330.0, 430.0];

/// The values and confidences of a document's fields.
pub type Fields = BTreeMap<String, (String, f64)>;

/// Returns the base line of a row.
pub fn base(row: usize) -> f64 {
    732.0 - 20.0 * row as f64
}

/// Returns the operators that draw rows of texts. `draw` draws one text.
pub fn rows(rows: &[&[&str]], draw: impl Fn(f64, f64, &str) -> String) -> String {
    let cells = rows
        .iter()
        .enumerate()
        .flat_map(|(row, cells)| cells.iter().zip(COLUMNS).map(move |(text, x)| (x, base(row), *text)));
    cells.map(|(x, y, text)| draw(x, y, text)).collect()
}

/// Returns the operators that draw rows of texts once, in black.
pub fn plainly(shown: &[&[&str]]) -> String {
    rows(shown, |x, y, text| text_at(x, y, 10.0, "", text))
}

/// Reads a PDF of pages with these contents. Returns no fields if it is not recognized.
pub fn read(contents: &[String]) -> Fields {
    read_file(FileFormat::Pdf, draw_pdf(contents))
}

/// Reads a file. Returns no fields if it is not recognized.
pub fn read_file(format: FileFormat, bytes: Vec<u8>) -> Fields {
    let fields =
        file_findings(format, bytes).map(|findings| findings.extracted.first.fields).unwrap_or_default();
    fields.into_iter().map(|field| (field.name, (field.value, field.confidence))).collect()
}

/// Reads a PDF of pages with these contents.
pub fn findings(contents: &[String]) -> Result<Findings, RecognitionError> {
    file_findings(FileFormat::Pdf, draw_pdf(contents))
}

fn file_findings(format: FileFormat, bytes: Vec<u8>) -> Result<Findings, RecognitionError> {
    files_findings(vec![(format, bytes)])
}

/// Reads the files of a document.
pub fn files_findings(files: Vec<(FileFormat, Vec<u8>)>) -> Result<Findings, RecognitionError> {
    let until = Instant::now() + Duration::from_secs(60);
    let tesseract = Tesseract::default();
    reading::findings(&reading::pages(files, &tesseract, until).unwrap(), &tesseract, until)
}

/// Asserts that every field of the payslip is read.
pub fn assert_right(fields: &Fields, what: &str) {
    for (name, value) in RIGHT {
        assert_eq!(fields.get(name).map(|(value, _)| value.as_str()), Some(value), "{name}, {what}");
    }
}

/// Asserts that no amount is surely wrong.
pub fn assert_no_wrong_amount(fields: &Fields, right: &[(&str, &str)], what: &str) {
    for (name, value) in right {
        if let Some((read, confidence)) = fields.get(*name) {
            assert!(read == value || *confidence < SURE, "{name}: {read} at {confidence}, {what}");
        }
    }
}

#[test]
fn plain_payslip_is_read_completely() {
    assert_right(&read(&[plainly(&PAYSLIP)]), "drawn plainly");
}
