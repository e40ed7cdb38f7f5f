//! The terms that the widget shows.

use link_domain::linking::link::LinkSession;
use link_domain::tenancy::template::{ConsentTemplate, LinkTemplate};
use link_store::{Reader, Tx};

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

/// Returns the link template of a session and its consent template, for a consent to them. `None` if the tenant deleted
/// the link template.
pub(super) fn terms_to_cite(
    tx: &mut Tx<'_>,
    session: &LinkSession,
) -> ApiResult<Option<(LinkTemplate, ConsentTemplate)>> {
    let owner = &session.owner;
    let Some(template) = tx.link_templates().get_to_cite(owner, &session.template_id)? else {
        return Ok(None);
    };
    let consent = tx
        .consent_templates()
        .get_kept(owner, &template.template.consent_template_id)?
        .ok_or_else(|| Problem::system("A link template refers to a missing consent template"))?;
    Ok(Some((template, consent)))
}
