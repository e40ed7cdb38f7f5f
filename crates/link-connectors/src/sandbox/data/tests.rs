//! Tests of each kind of provider's data, and of its plausibility.

use std::collections::BTreeSet;

use link_domain::kernel::clock::TenantTime;
use link_types::data::{DataPointBody, DataPointKind, Document, DocumentStatus, DocumentType};
use link_types::provider::Provider;
use link_types::{Date, Timestamp};
use rstest::rstest;

use super::batch;
use crate::sandbox::providers;

const AT: TenantTime = TenantTime::from_micros(1_795_176_000_000_000);

fn today() -> Date {
    Timestamp::from(AT).date()
}

fn batch_of(provider: &Provider, login: &str) -> Vec<DataPointBody> {
    batch(provider, login, AT, None).bodies
}

fn provider(id: &str) -> Provider {
    providers::all().into_iter().find(|it| it.id.as_str() == id).unwrap()
}

/// Checks each row of the interface's table "Data sources for CDS".
#[rstest]
#[case("SOCIAL_SECURITY", "IDENTITIES EMPLOYMENTS DOCUMENTS CONTRIBUTIONS LIABILITIES EINCOMES")]
#[case("GOVERNMENT_PENSION", "IDENTITIES EMPLOYMENTS DOCUMENTS INCOMES EINCOMES")]
#[case("HEALTH_INSURANCE", "IDENTITIES EMPLOYMENTS DOCUMENTS CONTRIBUTIONS EINCOMES")]
#[case("HOUSING_FUND", "IDENTITIES EMPLOYMENTS DOCUMENTS CONTRIBUTIONS LIABILITIES EINCOMES")]
fn provider_kind_has_the_documented_data_points(#[case] sub_type: &str, #[case] expected: &str) {
    let expected: BTreeSet<&str> = expected.split(' ').collect();
    let mut countries = BTreeSet::new();
    for provider in providers::all().iter().filter(|it| it.sub_type == sub_type) {
        let said: BTreeSet<&str> = provider.supported.iter().map(|kind| kind.as_str()).collect();
        assert_eq!(said, expected, "{}", provider.id);
        // Estimated incomes are computed from the given data.
        let given: BTreeSet<&str> =
            batch_of(provider, "good").iter().map(|body| body.kind().as_str()).chain(["EINCOMES"]).collect();
        assert_eq!(given, expected, "{}", provider.id);
        assert!(provider.monitor_supported, "{}", provider.id);
        countries.insert(provider.country.clone());
    }
    assert_eq!(countries.into_iter().collect::<Vec<_>>(), ["MX", "PH"]);
}

#[test]
fn registry_has_a_clearance_in_each_state() {
    let registry = provider("mx_employment_registry");
    assert!(!registry.login_required);
    let documents: Vec<Document> = batch_of(&registry, "good")
        .into_iter()
        .filter_map(|body| if let DataPointBody::Document(it) = body { Some(it) } else { None })
        .collect();
    let today = today();
    let states: Vec<_> = documents.iter().map(|it| it.status.unwrap()).collect();
    assert_eq!(states, [DocumentStatus::Expired, DocumentStatus::Hit, DocumentStatus::Valid]);
    for document in &documents {
        assert_eq!(document.document_type, DocumentType::Clearance);
        let over = document.expiry_date.unwrap() < today;
        assert_eq!(over, document.status == Some(DocumentStatus::Expired), "{document:?}");
    }
}

#[test]
fn only_clearances_have_a_status() {
    for provider in providers::all() {
        for body in batch_of(&provider, "good") {
            if let DataPointBody::Document(it) = body {
                let is_clearance = it.document_type == DocumentType::Clearance;
                assert_eq!(it.status.is_some(), is_clearance, "{}", provider.id);
            }
        }
    }
}

#[test]
#[expect(clippy::wildcard_enum_match_arm, reason = "the other kinds have no currency")]
fn provider_data_covers_a_year_in_local_currency() {
    for provider in providers::all() {
        let currency = if provider.country == "PH" { "PHP" } else { "MXN" };
        let mut days = Vec::new();
        for body in batch_of(&provider, "good") {
            let (date, code) = match body {
                DataPointBody::Contribution(it) => (it.date, it.currency),
                DataPointBody::Income(it) => (it.start_date, it.currency),
                DataPointBody::Transaction(it) => (it.date, it.currency),
                DataPointBody::Liability(it) => {
                    assert_eq!(it.currency, currency);
                    continue;
                }
                _ => continue,
            };
            assert_eq!(code, currency, "{}", provider.id);
            days.extend(date);
        }
        let months: BTreeSet<_> = days.iter().map(|day| day.month()).collect();
        assert!(days.is_empty() || (12..=13).contains(&months.len()), "{} {}", provider.id, months.len());
    }
}

/// Returns the data points that changed or are new between two readings, by kind.
fn difference(before: &[DataPointBody], after: &[DataPointBody]) -> BTreeSet<&'static str> {
    after.iter().filter(|body| !before.contains(body)).map(|body| body.kind().as_str()).collect()
}

#[test]
fn data_changes_with_the_months_and_not_within_one() {
    let day = |days: u64| AT + std::time::Duration::from_secs(days * 86_400);
    for provider in providers::all().iter().filter(|it| it.monitor_supported) {
        let reading = |days| batch(provider, "good", day(days), Some(today())).bodies;
        assert_eq!(difference(&reading(0), &reading(5)), BTreeSet::new(), "{}", provider.id);
        let later = difference(&reading(0), &reading(30));
        let pay = [DataPointKind::Contributions, DataPointKind::Incomes];
        let expected = provider.supported.iter().filter(|kind| pay.contains(kind));
        let expected: Vec<_> = expected.map(|kind| kind.as_str()).chain(["DOCUMENTS"]).collect();
        assert!(expected.iter().all(|kind| later.contains(kind)), "{}: {later:?}", provider.id);
        assert!(!later.contains("IDENTITIES"), "{}: {later:?}", provider.id);
        let years_later = difference(&reading(0), &reading(4 * 365));
        assert!(years_later.contains("EMPLOYMENTS"), "a new job: {}", provider.id);
    }
}

#[test]
fn salary_rises_each_year() {
    let provider = provider("mx_government_pension");
    let pay = |years: u64| {
        let at = AT + std::time::Duration::from_secs(years * 366 * 86_400);
        let bodies = batch(&provider, "good", at, None).bodies;
        let pays = bodies
            .into_iter()
            .filter_map(|body| if let DataPointBody::Income(it) = body { it.base_amount } else { None });
        pays.map(|amount| amount.hundredths()).max().unwrap()
    };
    assert!(pay(1) > pay(0) && pay(2) > pay(1));
}

#[test]
fn login_for_changes_changes_every_kind_at_the_second_reading() {
    let mut changed = BTreeSet::new();
    for id in ["mx_social_security", "mx_government_pension"] {
        let provider = provider(id);
        let first = batch(&provider, "changes", AT, None).bodies;
        assert_eq!(difference(&first, &batch(&provider, "changes", AT, None).bodies), BTreeSet::new());
        let second = batch(&provider, "changes", AT, Some(today())).bodies;
        changed.extend(difference(&first, &second));
        let payers = |bodies: &[DataPointBody]| -> BTreeSet<_> {
            let months = bodies.iter().filter_map(|body| {
                if let DataPointBody::Income(it) = body {
                    Some((it.start_date, it.employer.clone()))
                } else {
                    None
                }
            });
            months.collect()
        };
        let kept = payers(&first).intersection(&payers(&second)).count();
        assert!(
            kept == payers(&first).len().saturating_sub(2),
            "two months later, the others have the same payer"
        );
    }
    let expected = ["CONTRIBUTIONS", "DOCUMENTS", "EMPLOYMENTS", "IDENTITIES", "INCOMES", "LIABILITIES"];
    assert_eq!(changed.into_iter().collect::<Vec<_>>(), expected);
}
