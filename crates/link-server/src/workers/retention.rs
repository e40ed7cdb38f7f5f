//! The pause of retention. While the clock is more than a day ahead of the last time it showed, nothing is removed
//! because of its age. [`link_domain::kernel::retention`] has the rule. On PostgreSQL, the database's clock counts, not a
//! node's.

use link_domain::kernel::clock::Wall;
use link_domain::kernel::retention::{ClockJump, clock_jump};
use link_store::{Reader, StoreError};
use link_types::Timestamp;

use crate::app::App;

/// Returns true while nothing may be removed because of its age.
///
/// # Errors
/// If the database cannot be read.
pub(super) fn is_paused(reader: &mut Reader<'_>, local: Wall) -> Result<bool, StoreError> {
    let now = reader.wall_clock(local)?;
    Ok(clock_jump(reader.retention_clock().seen_at()?, now).is_some())
}

/// Reads the clock, and stores its time unless it jumped. Returns the time and the jump.
///
/// # Errors
/// If the database cannot be read or written.
pub async fn look(app: &App) -> Result<(Wall, Option<ClockJump>), StoreError> {
    let local = app.wall();
    let look = app.store().write(move |tx| -> Result<_, StoreError> {
        let now = tx.wall_clock(local)?;
        let jump = clock_jump(tx.retention_clock().seen_at()?, now);
        if jump.is_none() {
            tx.retention_clock().record(now)?;
        }
        Ok((now, jump))
    });
    let (now, jump) = look.await?;
    app.known_jump().set(jump);
    Ok((now, jump))
}

/// Confirms that the clock is right, so that retention resumes. Returns the confirmed jump, if there was one.
///
/// # Errors
/// If the database cannot be read or written.
pub async fn confirm(app: &App) -> Result<Option<ClockJump>, StoreError> {
    let local = app.wall();
    let confirm = app.store().write(move |tx| -> Result<_, StoreError> {
        let now = tx.wall_clock(local)?;
        let jump = clock_jump(tx.retention_clock().seen_at()?, now);
        tx.retention_clock().record(now)?;
        Ok(jump)
    });
    let jump = confirm.await?;
    app.known_jump().set(None);
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
pub(super) fn warn(ClockJump { from, to }: ClockJump) {
    tracing::warn!(
        from = %Timestamp::from_micros(from.micros()),
        to = %Timestamp::from_micros(to.micros()),
        "Retention is paused: the clock is more than a day ahead of the time it last showed. If the clock is \
         right, because the service was switched off or restored from a backup, run \
         `linchpin retention confirm`. If the clock is wrong, correct it"
    );
}
