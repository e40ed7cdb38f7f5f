//! Removes expired data once a minute.
//!
//! It removes: events with their deliveries, wrapping keys of past days, dead tokens, sessions, hand-offs and attempts,
//! old failed logins, old widget events, responses stored for repeated requests, and idle rate limits.
//! `docs/explanation/retention.md` lists all retention times. After a clock jump, nothing is removed.

use std::time::Duration;

use link_domain::console::session::ABSOLUTE_LIFE;
use link_domain::documents::archive::QUOTA_SPAN;
use link_domain::kernel::clock::{ClockOffset, Now, TenantTime, Wall};
use link_domain::kernel::owner::Owner;
use link_domain::kernel::retention::{ClockJump, clock_jump};
use link_domain::linking::funnel::{FUNNEL_MEMORY, funnel_day};
use link_domain::linking::guesses::LoginTries;
use link_domain::linking::link::{OPENING_MEMORY, SURVEY_MEMORY};
use link_domain::notifications::event::EVENT_MEMORY;
use link_domain::notifications::mail::mail_day;
use link_domain::person_page::page_session::SESSION_LIFE;
use link_store::{Day, Reader, StoreError, Tx};
use link_types::id::TenantId;
use link_types::{Mode, Timestamp};

use crate::app::App;
use crate::http::problem::ApiResult;
use crate::logs::log_failure;

/// The time between two rounds.
const INTERVAL: Duration = Duration::from_secs(60);
/// The number of rounds between two warnings about a pause: one hour.
const WARNED_EVERY: u32 = 60;
/// How long a dead token or session is kept, so that its holder gets a specific error.
const KEPT: Duration = Duration::from_secs(7 * 86_400);
/// The number of events that one unit of work removes. With their deliveries, this is few enough not to delay other
/// writes.
const EVENTS_AT_ONCE: usize = 100;
/// The number of keys that one unit of work wraps again.
const KEYS_AT_ONCE: usize = 500;
/// The maximum number of units of one kind in a round. The rest waits for the next round.
const MAX_UNITS_A_ROUND: usize = 200;

/// Runs until the service stops.
pub async fn run(app: App) {
    let mut stopping = app.stopping.clone();
    let mut ticks = tokio::time::interval(INTERVAL);
    let mut paused_rounds = 0;
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            _ = stopping.wait_for(|stop| *stop) => return,
        }
        app.limits.rates.forget_idle();
        match round(&app).await {
            Ok(Some(jump)) => {
                if paused_rounds % WARNED_EVERY == 0 {
                    warn_of_jump(jump);
                }
                paused_rounds += 1;
            }
            // `round` has logged the error.
            Ok(None) | Err(_) => paused_rounds = 0,
        }
    }
}

/// A removal, which runs in its own unit of work. It uses the wall clock: a sandbox clock can only be ahead of it, so a
/// time that has passed on the wall clock has passed for every tenant. [`delete_in_sandbox`] removes what is only past
/// in a sandbox.
type Removal = fn(&mut Tx<'_>, Wall) -> Result<(), StoreError>;

const REMOVALS: [(&str, Removal); 21] = [
    ("link tokens", |tx, now| tx.link_tokens().delete_expired_before(everywhere(now - KEPT)).map(drop)),
    ("link sessions", |tx, now| tx.link_sessions().delete_begun_before(now - KEPT).map(drop)),
    ("hand-offs", |tx, now| tx.link_handoffs().delete_created_before(now - KEPT).map(drop)),
    ("visits", delete_visits),
    ("link attempts", |tx, now| tx.link_attempts().delete_ended_before(everywhere(now - KEPT)).map(drop)),
    ("failed logins", |tx, now| tx.login_tries().delete_failed_before(now - LoginTries::MEMORY).map(drop)),
    ("guess counts", |tx, now| tx.guess_counts().delete_before(now - LoginTries::MEMORY).map(drop)),
    ("upload counts", |tx, now| tx.upload_uses().delete_before(now - QUOTA_SPAN).map(drop)),
    ("mail counts", |tx, now| tx.mails().delete_counts_before(mail_day(now)).map(drop)),
    ("quota counts", |tx, now| tx.quota_uses().delete_full_by(now).map(drop)),
    ("widget events", |tx, now| tx.ui_events().delete_before(now - OPENING_MEMORY).map(drop)),
    ("surveys", |tx, now| tx.surveys().delete_before(now - SURVEY_MEMORY).map(drop)),
    ("funnel counts", |tx, now| tx.funnel().delete_before(funnel_day(now - FUNNEL_MEMORY)).map(drop)),
    ("stored responses", |tx, now| tx.idempotency_keys().delete_expired_by(now).map(drop)),
    ("portal addresses", |tx, now| tx.console_addresses().delete_expired_before(now).map(drop)),
    ("programs that wait for a key", |tx, now| tx.key_requests().delete_expired_before(now).map(drop)),
    ("portal sessions", |tx, now| tx.console_sessions().delete_begun_before(now - ABSOLUTE_LIFE).map(drop)),
    ("sessions of own pages", |tx, now| tx.page_sessions().delete_begun_before(now - SESSION_LIFE).map(drop)),
    ("portal challenges", |tx, now| tx.console_passkeys().delete_challenges_before(now).map(drop)),
    ("ways to providers", |tx, now| tx.console_identities().delete_departures_before(now).map(drop)),
    ("exports", |tx, now| tx.exports().delete_expired_before(everywhere(now)).map(drop)),
];

/// Removes old visits. A person who proved an address and then gave nothing does not find it on their own page, so the user loses
/// it with the visit.
fn delete_visits(tx: &mut Tx<'_>, now: Wall) -> Result<(), StoreError> {
    let empty = tx.visits().delete_empty_proofs(now - KEPT)?;
    for (owner, id) in &empty {
        if let Some(user) = tx.users().get(owner, id)? {
            tx.apply(&user.with_proven_email(None), Now::new(now, ClockOffset::default()))?;
        }
    }
    // The other visits wait until no empty one is left: without its visit, a user would keep the address.
    if empty.is_empty() { tx.visits().delete_begun_before(now - KEPT).map(drop) } else { Ok(()) }
}

const fn everywhere(time: Wall) -> TenantTime {
    TenantTime::from_micros(time.micros())
}

/// The result of a round. A failed step does not stop the others.
#[derive(Default)]
struct Round {
    fault: Option<StoreError>,
}

impl Round {
    fn note<T>(&mut self, what: &str, result: Result<T, StoreError>) -> Option<T> {
        result
            .map_err(|error| {
                log_failure!(error, what, %error, "Housekeeping step failed and will run again");
                self.fault.get_or_insert(error);
            })
            .ok()
    }
}

/// Runs one round. If the clock has jumped, removes nothing and returns the jump.
///
/// # Errors
/// See [`tidy`].
pub async fn round(app: &App) -> Result<Option<ClockJump>, StoreError> {
    let look = look_at_clock(app).await.inspect_err(|error| {
        log_failure!(error, %error, "Reading the clock failed; this round removes nothing");
    });
    let (now, jump) = look?;
    if jump.is_none() {
        tidy(app, now).await?;
    }
    Ok(jump)
}

/// Removes everything that has expired at `now`.
///
/// # Errors
/// The first error of a step, if the database or the key folder cannot be written. All other steps still run.
pub async fn tidy(app: &App, now: Wall) -> Result<(), StoreError> {
    let mut round = Round::default();
    round.note("the list of erasures", app.store.flush_erasures());
    for (what, remove) in REMOVALS {
        round.note(what, app.store.write(move |tx| remove(tx, now)).await);
    }
    tidy_environments(app, now, &mut round).await;
    round.note("links to own pages", delete_page_links(app, now).await);
    round.note("renewing keys", renew_keys(app, now).await);
    let gone = app.store.destroy_day_keys_before(Day::from_micros(now.micros())).await;
    if let Some(days @ 1..) = round.note("destroying day keys", gone) {
        tracing::info!(days, "Destroyed the wrapping keys of past days");
    }
    round.fault.map_or(Ok(()), Err)
}

/// Removes the links to people's own pages that have expired, and their stored mails after the day on which they end.
async fn delete_page_links(app: &App, now: Wall) -> Result<(), StoreError> {
    for folder in app.store.write(move |tx| tx.page_links().delete_expired(now)).await? {
        // Their key is destroyed, so a file that is left over cannot be read.
        if let Err(error) = app.ports.kept_mail.forget(&folder).await {
            tracing::warn!(%error, "Deleting stored mails of past links failed");
        }
    }
    Ok(())
}

/// Removes what has expired on the clock of its environment.
async fn tidy_environments(app: &App, now: Wall, round: &mut Round) {
    let tenants = app.store.read(|reader| reader.tenants().list()).await;
    for tenant in round.note("listing tenants", tenants).unwrap_or_default() {
        round.note("audit events of a tenant", delete_audit_events(app, tenant.id.clone(), now).await);
        for mode in [Mode::Sandbox, Mode::Production] {
            let owner = Owner { tenant: tenant.id.clone(), mode };
            let now = Now::new(now, tenant.offset(mode));
            let gone = delete_events(app, &owner, now).await;
            round.note("events of a tenant", gone);
            if tenant.offset(mode) > ClockOffset::default() {
                let gone = delete_in_sandbox(app, &owner, now).await;
                round.note("tokens, attempts and exports of an advanced sandbox", gone);
            }
        }
    }
}

/// Removes the tokens, attempts and exports that have expired on the clock of a sandbox.
async fn delete_in_sandbox(app: &App, sandbox: &Owner, now: Now) -> Result<(), StoreError> {
    let (tenant, now) = (sandbox.tenant.clone(), now.tenant());
    app.store
        .write(move |tx| {
            tx.link_tokens().delete_expired_in_sandbox(&tenant, now - KEPT)?;
            tx.link_attempts().delete_ended_in_sandbox(&tenant, now - KEPT)?;
            tx.exports().delete_expired_in_sandbox(&tenant, now)
        })
        .await
}

async fn delete_audit_events(app: &App, tenant: TenantId, now: Wall) -> Result<(), StoreError> {
    let before = now - Duration::from_secs(86_400) * app.settings.audit_days.get();
    for _ in 0..MAX_UNITS_A_ROUND {
        let tenant = tenant.clone();
        let remove = move |tx: &mut Tx<'_>| tx.audit_events().delete_before(&tenant, before, EVENTS_AT_ONCE);
        if app.store.write(remove).await? < EVENTS_AT_ONCE as u64 {
            break;
        }
    }
    Ok(())
}

async fn delete_events(app: &App, owner: &Owner, now: Now) -> Result<(), StoreError> {
    let before = now.tenant() - EVENT_MEMORY;
    for _ in 0..MAX_UNITS_A_ROUND {
        let owner = owner.clone();
        let gone =
            app.store.write(move |tx| tx.events().delete_before(&owner, before, EVENTS_AT_ONCE)).await?;
        if gone < EVENTS_AT_ONCE {
            break;
        }
    }
    Ok(())
}

/// Removes what has expired on the clock of a sandbox, unless retention is paused.
///
/// # Errors
/// If the database cannot be read or written.
pub(super) async fn tidy_sandbox(app: &App, owner: &Owner) -> ApiResult<()> {
    let local = app.wall();
    let offset = app.offset_of(owner).await?;
    if app.store.read(move |reader| is_paused(reader, local)).await? {
        return Ok(());
    }
    let now = Now::new(local, offset);
    delete_in_sandbox(app, owner, now).await?;
    Ok(delete_events(app, owner, now).await?)
}

/// Wraps the keys of scopes without an expiry (users) again, well before the days they are wrapped for.
async fn renew_keys(app: &App, now: Wall) -> Result<(), StoreError> {
    for _ in 0..MAX_UNITS_A_ROUND {
        let seen = app.store.write(move |tx| tx.scopes().renew_keys(now, KEYS_AT_ONCE)).await?;
        if seen < KEYS_AT_ONCE {
            break;
        }
    }
    Ok(())
}

// The pause of retention. While the clock is more than a day ahead of the last time it showed, nothing is removed
// because of its age. [`link_domain::kernel::retention`] has the rule. On PostgreSQL, the database's clock counts, not a
// node's.

/// Returns true while nothing may be removed because of its age.
///
/// # Errors
/// If the database cannot be read.
pub(super) fn is_paused(reader: &mut Reader<'_>, local: Wall) -> Result<bool, StoreError> {
    let now = reader.wall_clock(local)?;
    Ok(clock_jump(reader.retention_clock().last_reading()?, now).is_some())
}

/// Reads the clock, and stores its time unless it jumped. Returns the time and the jump.
///
/// # Errors
/// If the database cannot be read or written.
pub async fn look_at_clock(app: &App) -> Result<(Wall, Option<ClockJump>), StoreError> {
    let local = app.wall();
    let look = app.store.write(move |tx| -> Result<_, StoreError> {
        let now = tx.wall_clock(local)?;
        let jump = clock_jump(tx.retention_clock().last_reading()?, now);
        if jump.is_none() {
            tx.retention_clock().record(now)?;
        }
        Ok((now, jump))
    });
    let (now, jump) = look.await?;
    app.health.known_jump.set(jump);
    Ok((now, jump))
}

/// Confirms that the clock is right, so that retention resumes. Returns the confirmed jump, if there was one.
///
/// # Errors
/// If the database cannot be read or written.
pub async fn confirm_clock(app: &App) -> Result<Option<ClockJump>, StoreError> {
    let local = app.wall();
    let confirm = app.store.write(move |tx| -> Result<_, StoreError> {
        let now = tx.wall_clock(local)?;
        let jump = clock_jump(tx.retention_clock().last_reading()?, now);
        tx.retention_clock().record(now)?;
        Ok(jump)
    });
    let jump = confirm.await?;
    app.health.known_jump.set(None);
    if let Some(ClockJump { from, to }) = jump {
        tracing::info!(
            from = %Timestamp::from_micros(from.micros()),
            to = %Timestamp::from_micros(to.micros()),
            "Clock confirmed; retention resumes"
        );
    }
    Ok(jump)
}

/// Warns the operator that retention is paused, and says what to do.
pub(super) fn warn_of_jump(ClockJump { from, to }: ClockJump) {
    tracing::warn!(
        from = %Timestamp::from_micros(from.micros()),
        to = %Timestamp::from_micros(to.micros()),
        "Retention is paused: the clock is more than a day ahead of the time it last showed. If the clock is \
         right, because the service was switched off or restored from a backup, run \
         `linchpin retention confirm`. If the clock is wrong, correct it"
    );
}
