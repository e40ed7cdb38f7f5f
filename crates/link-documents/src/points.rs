//! Converts a document's fields to data points about the person. Their ids are placeholders.

use link_domain::data::batch::Batch;
use link_domain::data::batch::Extracted;
use link_types::archive::{ArchiveType, Extraction};
use link_types::data::{
    Address, DataPointBody, Document, DocumentStatus, DocumentType, Employment, Identity, Income,
    IncomeFrequency,
};
use link_types::id::{DocumentId, EmploymentId, IdentityId, IncomeId};
use link_types::{Date, Money};

use crate::rules::Findings;

const PLACEHOLDER: [u8; 16] = [0; 16];

/// Returns the data points of all documents.
pub fn batch(findings: &Findings) -> Batch {
    let mut bodies = Vec::new();
    let Extracted { first, further } = &findings.extracted;
    for extraction in std::iter::once(first).chain(further) {
        let fields = Fields { extraction, country: &findings.country };
        let kind = extraction.document_type;
        bodies.extend(document(&fields, kind).map(DataPointBody::Document));
        bodies.extend(identity(&fields).map(|identity| DataPointBody::Identity(Box::new(identity))));
        bodies.extend(employment(&fields, kind).map(DataPointBody::Employment));
        bodies.extend(income(&fields, kind).map(DataPointBody::Income));
    }
    bodies.extend(findings.transactions.iter().cloned().map(DataPointBody::Transaction));
    Batch { bodies, ..Batch::default() }
}

/// The fields of a document, by name.
struct Fields<'a> {
    extraction: &'a Extraction,
    country: &'a str,
}

impl Fields<'_> {
    fn text(&self, name: &str) -> Option<String> {
        self.extraction.fields.iter().find(|field| field.name == name).map(|field| field.value.clone())
    }

    fn date(&self, name: &str) -> Option<Date> {
        self.text(name)?.parse().ok()
    }

    fn money(&self, name: &str) -> Option<Money> {
        self.text(name)?.replace('.', "").parse().ok().map(Money::from_hundredths)
    }
}

fn document(fields: &Fields<'_>, kind: ArchiveType) -> Option<Document> {
    let (document_type, name) = match kind {
        ArchiveType::Payslip => (DocumentType::Payslip, "Payslip"),
        ArchiveType::TaxDocument => (DocumentType::Certificate, "Tax document"),
        ArchiveType::CompanyId => (DocumentType::Identification, "Company identification"),
        ArchiveType::Identification => (DocumentType::Identification, "Identification"),
        ArchiveType::Clearance => (DocumentType::Clearance, "Clearance"),
        ArchiveType::Certificate => (DocumentType::Certificate, "Certificate"),
        ArchiveType::BankStatement => return None,
    };
    let about =
        fields.text("year").or_else(|| fields.text("endDate").filter(|_| kind == ArchiveType::Payslip));
    Some(Document {
        id: DocumentId::from_bytes(PLACEHOLDER),
        name: about.map_or_else(|| name.to_owned(), |about| format!("{name} {about}")),
        doc_id: fields.text("documentNumber").or_else(|| fields.text("employeeNumber")).unwrap_or_default(),
        status: match fields.text("status").as_deref() {
            Some("VALID") => Some(DocumentStatus::Valid),
            Some("HIT") => Some(DocumentStatus::Hit),
            _ => None,
        },
        document_type,
        issue_date: fields.date("issueDate").or_else(|| fields.date("payDate")),
        expiry_date: fields.date("expiryDate"),
        file_url: None,
        remarks: fields.text("purpose"),
    })
}

fn identity(fields: &Fields<'_>) -> Option<Identity> {
    let full_name = fields.text("fullName")?;
    let address = fields.text("address").map(|address| Address {
        full_address: Some(address),
        line1: None,
        line2: None,
        city: None,
        region: None,
        zip: None,
        country: Some(fields.country.to_owned()),
        latitude: None,
        longitude: None,
        address_type: Some("HOME".to_owned()),
    });
    let numbers = ["nationalId", "socialSecurityNumber", "taxId", "documentNumber"];
    Some(Identity {
        id: IdentityId::from_bytes(PLACEHOLDER),
        full_name: Some(full_name),
        first_name: fields.text("firstName"),
        middle_name: fields.text("middleName"),
        last_name: fields.text("lastName"),
        suffix: None,
        gender: fields.text("gender"),
        dob: fields.date("dob"),
        marital_status: None,
        country_residence: Some(fields.country.to_owned()),
        citizenship: None,
        photo_url: None,
        reference_id: numbers.iter().find_map(|name| fields.text(name)),
        profile_url: None,
        latest_employer_name: fields.text("employer"),
        emails: Vec::new(),
        phones: Vec::new(),
        social_profiles: Vec::new(),
        addresses: address.into_iter().collect(),
    })
}

fn employment(fields: &Fields<'_>, kind: ArchiveType) -> Option<Employment> {
    let employer = fields.text("employer")?;
    let title = fields.text("jobTitle");
    let lasting = kind == ArchiveType::Certificate;
    let end_date = fields.date("endDate").filter(|_| lasting);
    Some(Employment {
        id: EmploymentId::from_bytes(PLACEHOLDER),
        name: Some(title.as_ref().map_or_else(|| employer.clone(), |title| format!("{title}, {employer}"))),
        description: None,
        job_title: title,
        department: fields.text("department"),
        employee_number: fields.text("employeeNumber"),
        employer: Some(employer),
        status: lasting.then(|| if end_date.is_some() { "ENDED" } else { "ACTIVE" }.to_owned()),
        start_date: fields.date("startDate").filter(|_| lasting),
        end_date,
    })
}

fn income(fields: &Fields<'_>, kind: ArchiveType) -> Option<Income> {
    let (start_date, end_date, frequency) = match kind {
        ArchiveType::Payslip => {
            let (from, to) = (fields.date("startDate"), fields.date("endDate"));
            (from, to, from.zip(to).map_or(IncomeFrequency::Unspecified, |(from, to)| frequency(from, to)))
        }
        ArchiveType::TaxDocument => {
            let year = fields.text("year").and_then(|year| year.parse().ok());
            let day = |month, day| year.and_then(|year| Date::new(year, month, day).ok());
            (day(1, 1), day(12, 31), IncomeFrequency::Annual)
        }
        ArchiveType::Certificate => {
            (fields.date("startDate"), fields.date("endDate"), IncomeFrequency::Monthly)
        }
        ArchiveType::CompanyId
        | ArchiveType::Identification
        | ArchiveType::Clearance
        | ArchiveType::BankStatement => return None,
    };
    let amounts = ["baseAmount", "grossAmount", "netAmount"].map(|name| fields.money(name));
    let [base_amount, gross_amount, net_amount] = amounts;
    amounts.iter().any(Option::is_some).then_some(())?;
    Some(Income {
        id: IncomeId::from_bytes(PLACEHOLDER),
        employer: fields.text("employer"),
        start_date,
        end_date,
        currency: fields.text("currency")?,
        frequency,
        base_amount,
        gross_amount,
        net_amount,
    })
}

/// Returns the pay frequency for a pay period.
fn frequency(from: Date, to: Date) -> IncomeFrequency {
    let days = to.days_since(from) + 1;
    let half = from.day() == 1 || from.day() == 16;
    match days {
        1 => IncomeFrequency::Daily,
        6..=7 => IncomeFrequency::Weekly,
        13..=16 if half => IncomeFrequency::Semimonthly,
        13..=15 => IncomeFrequency::Biweekly,
        28..=31 => IncomeFrequency::Monthly,
        360..=366 => IncomeFrequency::Annual,
        _ => IncomeFrequency::Unspecified,
    }
}
