//! A person at a scripted provider, and what a tenant must have after each reading.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use link_domain::data::batch::{Batch, ContributionRate};
use link_domain::kernel::owner::Owner;
use link_domain::kernel::system::BoxFuture;
use link_domain::linking::account_source::{
    AccountSource, Guessing, Read, ReadOutcome, ReadRequest, Step, StepRequest,
};
use link_domain::linking::withdrawal::{NotWithdrawnError, WithdrawRequest};
use link_types::data::{Contribution, DataPointBody, Document, DocumentType};
use link_types::id::{ContributionId, DocumentId, ProviderId};
use link_types::provider::Provider;
use link_types::{Date, LinkErrorCode, Money};

/// Random numbers that are the same in each run.
pub struct Random(u64);

impl Random {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a number below `end`.
    pub const fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Contribution,
    Document,
}

/// The natural key of an item. Several items may have the same.
type Key = (Kind, u32);

/// An item at the provider.
#[derive(Clone, Copy)]
struct Item {
    key: Key,
    value: u32,
    is_shown: bool,
}

/// The number of new and of changed items.
pub type Counts = BTreeMap<&'static str, u64>;

/// The provider's items, and the values that a tenant must have.
#[derive(Default)]
pub struct Person {
    items: Vec<Item>,
    /// The values that a tenant must have of each key, in the order in which they were added.
    pub kept: BTreeMap<Key, Vec<u32>>,
    /// The changes that events must report.
    pub changes: Counts,
    /// The number of readings that fail before the next one succeeds.
    pub failures: u64,
    pub readings: u64,
}

impl Person {
    /// Adds, corrects, hides or shows an item. Every third new contribution has the key of another one.
    pub fn change(&mut self, random: &mut Random) {
        let some = usize::try_from(random.below(self.items.len().max(1) as u64)).unwrap();
        match (random.below(5), self.items.get(some).map(|it| it.key)) {
            (2, Some(_)) => self.items[some].value += 1,
            (3, Some(_)) => self.items[some].is_shown = !self.items[some].is_shown,
            (4, Some(key)) if key.0 == Kind::Contribution => self.add(key, random),
            _ => {
                let kind = if random.below(2) == 0 { Kind::Contribution } else { Kind::Document };
                self.add((kind, u32::try_from(self.items.len()).unwrap()), random);
            }
        }
    }

    /// Adds a contribution with a new key.
    pub fn is_paid(&mut self) {
        let key = (Kind::Contribution, u32::try_from(self.items.len()).unwrap());
        self.items.push(Item { key, value: 1, is_shown: true });
    }

    fn add(&mut self, key: Key, random: &mut Random) {
        let value = u32::try_from(random.below(3)).unwrap();
        self.items.push(Item { key, value, is_shown: true });
    }

    /// Returns the reading. Updates the values a tenant must have: for each key, keeps equal values, replaces missing
    /// ones in order, and adds the rest. Removes nothing.
    fn read(&mut self) -> Vec<DataPointBody> {
        let shown: Vec<Item> = self.items.iter().filter(|it| it.is_shown).copied().collect();
        let mut by_key = BTreeMap::<Key, Vec<u32>>::new();
        for item in &shown {
            by_key.entry(item.key).or_default().push(item.value);
        }
        for (key, values) in by_key {
            let kept = self.kept.entry(key).or_default();
            let mut is_taken = vec![false; kept.len()];
            let mut others = Vec::new();
            for value in values {
                match (0..kept.len()).find(|at| !is_taken[*at] && kept[*at] == value) {
                    Some(at) => is_taken[at] = true,
                    None => others.push(value),
                }
            }
            let (added, updated) = match key.0 {
                Kind::Contribution => ("CONTRIBUTIONS_ADDED", "CONTRIBUTIONS_UPDATED"),
                Kind::Document => ("DOCUMENTS_ADDED", "DOCUMENTS_UPDATED"),
            };
            for value in others {
                let name = match is_taken.iter().position(|taken| !taken) {
                    Some(at) => {
                        (is_taken[at], kept[at]) = (true, value);
                        updated
                    }
                    None => {
                        is_taken.push(true);
                        kept.push(value);
                        added
                    }
                };
                *self.changes.entry(name).or_default() += 1;
            }
        }
        shown.into_iter().map(|it| body(it.key, it.value)).collect()
    }

    /// Shows what a tenant has, so that another account can be read from the beginning.
    pub fn shows_what_is_kept(&mut self) {
        let kept = self.kept.iter();
        let items = kept.flat_map(|(key, values)| values.iter().map(move |value| (*key, *value)));
        self.items = items.map(|(key, value)| Item { key, value, is_shown: true }).collect();
    }
}

fn body((kind, number): Key, value: u32) -> DataPointBody {
    let date = Date::new(2026, 1, 1).unwrap().plus_days(20 * i64::from(number));
    match kind {
        Kind::Contribution => DataPointBody::Contribution(Contribution {
            id: ContributionId::from_bytes([0; 16]),
            date: Some(date),
            currency: "MXN".to_owned(),
            amount: amount(value),
            reference_id: Some(format!("C{number}")),
        }),
        Kind::Document => DataPointBody::Document(Document {
            id: DocumentId::from_bytes([0; 16]),
            name: "Payslip".to_owned(),
            doc_id: format!("D{number}"),
            status: None,
            document_type: DocumentType::Payslip,
            issue_date: Some(date),
            expiry_date: None,
            file_url: None,
            remarks: Some(value.to_string()),
        }),
    }
}

/// Returns the amount of a contribution with this value.
pub fn amount(value: u32) -> Money {
    Money::from_hundredths(100_000 + 10_000 * i64::from(value))
}

/// The sandbox's source, with the scripted data of one person at every provider.
pub struct ScriptedSource {
    pub inner: Arc<dyn AccountSource>,
    pub person: Arc<Mutex<Person>>,
}

impl AccountSource for ScriptedSource {
    fn providers(&self) -> Arc<[Provider]> {
        self.inner.providers()
    }

    fn guessing<'a>(
        &'a self,
        owner: &'a Owner,
        provider: &'a ProviderId,
        login_name: &'a str,
    ) -> BoxFuture<'a, Guessing> {
        self.inner.guessing(owner, provider, login_name)
    }

    fn step<'a>(&'a self, request: StepRequest<'a>) -> BoxFuture<'a, Step> {
        self.inner.step(request)
    }

    fn read<'a>(&'a self, request: ReadRequest<'a>) -> BoxFuture<'a, Read> {
        let mut person: MutexGuard<'_, Person> = self.person.lock().unwrap();
        person.readings += 1;
        let (bodies, outcome) = if person.failures > 0 {
            person.failures -= 1;
            (Vec::new(), ReadOutcome::Failed { code: LinkErrorCode::ServiceUnavailable })
        } else {
            (person.read(), ReadOutcome::Complete)
        };
        let contribution_rate = ContributionRate::from_basis_points(650);
        let batch = Batch { bodies, contribution_rate, files: Vec::new() };
        let read = Read { state: request.state.clone(), batch, outcome };
        Box::pin(std::future::ready(read))
    }

    fn withdraw<'a>(&'a self, request: WithdrawRequest<'a>) -> BoxFuture<'a, Result<(), NotWithdrawnError>> {
        self.inner.withdraw(request)
    }
}
