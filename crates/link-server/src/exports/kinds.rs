//! Each kind of data point in exports: its section in the PDF, and the columns of the CSV.

use link_types::data::{
    Contribution, DataPointKind, Document, Employment, EstimatedIncome, Identity, Income, Insight, Liability,
    Link, Rating, Transaction,
};
use serde::de::DeserializeOwned;

use super::sheet::{Align, Column, Content, Fact, Section, Table, fact};
use super::snapshot::{RenderError, Snapshot};
use super::words::{amount, day, feature, feature_value, moment, money, number, text, title_case};

/// A column: its heading, its alignment, and a function that formats an item's cell.
type Cells<T> = (&'static str, Align, fn(&T) -> String);

use Align::{Left, Right};

/// The order of the sections: the person, then employment and money, then the rest.
pub(super) const ORDER: &[DataPointKind] = &[
    DataPointKind::Identities,
    DataPointKind::Employments,
    DataPointKind::Incomes,
    DataPointKind::Eincomes,
    DataPointKind::Contributions,
    DataPointKind::Transactions,
    DataPointKind::Liabilities,
    DataPointKind::Documents,
    DataPointKind::Ratings,
    DataPointKind::Insights,
    DataPointKind::Links,
];

/// The headings of the CSV, which are the same for every export: the kind, the id, then every field of every kind. Add new
/// fields at the end, so that programs that rely on column numbers keep working.
pub(super) const COLUMNS: &[&str] = &[
    "dataPoint",
    "id",
    "name",
    "description",
    "status",
    "type",
    "referenceId",
    "date",
    "month",
    "startDate",
    "endDate",
    "currency",
    "amount",
    "baseAmount",
    "grossAmount",
    "netAmount",
    "frequency",
    "employer",
    "jobTitle",
    "department",
    "employeeNumber",
    "loanAmount",
    "amortizationAmount",
    "amortizationFrequency",
    "firstAmortizationDate",
    "outstandingBalance",
    "nextPaymentAmount",
    "overduePaymentAmount",
    "docId",
    "documentType",
    "issueDate",
    "expiryDate",
    "fileUrl",
    "remarks",
    "fullName",
    "firstName",
    "middleName",
    "lastName",
    "suffix",
    "gender",
    "dob",
    "maritalStatus",
    "countryResidence",
    "citizenship",
    "photoUrl",
    "profileUrl",
    "latestEmployerName",
    "emails",
    "phones",
    "socialProfiles",
    "addresses",
    "currentRating",
    "maxRating",
    "calculatedPercentage",
    "reviewsReceived",
    "likesReceived",
    "jobsCompleted",
    "count",
    "linkedAt",
    "cutoffTime",
    "value",
];

/// Returns the full name in the newest identity.
pub(super) fn full_name(snapshot: &Snapshot) -> Result<Option<String>, RenderError> {
    let newest = snapshot.bodies.get(&DataPointKind::Identities).and_then(|bodies| bodies.first());
    let identity = newest.map(|body| serde_json::from_slice::<Identity>(body)).transpose()?;
    Ok(identity.and_then(|it| it.full_name))
}

/// Builds the section of a kind. For identities, ratings and insights, it shows only the newest.
pub(super) fn section(kind: DataPointKind, bodies: &[Vec<u8>]) -> Result<Section, RenderError> {
    match kind {
        DataPointKind::Identities => facts("Identity", bodies, identity),
        DataPointKind::Ratings => facts("Rating", bodies, rating),
        DataPointKind::Insights => facts("Insight", bodies, insight),
        DataPointKind::Employments => table("Employments", bodies, EMPLOYMENTS),
        DataPointKind::Incomes => table("Incomes", bodies, INCOMES),
        DataPointKind::Eincomes => table("Estimated incomes", bodies, ESTIMATED_INCOMES),
        DataPointKind::Contributions => table("Contributions", bodies, CONTRIBUTIONS),
        DataPointKind::Transactions => table("Transactions", bodies, TRANSACTIONS),
        DataPointKind::Liabilities => liabilities(bodies),
        DataPointKind::Documents => table("Documents", bodies, DOCUMENTS),
        DataPointKind::Links => links(bodies),
    }
}

fn facts<T: DeserializeOwned>(
    title: &str,
    bodies: &[Vec<u8>],
    of: fn(&T) -> Vec<Fact>,
) -> Result<Section, RenderError> {
    let newest: Vec<T> =
        bodies.first().map(|body| serde_json::from_slice(body)).transpose()?.into_iter().collect();
    let known = newest.iter().flat_map(of).filter(|fact| !fact.value.is_empty()).collect();
    Ok(Section { title: title.to_owned(), content: Content::Facts(known) })
}

fn table<T: DeserializeOwned>(
    title: &str,
    bodies: &[Vec<u8>],
    columns: &[Cells<T>],
) -> Result<Section, RenderError> {
    let mut rows = Vec::with_capacity(bodies.len());
    for body in bodies {
        let item: T = serde_json::from_slice(body)?;
        rows.push(columns.iter().map(|(_, _, cell)| cell(&item)).collect());
    }
    let columns = columns.iter().map(|(name, align, _)| Column { name, align: *align }).collect();
    Ok(Section {
        title: format!("{title} ({})", bodies.len()),
        content: Content::Table(Table { columns, rows }),
    })
}

const EMPLOYMENTS: &[Cells<Employment>] = &[
    ("Employer", Left, |it| text(it.employer.as_deref().or(it.name.as_deref()))),
    ("Job title", Left, |it| text(it.job_title.as_deref())),
    ("Department", Left, |it| text(it.department.as_deref())),
    ("Number", Left, |it| text(it.employee_number.as_deref())),
    ("Status", Left, |it| title_case(it.status.as_deref().unwrap_or_default())),
    ("From", Left, |it| day(it.start_date)),
    ("Until", Left, |it| day(it.end_date)),
];

const INCOMES: &[Cells<Income>] = &[
    ("From", Left, |it| day(it.start_date)),
    ("Until", Left, |it| day(it.end_date)),
    ("Employer", Left, |it| text(it.employer.as_deref())),
    ("Paid", Left, |it| title_case(it.frequency.as_str())),
    ("Base", Right, |it| amount(it.base_amount)),
    ("Gross", Right, |it| amount(it.gross_amount)),
    ("Net", Right, |it| amount(it.net_amount)),
    ("Currency", Left, |it| it.currency.clone()),
];

const ESTIMATED_INCOMES: &[Cells<EstimatedIncome>] = &[
    ("Month", Left, |it| it.month.to_string()),
    ("Monthly amount", Right, |it| money(it.amount)),
    ("Currency", Left, |it| it.currency.clone()),
];

const CONTRIBUTIONS: &[Cells<Contribution>] = &[
    ("Date", Left, |it| day(it.date)),
    ("Reference", Left, |it| text(it.reference_id.as_deref())),
    ("Amount", Right, |it| money(it.amount)),
    ("Currency", Left, |it| it.currency.clone()),
];

const TRANSACTIONS: &[Cells<Transaction>] = &[
    ("Date", Left, |it| day(it.date)),
    ("Description", Left, |it| text(it.description.as_deref())),
    ("Reference", Left, |it| text(it.reference_id.as_deref())),
    ("Amount", Right, |it| money(it.amount)),
    ("Currency", Left, |it| it.currency.clone()),
];

const DOCUMENTS: &[Cells<Document>] = &[
    ("Name", Left, |it| it.name.clone()),
    ("Number", Left, |it| it.doc_id.clone()),
    ("Kind", Left, |it| title_case(it.document_type.as_str())),
    ("Status", Left, |it| title_case(it.status.map(|it| it.as_str()).unwrap_or_default())),
    ("Issued", Left, |it| day(it.issue_date)),
    ("Expires", Left, |it| day(it.expiry_date)),
    ("Remarks", Left, |it| text(it.remarks.as_deref())),
];

fn identity(it: &Identity) -> Vec<Fact> {
    let lines = |parts: Vec<Option<String>>| parts.into_iter().flatten().collect::<Vec<_>>().join("\n");
    vec![
        fact("Full name", text(it.full_name.as_deref())),
        fact("First name", text(it.first_name.as_deref())),
        fact("Middle name", text(it.middle_name.as_deref())),
        fact("Last name", text(it.last_name.as_deref())),
        fact("Suffix", text(it.suffix.as_deref())),
        fact("Gender", title_case(it.gender.as_deref().unwrap_or_default())),
        fact("Date of birth", day(it.dob)),
        fact("Marital status", title_case(it.marital_status.as_deref().unwrap_or_default())),
        fact("Country of residence", text(it.country_residence.as_deref())),
        fact("Citizenship", text(it.citizenship.as_deref())),
        fact("Reference", text(it.reference_id.as_deref())),
        fact("Latest employer", text(it.latest_employer_name.as_deref())),
        fact("Email", lines(it.emails.iter().map(|it| Some(it.address.clone())).collect())),
        fact("Phone", lines(it.phones.iter().map(|it| Some(it.number.clone())).collect())),
        fact("Profiles", lines(it.social_profiles.iter().map(|it| Some(it.social_url.clone())).collect())),
        fact("Address", lines(it.addresses.iter().map(|it| it.full_address.clone()).collect())),
    ]
}

fn rating(it: &Rating) -> Vec<Fact> {
    vec![
        fact("Rating", number(it.current_rating)),
        fact("Maximum rating", number(it.max_rating)),
        fact("Percentage", number(it.calculated_percentage)),
        fact("Reviews", number(it.reviews_received)),
        fact("Likes", number(it.likes_received)),
        fact("Jobs completed", number(it.jobs_completed)),
    ]
}

fn insight(it: &Insight) -> Vec<Fact> {
    let mut features: Vec<_> =
        it.features.iter().map(|(name, value)| (feature(name), name, *value)).collect();
    features.sort_by(|one, other| one.0.cmp(&other.0));
    let features =
        features.into_iter().map(|(label, name, value)| fact(label.to_string(), feature_value(name, value)));
    std::iter::once(fact("As of", moment(it.cutoff_time))).chain(features).collect()
}

/// Builds the section of liabilities. It lists each field as a fact, because a table row has no room for all of them.
fn liabilities(bodies: &[Vec<u8>]) -> Result<Section, RenderError> {
    let count = bodies.len();
    let mut known = Vec::new();
    for (body, number) in bodies.iter().zip(1..) {
        let it: Liability = serde_json::from_slice(body)?;
        let kind = title_case(it.liability_type.as_deref().unwrap_or_default());
        known.push(fact(format!("Loan {number} of {count}"), kind));
        known.extend(
            [
                fact("Reference", text(it.reference_id.as_deref())),
                fact("From", day(it.start_date)),
                fact("Until", day(it.end_date)),
                fact("First payment", day(it.first_amortization_date)),
                fact("Currency", it.currency),
                fact("Loan", amount(it.loan_amount)),
                fact("Payment", amount(it.amortization_amount)),
                fact(
                    "Payment frequency",
                    title_case(it.amortization_frequency.as_deref().unwrap_or_default()),
                ),
                fact("Outstanding balance", amount(it.outstanding_balance)),
                fact("Next payment", amount(it.next_payment_amount)),
                fact("Overdue", amount(it.overdue_payment_amount)),
            ]
            .into_iter()
            .filter(|fact| !fact.value.is_empty()),
        );
    }
    Ok(Section { title: format!("Liabilities ({count})"), content: Content::Facts(known) })
}

/// Builds the section of links, with a row for each account through which the person linked the provider.
fn links(bodies: &[Vec<u8>]) -> Result<Section, RenderError> {
    let newest = bodies.first().map(|body| serde_json::from_slice::<Link>(body)).transpose()?;
    let records = newest.map(|link| link.records).unwrap_or_default();
    let rows = records.iter().zip(1..).map(|(record, number)| {
        let times: Vec<String> = record.linked_at.iter().map(|at| moment(*at)).collect();
        vec![format!("{number}"), record.count.to_string(), times.join(", ")]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let column = |name, align| Column { name, align };
    let columns = vec![column("Account", Left), column("Times", Right), column("When", Left)];
    Ok(Section {
        title: "Links to this provider".to_owned(),
        content: Content::Table(Table { columns, rows }),
    })
}
