//! The state of a hand-off, as the widget shows it.

use link_domain::kernel::clock::Now;
use link_domain::linking::link;
use link_store::Reader;
use link_types::handoff::{CodePicture, Handoff};

use crate::http::extract::handoff_step::step_progress;
use crate::http::problem::ApiResult;

/// Returns the state of a hand-off, which also depends on its account. `picture` is the code, if it was just created.
pub(super) fn state(
    reader: &mut Reader<'_>,
    handoff: &link::Handoff,
    picture: Option<CodePicture>,
    now: Now,
) -> ApiResult<Handoff> {
    let progress = step_progress(reader, handoff)?;
    Ok(Handoff { phase: handoff.phase(progress, now.wall()), picture })
}
