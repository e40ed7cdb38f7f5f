//! The measured work: the reads and units of the service's endpoints, without HTTP.

use std::time::{Duration, Instant};

use link_domain::change::{Change, Row};
use link_domain::linking::account::Account;
use link_domain::linking::export::ExportFile;
use link_domain::use_cases::MAX_ERASED_AT_ONCE;
use link_store::{Label, Reader, Store, StoreError};
use link_types::export::ExportFormat;
use link_types::id::AccountId;

use super::fill::{Filled, apply, stop};
use super::people::{Person, Rows, context, owner, wall};

/// Pseudorandom numbers, the same in every run.
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// Reads the bodies of all data points of an account, as `GET /accounts/{id}/payload` and the exports do.
fn points(reader: &mut Reader<'_>, account: &AccountId) -> Result<Vec<Vec<u8>>, StoreError> {
    let points = match reader.data_points().of_source(&owner(), account.as_str()) {
        Err(StoreError::Erased) => Vec::new(),
        points => points?,
    };
    Ok(points.into_iter().map(|point| point.body).collect())
}

/// Reads an account's payload. Returns how long it took, and how many data points it has: none if another task has just
/// erased the account.
pub async fn payload(store: &Store, person: &Person) -> (Duration, usize) {
    let account = person.account.clone();
    let asked = Instant::now();
    let read = store.read(move |reader| -> Result<_, StoreError> {
        match reader.accounts().get(&owner(), &account)?.filter(Account::has_data) {
            Some(account) => points(reader, &account.id),
            None => Ok(Vec::new()),
        }
    });
    let bodies = read.await.unwrap_or_else(stop);
    (asked.elapsed(), bodies.len())
}

/// Exports an account and downloads the file. Returns how long the reads took, and how long the unit that stores the file.
pub async fn export(store: &Store, person: &Person, number: u64) -> (Duration, Duration) {
    let mut context = context(wall(), number);
    let (account, bodies, mut reading) = gather(store, person.account.clone()).await;
    let file = ExportFile::for_account(&account, ExportFormat::Json, bodies.concat(), &mut context);
    let (id, change, now) = (file.export.id.clone(), Change::row(Row::Export(Box::new(file))), context.now());
    let asked = Instant::now();
    let write = store.write(move |tx| -> Result<(), StoreError> {
        let current = tx.accounts().get(&owner(), &account.id)?;
        assert!(current.is_some_and(|it| it.is_connected() && it.declined_data() == account.declined_data()));
        tx.apply(&change, now)
    });
    write.await.unwrap_or_else(stop);
    let writing = asked.elapsed();
    let asked = Instant::now();
    let file: Result<_, StoreError> = store.read(move |reader| reader.exports().get(&owner(), &id)).await;
    assert!(file.unwrap_or_else(stop).is_some(), "the export is there");
    reading += asked.elapsed();
    (reading, writing)
}

/// Reads what an export needs. The service looks twice for an export that it can return again.
async fn gather(store: &Store, id: AccountId) -> (Account, Vec<Vec<u8>>, Duration) {
    let asked = Instant::now();
    for _ in 0..2 {
        let id = id.clone();
        let look = store.read(move |reader| -> Result<_, StoreError> {
            let account = reader.accounts().get(&owner(), &id)?;
            reader.exports().latest(&owner(), &id, ExportFormat::Json)?;
            Ok((account, reader.derive_key(Label::Export)))
        });
        look.await.unwrap_or_else(stop);
    }
    let read = store.read(move |reader| -> Result<_, StoreError> {
        Ok((reader.accounts().get(&owner(), &id)?, points(reader, &id)?))
    });
    let (account, bodies) = read.await.unwrap_or_else(stop);
    (account.unwrap(), bodies, asked.elapsed())
}

/// Erases a user as `DELETE /users/{id}` does. Returns how long it took until the unit was committed.
pub async fn erase(store: &Store, person: &Person, number: u64) -> Duration {
    let (user, context) = (person.user.clone(), context(wall(), number));
    let asked = Instant::now();
    let write = store.write(move |tx| -> Result<(), StoreError> {
        let mut context = context.clone();
        let found = tx.users().get(&owner(), &user)?.unwrap();
        let user_data = tx.users().data(&owner(), &user, MAX_ERASED_AT_ONCE)?;
        assert_eq!(user_data.accounts.len(), 1);
        let change = found.erase(user_data, &mut context);
        tx.apply(&change, context.now())
    });
    write.await.unwrap_or_else(stop);
    asked.elapsed()
}

impl Filled {
    pub fn any<'a>(&'a self, numbers: &mut Numbers) -> &'a Person {
        &self.people[numbers.below(self.people.len())]
    }

    /// Erases users one after the other, and creates others instead of them. Returns how long each erasure took, without
    /// the first one: on SQLite it also empties the log of everything that was written before.
    pub async fn erasures(&mut self, count: usize, numbers: &mut Numbers, first: u64) -> Vec<Duration> {
        let mut taken = Vec::new();
        for number in 0..=count as u64 {
            let at = numbers.below(self.people.len());
            let person = self.people.swap_remove(at);
            taken.push(erase(&self.store, &person, first + number).await);
        }
        let mut rows = Rows::default();
        for number in 0..=count as u64 {
            let mut context = context(wall(), first + 1_000_000 + number);
            self.people.push(Person::create(first + number, &mut context, &mut rows));
        }
        apply(&self.store, rows).await;
        taken.split_off(1)
    }
}
