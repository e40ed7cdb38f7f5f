//! The pause of retention: while the clock is more than a day ahead of its last look, nothing is removed because of its
//! age. The rule is [`link_domain::retention`]'s; on PostgreSQL the database's clock counts, not a node's.

use std::sync::{Arc, Mutex, PoisonError};

use link_domain::clock::Wall;
use link_domain::retention::{ClockJump, clock_jump};
use link_store::{Reader, StoreError};
use link_types::Timestamp;

use crate::app::App;

/// The jump of the clock that this process knows of, for those who ask often.
#[derive(Clone, Default)]
pub struct KnownJump(Arc<Mutex<Option<ClockJump>>>);

impl KnownJump {
    /// What the last look found.
    pub fn get(&self) -> Option<ClockJump> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, jump: Option<ClockJump>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = jump;
    }
}

/// Whether nothing may be removed because of its age right now.
///
/// # Errors
/// When the database does not answer.
pub(super) fn is_paused(reader: &mut Reader<'_>, local: Wall) -> Result<bool, StoreError> {
    let now = reader.wall_clock(local)?;
    Ok(clock_jump(reader.clock_seen_at()?, now).is_some())
}

/// Looks at the clock, and remembers what it shows unless it jumped. Gives what it shows, and the jump.
///
/// # Errors
/// When the database does not answer.
pub async fn look(app: &App) -> Result<(Wall, Option<ClockJump>), StoreError> {
    let local = app.wall();
    let look = app.store().write(move |tx| -> Result<_, StoreError> {
        let now = tx.wall_clock(local)?;
        let jump = clock_jump(tx.clock_seen_at()?, now);
        if jump.is_none() {
            tx.see_clock(now)?;
        }
        Ok((now, jump))
    });
    let (now, jump) = look.await?;
    app.known_jump().set(jump);
    Ok((now, jump))
}

/// Takes what the clock shows for right: retention goes on. Gives the jump that was confirmed, if there was one.
///
/// # Errors
/// When the database does not answer.
pub async fn confirm(app: &App) -> Result<Option<ClockJump>, StoreError> {
    let local = app.wall();
    let confirm = app.store().write(move |tx| -> Result<_, StoreError> {
        let now = tx.wall_clock(local)?;
        let jump = clock_jump(tx.clock_seen_at()?, now);
        tx.see_clock(now)?;
        Ok(jump)
    });
    let jump = confirm.await?;
    app.known_jump().set(None);
    if let Some(ClockJump { from, to }) = jump {
        tracing::info!(
            from = %Timestamp::from_micros(from.micros()),
            to = %Timestamp::from_micros(to.micros()),
            "the clock is confirmed: retention goes on"
        );
    }
    Ok(jump)
}

/// Tells the operator what happened, and what to do.
pub(super) fn warn(ClockJump { from, to }: ClockJump) {
    tracing::warn!(
        from = %Timestamp::from_micros(from.micros()),
        to = %Timestamp::from_micros(to.micros()),
        "retention is paused: the clock is more than a day ahead of when it was last looked at. If the service was \
         switched off meanwhile, or restored from a back-up, and the clock is right, run `linchpin retention confirm`. \
         If it is wrong, set it right"
    );
}
