//! The step of a hand-off, as far as it depends on the step's account.

use link_domain::linking::link::{Handoff, StepProgress};
use link_store::{Reader, StoreError};

/// Returns how far the step of a hand-off is.
///
/// # Errors
/// [`StoreError`] if the database cannot be read.
pub fn step_progress(reader: &mut Reader<'_>, handoff: &Handoff) -> Result<StepProgress, StoreError> {
    let account = match handoff.step.account_id() {
        Some(account) => reader.accounts().get(&handoff.owner, account)?,
        None => None,
    };
    Ok(handoff.step.progress(account.as_ref()))
}
