//! The provider's documents. `document_file` draws their files.

use link_types::Date;
use link_types::data::{DataPointKind, Document, DocumentStatus, DocumentType};
use link_types::id::DocumentId;

use super::person::{PLACEHOLDER, Scene};
use crate::sandbox::draw::{Draw, epoch};

/// A registry without logins, which issues clearances.
const REGISTRY: &str = "EMPLOYMENT_REGISTRY";

/// How long an identification is valid: about five years.
const IDENTIFICATION_DAYS: i64 = 5 * 365;

/// Returns the documents, oldest first: clearances for a registry, and otherwise an identification and documents that
/// match the provider's other data.
pub(super) fn documents(scene: &Scene<'_>, draw: &mut Draw) -> Vec<Document> {
    if scene.provider.sub_type == REGISTRY {
        return clearances(scene, draw);
    }
    let supports = |kind| scene.provider.supported.contains(&kind);
    let mut documents = vec![document(
        "Member identification",
        DocumentType::Identification,
        identification_date(scene.today),
        draw,
    )];
    if supports(DataPointKind::Contributions) {
        // The provider issues the same certificate again each month.
        let day = scene.today.month().first_day().unwrap_or(scene.today);
        documents.push(document("Certificate of contributions", DocumentType::Certificate, day, draw));
    }
    if supports(DataPointKind::Incomes) {
        for months in (1..=3).rev() {
            let month = scene.today.month().plus_months(-months);
            if let Some(first) = month.first_day() {
                let name = format!("Payslip {month}");
                documents.push(document(
                    &name,
                    DocumentType::Payslip,
                    first.plus_days(27),
                    &mut scene.draw(&name),
                ));
            }
        }
    }
    documents
}

/// Returns when the valid identification was issued. The provider renews it when it expires.
fn identification_date(today: Date) -> Date {
    let first = epoch().plus_days(-400);
    first.plus_days(today.days_since(first).div_euclid(IDENTIFICATION_DAYS) * IDENTIFICATION_DAYS)
}

/// Returns a person's clearances of three years, one in each state: expired, with a hit, and valid.
fn clearances(scene: &Scene<'_>, draw: &mut Draw) -> Vec<Document> {
    let mut clearance = |days_ago: i64, status: DocumentStatus, remarks: Option<&str>| {
        let issued = scene.today.plus_days(-days_ago);
        Document {
            status: Some(status),
            expiry_date: Some(issued.plus_days(365)),
            remarks: remarks.map(str::to_owned),
            ..document("Work clearance", DocumentType::Clearance, issued, draw)
        }
    };
    vec![
        clearance(760, DocumentStatus::Expired, None),
        clearance(200, DocumentStatus::Hit, Some("A name like it is on record: come in person.")),
        clearance(40, DocumentStatus::Valid, None),
    ]
}

fn document(name: &str, document_type: DocumentType, issued: Date, draw: &mut Draw) -> Document {
    let expiry_date = match document_type {
        DocumentType::Identification => Some(issued.plus_days(IDENTIFICATION_DAYS)),
        DocumentType::Payslip | DocumentType::Clearance | DocumentType::Certificate => None,
    };
    Document {
        id: DocumentId::from_bytes(PLACEHOLDER),
        name: name.to_owned(),
        doc_id: format!("SBX-{:08}", draw.number(1, 99_999_999)),
        status: None,
        document_type,
        issue_date: Some(issued),
        expiry_date,
        file_url: None,
        remarks: None,
    }
}
