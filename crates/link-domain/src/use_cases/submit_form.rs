//! A person submits the form of a visit.

use crate::change::Change;
use crate::invitations::form_submission::{FormOfVisit, FormSubmission, InvalidAnswersError, SentAnswers};
use crate::invitations::link_site::{LinkSite, SiteClosedError};
use crate::kernel::context::Context;

/// Reason why a form is not submitted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SubmitFormError {
    /// The site has its maximum number of submissions.
    #[error(transparent)]
    Full(#[from] SiteClosedError),
    /// The person must correct answers, or answer more fields.
    #[error("the answers are not complete")]
    Rejected(InvalidAnswersError),
    /// Only a program answers this soon, or fills the field that people do not see.
    #[error("the answers come from a program")]
    Program,
}

/// Submits the form of a visit, and counts it on its link site. `site` is `None` for the form of a link template.
///
/// # Errors
///
/// [`SubmitFormError`] if the form is not submitted. Nothing must be written then.
pub fn submit_form(
    of: FormOfVisit<'_>,
    site: Option<LinkSite>,
    sent: &SentAnswers,
    context: &mut Context,
) -> Result<(FormSubmission, Change), SubmitFormError> {
    if sent.has_bait || of.visit.is_too_early(context.now().wall()) {
        return Err(SubmitFormError::Program);
    }
    // Before the answers: a full site accepts no files, so a required file is missing.
    if site.as_ref().is_some_and(LinkSite::is_full) {
        return Err(SiteClosedError::Full.into());
    }
    let (form, submitted) = FormSubmission::submit(of, sent, context).map_err(SubmitFormError::Rejected)?;
    let change = match site {
        Some(site) => submitted.then(site.record_submission()?),
        None => submitted,
    };
    Ok((form, change))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use crate::invitations::form_submission::site_of;
    use crate::invitations::visit::{Visit, VisitOrigin};
    use link_types::form_submission::LinkSiteForm;

    #[test]
    fn answers_of_a_program_are_rejected() {
        let form: LinkSiteForm =
            serde_json::from_value(serde_json::json!({"reference": "loan", "fields": []})).unwrap();
        let site = site_of(&link_types::id::LinkTemplateId::from_bytes([1; 16]));
        let invited = fixture::visit();
        let open = Visit { origin: VisitOrigin::LinkSite(site.clone()), ..invited.clone() };
        let submit = |visit: &Visit, has_bait| {
            let of = FormOfVisit { form: &form, site: site.clone(), visit, started: None };
            let sent = SentAnswers { has_bait, ..SentAnswers::default() };
            submit_form(of, None, &sent, &mut fixture::context()).map(drop)
        };
        assert_eq!(submit(&open, false), Err(SubmitFormError::Program), "the visit has just begun");
        assert_eq!(submit(&invited, true), Err(SubmitFormError::Program));
        assert_eq!(submit(&invited, false), Ok(()));
    }
}
