//! Checks that each invented person is possible: for every provider, many people, and days over fifteen years.

use link_domain::kernel::clock::TenantTime;
use link_types::data::{
    Contribution, DataPointBody, Document, DocumentStatus, Employment, Identity, Income, Liability, Rating,
    Transaction,
};
use link_types::provider::Provider;
use link_types::{Date, Timestamp};

use super::batch;
use crate::sandbox::providers;

/// The data of one reading, by kind.
#[derive(Default)]
struct Told {
    today: Option<Date>,
    identity: Option<Identity>,
    jobs: Vec<Employment>,
    documents: Vec<Document>,
    incomes: Vec<Income>,
    contributions: Vec<Contribution>,
    transactions: Vec<Transaction>,
    loans: Vec<Liability>,
    ratings: Vec<Rating>,
}

impl Told {
    fn read(provider: &Provider, login: &str, day: Date, first_read: Option<Date>) -> Self {
        let at = TenantTime::from_micros(day.start().as_micros());
        let mut told = Self { today: Some(day), ..Self::default() };
        for body in batch(provider, login, at, first_read).bodies {
            match body {
                DataPointBody::Identity(it) => told.identity = Some(*it),
                DataPointBody::Employment(it) => told.jobs.push(it),
                DataPointBody::Document(it) => told.documents.push(it),
                DataPointBody::Income(it) => told.incomes.push(it),
                DataPointBody::Contribution(it) => told.contributions.push(it),
                DataPointBody::Transaction(it) => told.transactions.push(it),
                DataPointBody::Liability(it) => told.loans.push(it),
                DataPointBody::Rating(it) => told.ratings.push(it),
                // The service computes these.
                DataPointBody::EstimatedIncome(_) | DataPointBody::Link(_) | DataPointBody::Insight(_) => {}
            }
        }
        told
    }

    fn check(&self) {
        self.dates_are_not_ahead();
        self.person_is_an_adult_at_work();
        self.jobs_follow_each_other();
        self.pay_belongs_to_a_job();
        self.documents_are_in_order();
        self.loans_add_up();
        for rating in &self.ratings {
            let (current, most) = (rating.current_rating.unwrap(), rating.max_rating.unwrap());
            assert!(
                current <= most
                    && (current / most * 100.0 - rating.calculated_percentage.unwrap()).abs() < 0.01
            );
            assert!(rating.reviews_received.unwrap() <= rating.jobs_completed.unwrap());
        }
    }

    fn dates_are_not_ahead(&self) {
        let mut dates: Vec<Option<Date>> = self.documents.iter().map(|it| it.issue_date).collect();
        dates.extend(self.jobs.iter().flat_map(|it| [it.start_date, it.end_date]));
        dates.extend(self.incomes.iter().flat_map(|it| [it.start_date, it.end_date]));
        dates.extend(self.contributions.iter().map(|it| it.date));
        dates.extend(self.transactions.iter().map(|it| it.date));
        dates.extend(self.loans.iter().flat_map(|it| [it.start_date, it.first_amortization_date]));
        for date in dates.into_iter().flatten() {
            assert!(Some(date) <= self.today, "{date} is after {:?}", self.today);
        }
    }

    fn person_is_an_adult_at_work(&self) {
        let person = self.identity.as_ref().unwrap();
        let (dob, today) = (person.dob.unwrap(), self.today.unwrap());
        let age = |on: Date| on.days_since(dob) / 365;
        assert!((18..=100).contains(&age(today)), "born {dob}");
        let since = self.jobs.iter().filter_map(|it| it.start_date);
        let since = since.chain(self.loans.iter().filter_map(|it| it.start_date));
        let since = since.chain(self.contributions.iter().filter_map(|it| it.date));
        let since = since.chain(self.transactions.iter().filter_map(|it| it.date));
        let since = since.chain(self.documents.iter().filter_map(|it| it.issue_date));
        for date in since.chain(self.incomes.iter().filter_map(|it| it.start_date)) {
            assert!(age(date) >= 18, "born {dob}, {date}");
        }
        let names =
            [&person.first_name, &person.middle_name, &person.last_name].map(|it| it.clone().unwrap());
        assert_eq!(person.full_name, Some(names.join(" ")));
        assert_eq!(person.addresses[0].country, person.country_residence);
        if let Some(photo) = &person.photo_url {
            assert!(
                photo.starts_with("data:image/png;base64,iVBOR") && photo.len() < 4_000,
                "{}",
                photo.len()
            );
        }
    }

    fn jobs_follow_each_other(&self) {
        for job in &self.jobs {
            assert_eq!(job.end_date.is_some(), job.status.as_deref() == Some("ENDED"), "{job:?}");
            assert!(job.end_date.is_none_or(|end| Some(end) >= job.start_date), "{job:?}");
        }
        for pair in self.jobs.windows(2) {
            assert!(pair[0].end_date.unwrap() < pair[1].start_date.unwrap());
        }
        if let Some(job) = self.jobs.last() {
            assert_eq!(job.end_date, None);
            assert_eq!(job.employer, self.identity.as_ref().unwrap().latest_employer_name);
        }
    }

    fn pay_belongs_to_a_job(&self) {
        let employer = |on: Date| {
            let job = self
                .jobs
                .iter()
                .find(|it| it.start_date <= Some(on) && it.end_date.is_none_or(|end| end >= on));
            job.and_then(|it| it.employer.clone())
        };
        for pay in &self.incomes {
            assert_eq!(employer(pay.start_date.unwrap()), pay.employer, "{pay:?}");
            assert_eq!(employer(pay.end_date.unwrap()), pay.employer, "{pay:?}");
            assert!(pay.start_date < pay.end_date && pay.base_amount <= pay.gross_amount);
            assert!(pay.net_amount <= pay.gross_amount && pay.net_amount.unwrap().hundredths() > 0);
        }
        for paid in &self.contributions {
            assert!(self.jobs.is_empty() || employer(paid.date.unwrap()).is_some(), "{paid:?}");
            assert!(paid.amount.hundredths() > 0);
        }
        let months: Vec<_> = self.contributions.iter().filter_map(|it| it.date).collect();
        assert!(months.windows(2).all(|pair| pair[0] < pair[1]));
    }

    fn documents_are_in_order(&self) {
        for document in &self.documents {
            assert!(document.expiry_date.is_none_or(|end| Some(end) > document.issue_date));
            let is_over = document.expiry_date.is_some_and(|end| Some(end) < self.today);
            assert_eq!(is_over, document.status == Some(DocumentStatus::Expired), "{document:?}");
        }
    }

    fn loans_add_up(&self) {
        for loan in &self.loans {
            assert!(
                loan.start_date < loan.first_amortization_date
                    && loan.first_amortization_date < loan.end_date
            );
            assert!(loan.outstanding_balance <= loan.loan_amount);
            assert!(loan.next_payment_amount <= loan.outstanding_balance);
            assert!(loan.overdue_payment_amount <= loan.outstanding_balance);
        }
    }
}

/// Returns days over fifteen years, with the first and the last of months.
fn days() -> impl Iterator<Item = Date> {
    let first: Date = "2026-11-20".parse().unwrap();
    let fixed = ["2026-12-01", "2027-02-28", "2027-12-31", "2028-02-29", "2031-11-27"];
    fixed.map(|it| it.parse().unwrap()).into_iter().chain((0..12).map(move |it| first.plus_days(it * 457)))
}

#[test]
fn invented_people_are_possible() {
    let logins = ["good", "many", "changes", "partial", "sync-mfa"].map(str::to_owned);
    let logins: Vec<String> = logins.into_iter().chain((0..4).map(|it| format!("person-{it}"))).collect();
    for provider in providers::all() {
        for login in &logins {
            for day in days() {
                Told::read(&provider, login, day, None).check();
                for age in [0, 45] {
                    Told::read(&provider, login, day, Some(day.plus_days(-age))).check();
                }
            }
        }
    }
}

#[test]
fn later_reading_keeps_the_dates_of_an_earlier_one() {
    for provider in providers::all() {
        for login in ["good", "changes", "many"] {
            let first_read: Date = "2026-11-20".parse().unwrap();
            let first = Told::read(&provider, login, first_read, None);
            let mut jobs = Told::read(&provider, login, first_read, Some(first_read)).jobs;
            for days in [0, 1, 30, 90] {
                let day = first_read.plus_days(days);
                let later = Told::read(&provider, login, day, Some(first_read));
                let (before, after) = (first.identity.clone().unwrap(), later.identity.clone().unwrap());
                assert_eq!(
                    (before.full_name, before.dob, before.photo_url),
                    (after.full_name, after.dob, after.photo_url)
                );
                assert_eq!(std::mem::replace(&mut jobs, later.jobs.clone()), later.jobs, "{login} {day}");
            }
        }
    }
}

#[test]
fn some_people_have_a_photo() {
    let photos = providers::all().into_iter().map(|provider| {
        let day = Timestamp::from_micros(1_795_176_000_000_000).date();
        Told::read(&provider, "good", day, None).identity.unwrap().photo_url
    });
    let (with, without): (Vec<_>, Vec<_>) = photos.partition(Option::is_some);
    assert!(with.len() >= 3 && without.len() >= 3, "{} {}", with.len(), without.len());
}
