//! A person continues a step of the widget on their phone.

use link_types::Sensitive;
use link_types::handoff::HandoffSubject;
use link_types::link::LinkPhase;

use crate::change::Change;
use crate::kernel::context::Context;
use crate::linking::account::Account;
use crate::linking::link::{Handoff, HandoffError, HandoffStep, LinkSession};
use crate::tenancy::template::LinkTemplate;

/// The step to hand off, and the stored state that it is checked against.
pub struct HandoffOffer<'a> {
    /// Session that hands off.
    pub session: &'a LinkSession,
    /// Account of the session's attempt, if any.
    pub account: Option<&'a Account>,
    /// Link template of the session.
    pub template: &'a LinkTemplate,
    /// Latest hand-off of the session, which the new one replaces.
    pub before: Option<Handoff>,
}

/// Hands a step off to a phone. Returns the hand-off, the token for its code, and everything that must be written.
///
/// # Errors
///
/// [`HandoffError`] if the step is not under way, or the session has created too many codes. Nothing must be written
/// then.
pub fn hand_off(
    offer: HandoffOffer<'_>,
    subject: HandoffSubject,
    context: &mut Context,
) -> Result<(Handoff, Sensitive, Change), HandoffError> {
    let HandoffOffer { session, account, template, before } = offer;
    let step = match subject {
        HandoffSubject::Challenge {} => {
            let account = account.filter(|it| it.user_id == session.user_id);
            let asked = account.filter(|it| is_asking(&it.progress(context.now()).phase));
            asked.and_then(HandoffStep::challenges_of)
        }
        HandoffSubject::Upload { archive_type } => {
            template.accepts(archive_type).then_some(HandoffStep::Upload(archive_type))
        }
    };
    Handoff::create(session, step.ok_or(HandoffError::NothingToContinue)?, before, context)
}

/// Returns whether a provider waits for the person's answer.
const fn is_asking(phase: &LinkPhase) -> bool {
    match phase {
        LinkPhase::Challenge { .. } => true,
        LinkPhase::Connecting { .. }
        | LinkPhase::Connected {}
        | LinkPhase::Failed { .. }
        | LinkPhase::Disconnected {} => false,
    }
}

#[cfg(test)]
mod tests {
    use link_types::archive::ArchiveType;
    use link_types::challenge::ChallengeKind;
    use link_types::id::UserId;
    use rstest::rstest;

    use super::*;
    use crate::fixture;
    use crate::linking::account::AccountInput;
    use crate::linking::account_source::{PosedChallenge, SourceState, Step};

    /// Returns an account whose provider waits for an approval.
    fn pose_challenge(context: &mut Context) -> Account {
        let (account, _) = fixture::begin_account(context);
        let challenge = PosedChallenge {
            kind: ChallengeKind::Approve { device: None },
            lasts: None,
            check_after: None,
            extendable: false,
            resend: None,
            tries_left: None,
            wrong_answer: false,
            redirect: None,
        };
        let step = Step::Challenge { state: SourceState::default(), challenge };
        let input = AccountInput::Stepped { version: account.version, step, tries: None };
        account.apply(input, context).unwrap().0
    }

    fn offer_handoff(account: Option<&Account>, user_id: UserId) -> Result<HandoffStep, HandoffError> {
        let session = LinkSession { user_id, ..fixture::session() };
        let (template, _) = fixture::templates();
        let offer = HandoffOffer { session: &session, account, template: &template, before: None };
        let handed = hand_off(offer, HandoffSubject::Challenge {}, &mut fixture::context());
        handed.map(|(handoff, ..)| handoff.step)
    }

    #[test]
    fn challenge_of_the_attempt_is_handed_off() {
        let account = pose_challenge(&mut fixture::context());
        let step = HandoffStep::challenges_of(&account).unwrap();
        assert_eq!(offer_handoff(Some(&account), fixture::user_id()), Ok(step));
    }

    #[test]
    fn attempt_without_a_challenge_is_not_handed_off() {
        let (account, _) = fixture::begin_account(&mut fixture::context());
        let refused = Err(HandoffError::NothingToContinue);
        assert_eq!(offer_handoff(Some(&account), fixture::user_id()), refused);
        assert_eq!(offer_handoff(None, fixture::user_id()), refused);
    }

    #[test]
    fn account_of_another_user_is_not_handed_off() {
        let account = pose_challenge(&mut fixture::context());
        let other = UserId::from_bytes(&fixture::owner().tenant, [9; 16]);
        assert_eq!(offer_handoff(Some(&account), other), Err(HandoffError::NothingToContinue));
    }

    #[rstest]
    #[case::uploads_enabled(true, Ok(()))]
    #[case::uploads_disabled(false, Err(HandoffError::NothingToContinue))]
    fn upload_is_handed_off_if_the_template_accepts_it(
        #[case] uploads_enabled: bool,
        #[case] expected: Result<(), HandoffError>,
    ) {
        let session = fixture::session();
        let (mut template, _) = fixture::templates();
        template.template.uploads_enabled = uploads_enabled;
        let offer = HandoffOffer { session: &session, account: None, template: &template, before: None };
        let subject = HandoffSubject::Upload { archive_type: ArchiveType::Payslip };
        assert_eq!(hand_off(offer, subject, &mut fixture::context()).map(drop), expected);
    }
}
