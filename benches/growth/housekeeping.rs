//! One round of the service's housekeeping worker (`link-server/src/workers/housekeeping.rs`) and one claim of each
//! queue of jobs.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use link_domain::change::job::{Job, JobKind, JobQueue};
use link_domain::change::{Change, Row};
use link_domain::console::session::ABSOLUTE_LIFE;
use link_domain::documents::archive::QUOTA_SPAN;
use link_domain::kernel::clock::{TenantTime, Wall};
use link_domain::kernel::owner::Owner;
use link_domain::linking::funnel::{FUNNEL_MEMORY, funnel_day};
use link_domain::linking::guesses::LoginTries;
use link_domain::linking::link::{OPENING_MEMORY, SURVEY_MEMORY};
use link_domain::notifications::event::EVENT_MEMORY;
use link_domain::notifications::mail::mail_day;
use link_domain::tenancy::user::User;
use link_store::{Claim, Day, Share, Store, StoreError, Tx, WorkerId};
use link_types::Mode;

use super::fill::{Filled, apply, stop};
use super::people::{Person, Rows, context, owner, wall};

const KEPT: Duration = Duration::from_secs(7 * 86_400);
const EVENTS_AT_ONCE: usize = 100;
const KEYS_AT_ONCE: usize = 500;
/// So long ago that everything is due for removal.
const LONG_AGO: Duration = Duration::from_secs(100 * 86_400);

type Removal = fn(&mut Tx<'_>, Wall) -> Result<u64, StoreError>;

const REMOVALS: [(&str, Removal); 17] = [
    ("link tokens", |tx, now| tx.link_tokens().delete_expired_before(everywhere(now - KEPT))),
    ("link sessions", |tx, now| tx.link_sessions().delete_begun_before(now - KEPT)),
    ("hand-offs", |tx, now| tx.link_handoffs().delete_created_before(now - KEPT)),
    ("visits", |tx, now| tx.visits().delete_begun_before(now - KEPT)),
    ("link attempts", |tx, now| tx.link_attempts().delete_ended_before(everywhere(now - KEPT))),
    ("failed logins", |tx, now| tx.login_tries().delete_failed_before(now - LoginTries::MEMORY)),
    ("guess counts", |tx, now| tx.guess_counts().delete_before(now - LoginTries::MEMORY)),
    ("upload counts", |tx, now| tx.upload_uses().delete_before(now - QUOTA_SPAN)),
    ("mail counts", |tx, now| tx.mails().delete_counts_before(mail_day(now))),
    ("quota counts", |tx, now| tx.quota_uses().delete_full_by(now)),
    ("widget events", |tx, now| tx.ui_events().delete_before(now - OPENING_MEMORY)),
    ("surveys", |tx, now| tx.surveys().delete_before(now - SURVEY_MEMORY)),
    ("funnel counts", |tx, now| tx.funnel().delete_before(funnel_day(now - FUNNEL_MEMORY))),
    ("stored responses", |tx, now| tx.idempotency_keys().delete_expired_by(now)),
    ("portal addresses", |tx, now| tx.console_addresses().delete_expired_before(now)),
    ("portal sessions", |tx, now| tx.console_sessions().delete_begun_before(now - ABSOLUTE_LIFE)),
    // This one does not report how many there were.
    ("exports", |tx, now| tx.exports().delete_expired_before(everywhere(now)).map(|()| 0)),
];

const fn everywhere(time: Wall) -> TenantTime {
    TenantTime::from_micros(time.micros())
}

/// How long each step of a round took, and how many rows and jobs it found.
pub struct Round {
    pub steps: Vec<(&'static str, Duration)>,
    pub found: u64,
}

impl Round {
    pub fn total(&self) -> Duration {
        self.steps.iter().map(|(_, taken)| *taken).sum()
    }

    fn add(&mut self, what: &'static str, begun: Instant, found: u64) {
        self.steps.push((what, begun.elapsed()));
        self.found += found;
    }
}

/// Runs a round.
pub async fn round(store: &Store) -> Round {
    let now = wall();
    let mut round = Round { steps: Vec::new(), found: 0 };
    let begun = Instant::now();
    let look = store.write(move |tx| -> Result<(), StoreError> {
        tx.wall_clock(now)?;
        tx.retention_clock().last_reading()?;
        tx.retention_clock().record(now)
    });
    look.await.unwrap_or_else(stop);
    round.add("clock", begun, 0);
    for (what, remove) in REMOVALS {
        let begun = Instant::now();
        let removed = store.write(move |tx| remove(tx, now)).await.unwrap_or_else(stop);
        round.add(what, begun, removed);
    }
    let begun = Instant::now();
    let tenants: Result<_, StoreError> = store.read(|reader| reader.tenants().list()).await;
    for tenant in tenants.unwrap_or_else(stop) {
        for mode in [Mode::Sandbox, Mode::Production] {
            let owner = Owner { tenant: tenant.id.clone(), mode };
            let before = everywhere(now) - EVENT_MEMORY;
            let remove = store.write(move |tx| tx.events().delete_before(&owner, before, EVENTS_AT_ONCE));
            let removed = remove.await.unwrap_or_else(stop);
            round.add("events", begun, removed as u64);
        }
    }
    let begun = Instant::now();
    let renewed = store.write(move |tx| tx.scopes().renew_keys(now, KEYS_AT_ONCE)).await;
    round.add("keys", begun, renewed.unwrap_or_else(stop) as u64);
    let begun = Instant::now();
    store.destroy_day_keys_before(Day::from_micros(now.micros())).await.unwrap_or_else(stop);
    round.add("day keys", begun, 0);
    let begun = Instant::now();
    let mut claimed = 0;
    for queue in JobQueue::ALL {
        claimed += claim(store, queue, now).await;
    }
    round.add("jobs", begun, claimed);
    round
}

/// Claims the due jobs of a queue and finishes them.
async fn claim(store: &Store, queue: JobQueue, now: Wall) -> u64 {
    let worker = WorkerId::from_random([7; 16]);
    let claim = store.write(move |tx| -> Result<_, StoreError> {
        let (held, held_of_provider) = (BTreeMap::new(), BTreeMap::new());
        let share = Share { most: 4, held, most_of_provider: 4, held_of_provider };
        let claimed = tx.jobs().claim(queue, Claim { worker: &worker, now, limit: 4 }, share)?;
        claimed.jobs.iter().try_for_each(|job| tx.jobs().finish(job).map(drop))?;
        Ok(claimed.jobs.len() as u64)
    });
    claim.await.unwrap_or_else(stop)
}

/// The least number of rows and jobs that [`make_due`] makes due.
pub const MIN_DUE: u64 = 16;

/// Adds one thing that is due for each step of a round.
pub async fn make_due(filled: &Filled, person: &Person, number: u64) {
    let at = wall() - LONG_AGO;
    let mut context = context(at, number);
    let mut rows = Rows::default();
    person.leave_traces(number, &mut context, &mut rows);
    let work = JobKind::EraseUser { user_id: person.user.clone() };
    rows.change.jobs.push(Job::now(&owner(), work, &mut context));
    apply(&filled.store, rows).await;
    let (old, _) = User::create(owner(), None, BTreeMap::default(), &mut context);
    let (change, now) = (Change::row(Row::User(old)), context.now());
    let write = filled.store.write(move |tx| -> Result<(), StoreError> {
        // The key of this user was wrapped long ago.
        tx.apply(&change, now)?;
        tx.mails().count_of_day(mail_day(at), "demo")?;
        tx.mails().count(mail_day(at), "demo")
    });
    write.await.unwrap_or_else(stop);
}
