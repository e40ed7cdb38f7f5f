//! Extracts a document's kind, fields and transactions from its pages.

use link_domain::data::batch::Extracted;
use link_types::archive::{ArchiveType, ExtractedField, Extraction, ExtractionFault, ExtractionFaultCode};
use link_types::data::Transaction;
use link_types::id::TransactionId;

use super::belonging::belonging;
use super::documents::{self, Part, SeveralPeopleError};
use super::evidence::Evidence;
use super::finder::FoundField;
use super::findings::{Findings, LabelArea, RecognitionError};
use super::kind::Country;
use super::movements::{Movement, Movements};
use super::tidy::tidy_page;
use super::values::{Named, Order, Reading};
use super::{evidence, fields, finder, gender, heading, kind, labels, movements, sums};
use crate::page::{Frame, Page, Place};

/// The minimum number of fields. With fewer, the document is not recognized.
const MIN_FIELDS: usize = 2;
/// Values below this confidence have a fault.
const UNSURE: f32 = 0.5;

/// Reads the documents on the pages: those of the same kind and person as the first one.
///
/// # Errors
/// Why no document was recognized.
pub fn read(pages: &[Page]) -> Result<Findings, RecognitionError> {
    let pages: Vec<Page> = pages.iter().map(tidy_page).collect();
    let frames: Vec<Frame> = pages.iter().map(|page| page.frame).collect();
    let kind = kind::kind(&pages).ok_or(RecognitionError::Unknown)?;
    let (country, is_clear) = Country::detect(&pages);
    let order = country.order(is_clear, &pages);
    let setting = Setting { kind, country, is_clear, order };
    let fields = fields::fields(kind);
    let mut parts = documents::parts(&pages);
    for part in &mut parts {
        let labels = labels::labels(&part.page.lines, fields);
        part.found = finder::find(&part.page.lines, &labels, fields, order);
    }
    let (documents, mut other_pages) = documents::split(parts, kind, fields)
        .map_err(|SeveralPeopleError| RecognitionError::SeveralPeople)?;
    let (mut transactions, mut labels) = (Vec::new(), Vec::new());
    let mut found = Vec::new();
    for parts in documents {
        let count = u16::try_from(parts.len()).unwrap_or(u16::MAX);
        match document(parts, &setting, &frames) {
            Some(Document { extraction, transactions: own, labels: own_labels }) => {
                found.push(extraction);
                transactions.extend(own);
                labels.extend(own_labels);
            }
            None => other_pages = other_pages.saturating_add(count),
        }
    }
    let mut found = found.into_iter();
    let first = found.next().ok_or(RecognitionError::Unknown)?;
    let extracted = Extracted { first, further: found.collect() };
    Ok(Findings { extracted, transactions, country: country.code().to_owned(), labels, other_pages })
}

/// The data of one document.
struct Document {
    extraction: Extraction,
    transactions: Vec<Transaction>,
    labels: Vec<LabelArea>,
}

/// The properties that all documents in the files share.
struct Setting {
    kind: ArchiveType,
    country: Country,
    /// Whether the country is clear.
    is_clear: bool,
    order: Order,
}

/// Returns the data of one document, or `None` if it has almost no values.
fn document(parts: Vec<Part>, setting: &Setting, frames: &[Frame]) -> Option<Document> {
    let Setting { kind, country, order, .. } = *setting;
    let Best { mut values, amounts_agree, unsure } = fields_of(&parts, kind);
    let mut numbers: Vec<u16> = parts.iter().map(|part| part.number).collect();
    numbers.dedup();
    complete(&mut values, &parts, setting);
    gender::settle(&mut values, setting.country);
    doubt_short_numbers(&mut values, setting);
    if values.len() < MIN_FIELDS {
        return None;
    }
    let balance = |name| sums::amount(&values, name);
    let (opening, closing) = (balance("openingBalance"), balance("closingBalance"));
    let pages: Vec<Page> = parts.into_iter().map(|part| part.page).collect();
    let movements = if kind == ArchiveType::BankStatement {
        movements::movements(&pages, order, opening, closing)
    } else {
        Movements::default()
    };
    let transaction = |movement: Movement| Transaction {
        id: TransactionId::from_bytes([0; 16]),
        date: Some(movement.date),
        description: (!movement.description.is_empty()).then_some(movement.description),
        currency: country.currency().to_owned(),
        amount: movement.amount,
        reference_id: None,
    };
    let transactions: Vec<Transaction> = movements.confirmed.into_iter().map(transaction).collect();
    let sums: &[&str] = if sums::connect_balances(&mut values, &transactions) {
        &["openingBalance", "closingBalance"]
    } else if amounts_agree {
        &["grossAmount", "deductionsAmount", "netAmount"]
    } else {
        &[]
    };
    let evidence = Evidence { sums, unsure: &unsure, is_clear: setting.is_clear, order };
    evidence::weigh(&mut values, &pages, &evidence);
    for (_, reading, _) in values.iter_mut().filter(|(_, it, _)| it.confidence < UNSURE) {
        reading.fault = reading.fault.or(Some(ExtractionFaultCode::SeveralValues));
    }
    let faults = faults_of(&values, movements.are_left_out);
    let area = |place: Option<Place>, page: u16| Some(frames.get(usize::from(page) - 1)?.area(place?));
    let label = |(_, reading, page): &Named| {
        let (value, label) = (area(reading.place, *page)?, area(reading.label, *page)?);
        Some(LabelArea { page: *page, value, label })
    };
    let labels = values.iter().filter_map(label).collect();
    let fields = values
        .into_iter()
        .map(|(name, reading, page)| ExtractedField {
            name: name.to_owned(),
            area: area(reading.place, page),
            value: reading.text,
            confidence: (f64::from(reading.confidence) * 100.0).round() / 100.0,
            page,
        })
        .collect();
    let extraction = Extraction { document_type: kind, pages: numbers, fields, faults };
    Some(Document { extraction, transactions, labels })
}

/// Doubts a Mexican social security number of ten digits, which has eleven. In the Philippines, it has ten.
fn doubt_short_numbers(values: &mut [Named], setting: &Setting) {
    const SHORT: f32 = 0.45;
    let is_mexican = setting.is_clear && setting.country.currency() == "MXN";
    for (_, reading, _) in
        values.iter_mut().filter(|(name, ..)| is_mexican && *name == "socialSecurityNumber")
    {
        if reading.text.chars().filter(char::is_ascii_digit).count() == 10 {
            reading.confidence *= SHORT;
            reading.fault = Some(ExtractionFaultCode::CheckDigitWrong);
        }
    }
}

/// Returns the reasons to doubt values. Transactions that the running balance does not confirm are left out.
fn faults_of(values: &[Named], are_transactions_left_out: bool) -> Vec<ExtractionFault> {
    let fault = |code: &ExtractionFaultCode| {
        let doubted = values.iter().filter(|(_, reading, _)| reading.fault == Some(*code));
        let mut fields: Vec<String> = doubted.map(|(name, ..)| (*name).to_owned()).collect();
        if are_transactions_left_out && *code == ExtractionFaultCode::AmountsContradict {
            fields.push("transactions".to_owned());
        }
        (!fields.is_empty()).then_some(ExtractionFault { code: *code, fields })
    };
    ExtractionFaultCode::ALL.iter().filter_map(fault).collect()
}

/// The best value of each field over all parts of a document.
struct Best {
    /// In the order of the kind's list.
    values: Vec<Named>,
    /// Whether the amounts of a payslip confirm each other.
    amounts_agree: bool,
    /// The names of values on parts that may be about another person.
    unsure: Vec<&'static str>,
}

/// Returns the best value of each field over all parts.
fn fields_of(parts: &[Part], kind: ArchiveType) -> Best {
    let fields = fields::fields(kind);
    let belong = belonging(parts, kind, fields);
    let mut best: Vec<(FoundField, usize)> = Vec::new();
    for (number, Part { found, .. }) in parts.iter().enumerate() {
        for found in found.iter().cloned() {
            let name = |field: usize| fields.get(field).map(|field| field.name);
            match best.iter_mut().find(|(other, _)| name(other.field) == name(found.field)) {
                Some((other, at)) if other.score < found.score => (*other, *at) = (found, number),
                Some(_) => {}
                None => best.push((found, number)),
            }
        }
    }
    let amounts_agree = kind == ArchiveType::Payslip
        && sums::compare(&mut best.iter_mut().map(|(found, _)| found).collect::<Vec<_>>(), fields);
    best.sort_by_key(|(found, _)| found.field);
    let (mut values, mut unsure): (Vec<Named>, Vec<&'static str>) = (Vec::new(), Vec::new());
    for (found, at) in best {
        let (Some(field), Some(part)) = (fields.get(found.field), parts.get(at)) else { continue };
        let page = part.number;
        if belong.get(at) != Some(&true) {
            let names: &[&str] =
                if field.name == "period" { &["startDate", "endDate"] } else { &[field.name] };
            unsure.extend(names);
        }
        match found.reading.text.split_once('/').filter(|_| field.name == "period") {
            Some((from, to)) => {
                let part = |text: &str| Reading { text: text.to_owned(), ..found.reading.clone() };
                values.push(("startDate", part(from), page));
                values.push(("endDate", part(to), page));
            }
            None if values.iter().any(|(name, ..)| *name == field.name) => {}
            None => values.push((field.name, found.reading, page)),
        }
    }
    Best { values, amounts_agree, unsure }
}

/// Adds derived fields: employer or bank from the heading, the full name, the currency.
fn complete(values: &mut Vec<Named>, parts: &[Part], setting: &Setting) {
    let Setting { kind, country, .. } = *setting;
    let has = |values: &[Named], name: &str| values.iter().any(|(other, ..)| *other == name);
    let first = parts.first().map(|part| &part.page);
    let first_page = parts.first().map_or(1, |part| part.number);
    let heading = match kind {
        ArchiveType::Payslip | ArchiveType::CompanyId | ArchiveType::Certificate => {
            ("employer", first.and_then(heading::employer))
        }
        ArchiveType::BankStatement => ("bank", first.and_then(heading::bank)),
        ArchiveType::TaxDocument | ArchiveType::Identification | ArchiveType::Clearance => ("", None),
    };
    if let (name, Some(reading)) = heading
        && !has(values, name)
    {
        values.insert(0, (name, reading, first_page));
    }
    if !has(values, "fullName") {
        let part = |wanted: &str| values.iter().find(|(name, ..)| *name == wanted);
        if let (Some(given), Some(family)) = (part("firstName"), part("lastName")) {
            let parts = [Some(given), part("middleName"), Some(family)];
            let text = parts
                .iter()
                .flatten()
                .map(|(_, reading, _)| reading.text.as_str())
                .collect::<Vec<_>>()
                .join(" ");
            let confidence =
                parts.iter().flatten().map(|(_, reading, _)| reading.confidence).fold(1.0, f32::min);
            let page = given.2;
            values.push((
                "fullName",
                Reading { text, confidence, place: None, label: None, fault: None },
                page,
            ));
        }
    }
    let money = ["netAmount", "grossAmount", "baseAmount", "closingBalance"];
    if money.iter().any(|name| has(values, name)) {
        let text = country.currency().to_owned();
        values.push((
            "currency",
            Reading { text, confidence: 1.0, place: None, label: None, fault: None },
            first_page,
        ));
    }
}
