//! The comparison of a reading with stored data, as tables for each kind of data point.

use link_types::Money;
use link_types::data::{
    DataPointBody, Document, DocumentType, Employment, IncomeFrequency, Insight, Link, LinkRecord, Rating,
};
use link_types::id::{DocumentId, EmploymentId, IdentityId, InsightId, LinkId, RatingId};
use rstest::rstest;

use super::merge::{Novelty, merge};
use crate::fixture::bodies::{contribution, day, job, loan, pay, transaction};

type Body = DataPointBody;

/// Compares one stored data point with one that was read. The stored one has another id.
fn compare(stored: Body, read: Body) -> Vec<(Body, Novelty)> {
    merge(vec![stored.with_id([1; 16])], vec![read])
}

fn with<T>(mut value: T, change: impl FnOnce(&mut T)) -> T {
    change(&mut value);
    value
}

macro_rules! changed {
    ($body:expr, $variant:ident, |$it:ident| $change:expr) => {
        with($body, |body| match body {
            Body::$variant($it) => {
                $change;
            }
            other => panic!("{other:?}"),
        })
    };
}

fn identity() -> Body {
    let read = serde_json::json!({
        "id": IdentityId::from_bytes([0; 16]), "fullName": "Ana Ruiz", "emails": [], "phones": [],
        "socialProfiles": [], "addresses": [],
    });
    Body::Identity(serde_json::from_value(read).unwrap())
}

fn document() -> Body {
    Body::Document(Document {
        id: DocumentId::from_bytes([0; 16]),
        name: "Certificate".into(),
        doc_id: "C-1".into(),
        status: None,
        document_type: DocumentType::Certificate,
        issue_date: Some(day("2026-01-01")),
        expiry_date: None,
        file_url: None,
        remarks: None,
    })
}

fn employment() -> Body {
    Body::Employment(Employment {
        id: EmploymentId::from_bytes([0; 16]),
        name: None,
        description: None,
        job_title: Some("Welder".into()),
        department: None,
        employee_number: Some("E-1".into()),
        employer: Some("Aurora".into()),
        status: Some("ACTIVE".into()),
        start_date: Some(day("2024-02-01")),
        end_date: None,
    })
}

fn estimate() -> Body {
    let read = serde_json::json!({
        "id": "einc-00000000000000000000000000000000", "month": "2026-01", "currency": "MXN", "amount": 10,
        "baseAmount": 10,
    });
    Body::EstimatedIncome(serde_json::from_value(read).unwrap())
}

fn rating() -> Body {
    Body::Rating(Rating {
        id: RatingId::from_bytes([0; 16]),
        current_rating: Some(4.7),
        max_rating: Some(5.0),
        calculated_percentage: Some(94.0),
        reviews_received: Some(10.0),
        likes_received: None,
        jobs_completed: None,
    })
}

fn link() -> Body {
    Body::Link(Link {
        id: LinkId::from_bytes([0; 16]),
        start_date: Some(day("2026-01-01")),
        end_date: Some(day("2026-01-01")),
        records: vec![LinkRecord { count: 1, linked_at: vec![day("2026-01-01").start()] }],
    })
}

fn insight(feature: f64, day: &str) -> Body {
    Body::Insight(Insight {
        id: InsightId::from_bytes([0; 16]),
        cutoff_time: crate::fixture::bodies::day(day).start(),
        features: [("tenure".to_owned(), Some(feature))].into(),
    })
}

fn transaction_with_reference(reference: &str, amount: i64) -> Body {
    changed!(transaction("2026-01-01", amount), Transaction, |it| it.reference_id = Some(reference.into()))
}

fn loan_with_reference(reference: &str, balance: i64) -> Body {
    changed!(loan(None, "MONTHLY", 10, balance), Liability, |it| it.reference_id = Some(reference.into()))
}

const MONTHLY: IncomeFrequency = IncomeFrequency::Monthly;

#[rstest]
#[case::identity(identity(), changed!(identity(), Identity, |it| it.full_name = Some("Ana Sol".into())))]
#[case::document(document(), changed!(document(), Document, |it| it.issue_date = Some(day("2026-02-01"))))]
#[case::employment_ends(employment(), changed!(employment(), Employment, |it| it.end_date = Some(day("2026-01-31"))))]
#[case::promotion(employment(), changed!(employment(), Employment, |it| it.job_title = Some("Chief".into())))]
#[case::employment_without_number(job(Some("2024-02-01"), None), job(Some("2024-02-01"), Some("2026-01-31")))]
#[case::income(pay("2026-01-01", MONTHLY, 100), pay("2026-01-01", MONTHLY, 101))]
#[case::transaction(transaction_with_reference("P1", 100), transaction_with_reference("P1", 101))]
#[case::contribution(contribution("2026-01-01", 100), contribution("2026-01-01", 101))]
#[case::liability(loan_with_reference("L1", 100), loan_with_reference("L1", 90))]
#[case::liability_without_reference(loan(None, "MONTHLY", 10, 100), loan(None, "MONTHLY", 10, 90))]
#[case::estimate(estimate(), changed!(estimate(), EstimatedIncome, |it| it.amount = Money::from_hundredths(1)))]
#[case::rating(rating(), changed!(rating(), Rating, |it| it.current_rating = Some(4.8)))]
#[case::link(link(), changed!(link(), Link, |it| it.end_date = Some(day("2026-02-01"))))]
#[case::insight(insight(1.0, "2026-01-01"), insight(2.0, "2026-02-01"))]
fn changed_data_point_is_updated_and_keeps_its_id(#[case] stored: Body, #[case] read: Body) {
    let expected = read.clone().with_id([1; 16]);
    assert_eq!(compare(stored.clone(), read), [(expected, Novelty::Updated)]);
    let unchanged = stored.clone().with_id([1; 16]);
    assert_eq!(compare(stored.clone(), stored), [(unchanged, Novelty::Same)]);
}

#[rstest]
#[case::document(document(), changed!(document(), Document, |it| it.doc_id = "C-2".into()))]
#[case::document_type(document(), changed!(document(), Document, |it| it.document_type = DocumentType::Payslip))]
#[case::employer(employment(), changed!(employment(), Employment, |it| it.employer = Some("Bahía".into())))]
#[case::second_stint(job(Some("2020-02-01"), None), job(Some("2024-02-01"), None))]
#[case::income(pay("2026-01-01", MONTHLY, 100), pay("2026-02-01", MONTHLY, 100))]
#[case::bonus(pay("2026-01-01", MONTHLY, 100), pay("2026-01-01", IncomeFrequency::Unspecified, 100))]
#[case::transaction(transaction_with_reference("P1", 100), transaction_with_reference("P2", 100))]
#[case::transaction_without_reference(transaction("2026-01-01", 100), transaction("2026-01-01", 101))]
#[case::contribution(contribution("2026-01-01", 100), contribution("2026-02-01", 100))]
#[case::liability(loan_with_reference("L1", 100), loan_with_reference("L2", 100))]
#[case::estimate(estimate(), changed!(estimate(), EstimatedIncome, |it| it.month = "2026-02".parse().unwrap()))]
#[case::kind(contribution("2026-01-01", 100), transaction("2026-01-01", 100))]
fn other_data_point_is_added(#[case] stored: Body, #[case] read: Body) {
    let kept = stored.clone().with_id([1; 16]);
    let expected = [(kept, Novelty::Same), (read.clone(), Novelty::Added)];
    assert_eq!(compare(stored, read), expected);
}

#[test]
fn insight_is_compared_without_its_time() {
    let stored = insight(1.0, "2026-01-01").with_id([1; 16]);
    assert_eq!(merge(vec![stored.clone()], vec![insight(1.0, "2026-02-01")]), [(stored, Novelty::Same)]);
}

#[test]
fn equal_data_points_with_one_key_are_paired_first() {
    let paid = |amount| pay("2026-01-01", MONTHLY, amount);
    let stored = vec![paid(1).with_id([1; 16]), paid(2).with_id([2; 16])];
    let merged = merge(stored.clone(), vec![paid(3), paid(2), paid(4)]);
    let expected = [
        (paid(3).with_id([1; 16]), Novelty::Updated),
        (paid(2).with_id([2; 16]), Novelty::Same),
        (paid(4), Novelty::Added),
    ];
    assert_eq!(merged, expected);
    let twice = merge(stored.clone(), vec![paid(1), paid(2)]);
    assert!(twice.iter().all(|(_, novelty)| *novelty == Novelty::Same), "{twice:?}");
}

#[test]
fn data_point_that_is_no_longer_listed_stays() {
    let stored = contribution("2026-01-01", 100).with_id([1; 16]);
    assert_eq!(merge(vec![stored.clone()], Vec::new()), [(stored, Novelty::Same)]);
}
