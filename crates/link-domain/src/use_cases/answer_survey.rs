//! A person answers the survey because they could not find their employer or provider.

use link_types::uploading::EmployerSurvey;

use crate::change::{Change, Row};
use crate::kernel::context::Context;
use crate::linking::funnel::FunnelCount;
use crate::linking::link::{LinkSession, Survey};
use crate::tenancy::quota::{QuotaExceededError, QuotaUse};

/// Stores an answer, charges it, and counts it in the funnel. `used` are the user's answers so far.
///
/// # Errors
///
/// [`QuotaExceededError`] if the user's quota of answers is used up. Nothing must be written then.
pub fn answer_survey(
    session: &LinkSession,
    answer: EmployerSurvey,
    used: QuotaUse,
    context: &mut Context,
) -> Result<Change, QuotaExceededError> {
    let received_at = context.now().wall();
    let used = used.charge(1, received_at)?;
    let survey = Survey {
        id: context.uuid_hex(),
        owner: session.owner.clone(),
        user_id: session.user_id.clone(),
        template_id: session.template_id.clone(),
        answer,
        received_at,
    };
    let count = FunnelCount::of_survey(session.owner.clone(), session.template_id.clone(), received_at);
    let rows = vec![Row::QuotaUse(used), Row::Survey(survey), Row::Funnel(count)];
    Ok(Change { rows, ..Change::default() })
}

#[cfg(test)]
mod tests {
    use link_types::console::funnel::FunnelStep;

    use super::*;
    use crate::fixture;
    use crate::tenancy::quota::Quota;

    fn submit_answer(used: QuotaUse) -> Result<Change, QuotaExceededError> {
        let answer = EmployerSurvey { employer: "Shop & Co".into(), searched: None };
        answer_survey(&fixture::session(), answer, used, &mut fixture::context())
    }

    #[test]
    fn survey_answer_is_stored_and_counted() {
        let change = submit_answer(fixture::unused_quota(Quota::Surveys)).unwrap();
        let [Row::QuotaUse(used), Row::Survey(survey), Row::Funnel(count)] = change.rows.as_slice() else {
            panic!("{change:?}")
        };
        assert!(used.full_at > survey.received_at);
        assert_eq!(survey.answer.employer, "Shop & Co");
        assert_eq!(count.key.step, FunnelStep::CouldNotFind);
    }

    #[test]
    fn survey_answer_over_the_quota_is_rejected() {
        assert!(submit_answer(fixture::spend_quota(Quota::Surveys)).is_err());
    }
}
