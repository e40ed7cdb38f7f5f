//! Fills a database: users through the store, and copies of their rows by SQL.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use link_domain::change::{Change, Row};
use link_domain::kernel::clock::ClockOffset;
use link_domain::tenancy::idempotency::Claim;
use link_domain::tenancy::tenant::Tenant;
use link_store::test_support::{Backend, TestDatabase};
use link_store::{Store, StoreError};

use super::copies;
use super::people::{POINTS, Person, Rows, context, now, owner, wall};

const USERS_A_UNIT: u64 = 200;
const FILLERS: usize = 4;
/// All rows were created within this time. Nothing of them expires during the measurement.
const SPAN: Duration = Duration::from_secs(12 * 3_600);
/// One user in ten left traces.
const WITH_TRACES: u64 = 10;

/// A filled database.
pub struct Filled {
    pub database: TestDatabase,
    pub store: Store,
    /// The users that were not copied: all of them, or one in ten.
    pub people: Vec<Person>,
    pub users: u64,
}

/// Creates a database with this number of users.
///
/// From 1,000 users on, the store writes one in ten, and SQL statements copy each nine times. A copy cannot be
/// opened: it only takes up room in the tables and indexes.
pub async fn fill(backend: Backend, users: u64) -> Filled {
    let database = TestDatabase::new(backend);
    let begun = Instant::now();
    let written = if users < 1_000 { users } else { users / (1 + copies::EACH) };
    let store = database.open().await;
    let people = write(&store, written, users).await;
    let seconds = begun.elapsed().as_secs_f64();
    let rate = (written * POINTS) as f64 / seconds;
    eprintln!("{backend:?}: {written} users in {seconds:.0} s through the store, {rate:.0} data points/s");
    store.close().await;
    if written < users {
        copies::make(&database.settings());
        let seconds = begun.elapsed().as_secs_f64() - seconds;
        eprintln!("{backend:?}: {users} users with copies, after another {seconds:.0} s");
    }
    copies::settle(&database.settings());
    let store = database.open().await;
    Filled { database, store, people, users }
}

/// Writes users in the order of their creation, which is the order in which a service would.
async fn write(store: &Store, written: u64, users: u64) -> Vec<Person> {
    let tenant = Tenant {
        id: owner().tenant,
        name: "Demo".into(),
        created_at: now().tenant(),
        sandbox_offset: ClockOffset::default(),
        standing: link_domain::tenancy::tenant::standing::Standing::Active,
    };
    apply(store, Rows { change: Change::row(Row::Tenant(tenant)), ..Rows::default() }).await;
    let (first, next) = (wall() - SPAN, Arc::new(AtomicU64::new(0)));
    let step = SPAN / u32::try_from(written).unwrap();
    // If the others are copies, everyone has traces.
    let with_traces = if written < users { 1 } else { WITH_TRACES };
    let fillers: Vec<_> = (0..FILLERS)
        .map(|_| {
            let (store, next) = (store.clone(), Arc::clone(&next));
            tokio::spawn(async move {
                let mut people = Vec::new();
                loop {
                    let from = next.fetch_add(USERS_A_UNIT, Ordering::Relaxed);
                    if from >= written {
                        return people;
                    }
                    let mut rows = Rows::default();
                    for number in from..written.min(from + USERS_A_UNIT) {
                        let at = first + step * u32::try_from(number).unwrap();
                        let mut context = context(at, number);
                        let person = Person::create(number, &mut context, &mut rows);
                        if number % with_traces == 0 {
                            person.leave_traces(number, &mut context, &mut rows);
                        }
                        people.push(person);
                    }
                    apply(&store, rows).await;
                }
            })
        })
        .collect();
    let mut people = Vec::new();
    for filler in fillers {
        people.extend(filler.await.unwrap());
    }
    people
}

/// Writes rows in one unit. Keys are wrapped from today on. Otherwise housekeeping would renew them.
pub async fn apply(store: &Store, Rows { change, responses }: Rows) {
    let now = now();
    let write = store.write(move |tx| -> Result<(), StoreError> {
        tx.apply(&change, now)?;
        for (request, stored) in &responses {
            if matches!(tx.idempotency_keys().claim(request, now)?, Claim::Mine) {
                tx.idempotency_keys().keep(request, stored)?;
            }
        }
        Ok(())
    });
    write.await.unwrap_or_else(stop);
}

pub fn stop<T>(error: StoreError) -> T {
    panic!("{error}")
}
