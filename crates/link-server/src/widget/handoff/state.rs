//! The state of a hand-off, as the widget shows it.

use link_domain::clock::Now;
use link_domain::link::{self, HandoffStep};
use link_store::Reader;
use link_types::handoff::{CodePicture, Handoff};

use crate::http::problem::ApiResult;

/// Returns the state of a hand-off, which also depends on its account. `picture` is the code, if it was just created.
pub(super) fn state(
    reader: &mut Reader<'_>,
    handoff: &link::Handoff,
    picture: Option<CodePicture>,
    now: Now,
) -> ApiResult<Handoff> {
    let account = match &handoff.step {
        HandoffStep::Challenge(account) => reader.accounts().get(&handoff.owner, account)?,
        HandoffStep::Upload(_) => None,
    };
    let linking = account.map(|it| it.progress(now).phase);
    Ok(Handoff { phase: handoff.phase(linking.as_ref(), now.wall()), picture })
}
