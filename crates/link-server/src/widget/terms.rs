//! The terms that the widget shows.

use link_domain::link::LinkSession;
use link_domain::template::{ConsentTemplate, LinkTemplate};
use link_store::Reader;

use crate::http::problem::{ApiResult, Problem};

/// Returns the link template of a session and its consent template, as the widget shows them.
pub(super) fn shown_terms(
    reader: &mut Reader<'_>,
    session: &LinkSession,
) -> ApiResult<(LinkTemplate, ConsentTemplate)> {
    let owner = &session.owner;
    let template = reader.link_templates().get(owner, &session.template_id)?.ok_or_else(Problem::missing)?;
    let consent = reader
        .consent_templates()
        .get_kept(owner, &template.template.consent_template_id)?
        .ok_or_else(|| Problem::system("A link template refers to a missing consent template"))?;
    Ok((template, consent))
}
