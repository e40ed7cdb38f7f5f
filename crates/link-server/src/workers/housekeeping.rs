//! What has had its time goes: events with their deliveries, wrapping keys of days past, dead tokens, sessions and
//! attempts, failed logins of the day before, what widgets told long ago, answers kept for repeated requests, idle rate
//! limits. `docs/explanation/retention.md` is the table of it. After a jump of the clock nothing is removed ([`super::retention`]).

use std::time::Duration;

use link_domain::archive::QUOTA_SPAN;
use link_domain::clock::{Now, TenantTime, Wall};
use link_domain::event::EVENT_MEMORY;
use link_domain::link::{LoginTries, OPENING_MEMORY, SURVEY_MEMORY};
use link_domain::mail::mail_day;
use link_domain::owner::Owner;
use link_domain::retention::ClockJump;
use link_store::{Day, StoreError, Tx};
use link_types::Mode;

use super::retention;
use crate::app::App;

/// How often it is looked after.
const INTERVAL: Duration = Duration::from_secs(60);
/// Rounds between two warnings of a pause: an hour.
const WARNED_EVERY: u32 = 60;
/// How long a dead token or session is kept, so that its holder is told what became of it.
const KEPT: Duration = Duration::from_secs(7 * 86_400);
/// Events that one unit of work removes: with their deliveries few enough not to hold up whoever writes beside it.
const EVENTS_AT_ONCE: usize = 100;
/// Keys that one unit of work wraps anew.
const KEYS_AT_ONCE: usize = 500;
/// Units of one kind that follow one another in one round; what is left waits for the next.
const UNITS_A_ROUND: usize = 200;

/// Works until the service stops.
pub async fn run(app: App) {
    let mut stopping = app.stopping();
    let mut ticks = tokio::time::interval(INTERVAL);
    let mut paused_rounds = 0;
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            _ = stopping.wait_for(|stop| *stop) => return,
        }
        app.limits().forget_idle();
        match round(&app).await {
            Ok(Some(jump)) => {
                if paused_rounds % WARNED_EVERY == 0 {
                    retention::warn(jump);
                }
                paused_rounds += 1;
            }
            // What failed is in the log.
            Ok(None) | Err(_) => paused_rounds = 0,
        }
    }
}

/// What is removed, each in a unit of its own. A sandbox clock is only ever ahead: what is past on the wall is past for
/// every tenant.
type Removal = fn(&mut Tx<'_>, Wall) -> Result<(), StoreError>;

const REMOVALS: [(&str, Removal); 13] = [
    ("link tokens", |tx, now| tx.delete_tokens_expired_before(everywhere(now - KEPT)).map(drop)),
    ("link sessions", |tx, now| tx.delete_sessions_begun_before(now - KEPT).map(drop)),
    ("visits", |tx, now| tx.delete_visits_begun_before(now - KEPT).map(drop)),
    ("link attempts", |tx, now| tx.delete_attempts_ended_before(everywhere(now - KEPT)).map(drop)),
    ("failed logins", |tx, now| tx.delete_login_tries_failed_before(now - LoginTries::MEMORY).map(drop)),
    ("counts of guesses", |tx, now| tx.delete_guess_counts_before(now - LoginTries::MEMORY).map(drop)),
    ("counts of uploads", |tx, now| tx.delete_upload_uses_before(now - QUOTA_SPAN).map(drop)),
    ("counts of mails", |tx, now| tx.delete_mail_counts_before(mail_day(now)).map(drop)),
    ("counts of quotas", |tx, now| tx.delete_quota_uses_full_by(now).map(drop)),
    ("events of widgets", |tx, now| tx.delete_ui_events_before(now - OPENING_MEMORY).map(drop)),
    ("surveys", |tx, now| tx.delete_surveys_before(now - SURVEY_MEMORY).map(drop)),
    ("kept answers", |tx, now| tx.delete_answers_expired_by(everywhere(now)).map(drop)),
    ("exports", |tx, now| tx.delete_exports_expired_before(everywhere(now)).map(drop)),
];

const fn everywhere(moment: Wall) -> TenantTime {
    TenantTime::from_micros(moment.micros())
}

/// What one round came to: a step that fails keeps no other from being done.
#[derive(Default)]
struct Round {
    fault: Option<StoreError>,
}

impl Round {
    fn note<T>(&mut self, what: &str, result: Result<T, StoreError>) -> Option<T> {
        result
            .map_err(|error| {
                tracing::error!(what, %error, "a step of housekeeping failed and will be tried again");
                self.fault.get_or_insert(error);
            })
            .ok()
    }
}

/// One round. After a jump of the clock, which it gives, nothing is removed.
///
/// # Errors
/// As [`tidy`].
pub async fn round(app: &App) -> Result<Option<ClockJump>, StoreError> {
    let look = retention::look(app).await.inspect_err(|error| {
        tracing::error!(%error, "the clock cannot be looked at: nothing is removed this time");
    });
    let (now, jump) = look?;
    if jump.is_none() {
        tidy(app, now).await?;
    }
    Ok(jump)
}

/// Removes everything that has had its time, as of a moment.
///
/// # Errors
/// When the database or the key folder cannot be written: the first of what went wrong. Everything that could be done
/// is done.
pub async fn tidy(app: &App, now: Wall) -> Result<(), StoreError> {
    let mut round = Round::default();
    for (what, remove) in REMOVALS {
        round.note(what, app.store().write(move |tx| remove(tx, now)).await);
    }
    forget_events(app, now, &mut round).await;
    round.note("the renewal of keys", renew_keys(app, now).await);
    let gone = app.store().destroy_day_keys_before(Day::of(now.micros())).await;
    if let Some(days @ 1..) = round.note("the destruction of day keys", gone) {
        tracing::info!(days, "the wrapping keys of days past are destroyed");
    }
    round.fault.map_or(Ok(()), Err)
}

/// Removes the events whose time is over on their tenant's clock.
async fn forget_events(app: &App, now: Wall, round: &mut Round) {
    let tenants = app.store().read(|reader| reader.tenants()).await;
    for tenant in round.note("the list of tenants", tenants).unwrap_or_default() {
        for mode in [Mode::Sandbox, Mode::Production] {
            let before = Now::new(now, tenant.offset(mode)).tenant() - EVENT_MEMORY;
            for _ in 0..UNITS_A_ROUND {
                let owner = Owner { tenant: tenant.id.clone(), mode };
                let gone = app
                    .store()
                    .write(move |tx| tx.delete_events_before(&owner, before, EVENTS_AT_ONCE))
                    .await;
                if round.note("the events of a tenant", gone) != Some(EVENTS_AT_ONCE) {
                    break;
                }
            }
        }
    }
}

/// Wraps anew the keys of what has no last day, users', while the days they are wrapped for are far off.
async fn renew_keys(app: &App, now: Wall) -> Result<(), StoreError> {
    for _ in 0..UNITS_A_ROUND {
        let seen = app.store().write(move |tx| tx.renew_scope_keys(now, KEYS_AT_ONCE)).await?;
        if seen < KEYS_AT_ONCE {
            break;
        }
    }
    Ok(())
}
