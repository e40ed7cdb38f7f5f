//! A person requests a one-time code again.

use link_types::challenge::CodeChannel;
use link_types::id::ChallengeId;

use super::AccountRefusedError;
use crate::change::{Change, Row};
use crate::kernel::context::Context;
use crate::linking::account::{Account, AccountInput};
use crate::tenancy::quota::QuotaUse;

/// Requests the code of a challenge again, and counts the request. `used` are the user's requests so far. Returns the
/// account, and everything that must be written.
///
/// # Errors
///
/// [`AccountRefusedError`] if the code cannot be resent, or the user's quota is used up. Nothing must be written then.
pub fn resend_code(
    account: Account,
    (challenge_id, channel): (ChallengeId, CodeChannel),
    used: QuotaUse,
    context: &mut Context,
) -> Result<(Account, Change), AccountRefusedError> {
    let (account, mut change) = account.apply(AccountInput::Resend { challenge_id, channel }, context)?;
    change.rows.push(Row::QuotaUse(used.charge(1, context.now().wall())?));
    Ok((account, change))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use link_types::challenge::ChallengeKind;
    use link_types::format::FieldFormat;

    use super::*;
    use crate::fixture;
    use crate::linking::account::{IllegalTransitionError, LinkStep};
    use crate::linking::account_source::{PosedChallenge, Resend, SourceState, Step};
    use crate::tenancy::quota::Quota;

    const RESEND_AFTER: Duration = Duration::from_secs(20);

    fn one_time_code() -> PosedChallenge {
        let format = FieldFormat::Digits { min: 4, max: 4 };
        PosedChallenge {
            kind: ChallengeKind::OneTimeCode { channel: CodeChannel::Sms, destination: None, format },
            lasts: None,
            check_after: None,
            extendable: false,
            resend: Some(Resend { after: RESEND_AFTER, channels: vec![CodeChannel::Sms] }),
            tries_left: None,
            wrong_answer: false,
            redirect: None,
        }
    }

    /// Requests the code of a challenge again, this long after it was posed.
    fn resend(used: QuotaUse, elapsed: Duration) -> Result<(Account, Change), AccountRefusedError> {
        let mut context = fixture::context();
        let (account, _) = fixture::begin_account(&mut context);
        let step = Step::Challenge { state: SourceState::default(), challenge: one_time_code() };
        let input = AccountInput::Stepped { version: account.version, step, tries: None };
        let (account, _) = account.apply(input, &mut context).unwrap();
        let id = match account.link().map(|link| &link.step) {
            Some(LinkStep::Challenged { challenge, .. }) => challenge.id.clone(),
            other => panic!("no challenge is waiting: {other:?}"),
        };
        resend_code(account, (id, CodeChannel::Sms), used, &mut fixture::context_after(elapsed))
    }

    #[test]
    fn resent_code_is_counted() {
        let (account, change) = resend(fixture::unused_quota(Quota::Resends), RESEND_AFTER).unwrap();
        let [Row::Account(written), Row::QuotaUse(used)] = change.rows.as_slice() else {
            panic!("{change:?}")
        };
        assert_eq!((&**written, used.quota), (&account, Quota::Resends));
    }

    #[test]
    fn code_is_not_resent_over_the_quota() {
        let refused = resend(fixture::spend_quota(Quota::Resends), RESEND_AFTER);
        assert!(matches!(refused, Err(AccountRefusedError::Quota(_))));
    }

    #[test]
    fn early_request_is_rejected_before_the_quota_is_checked() {
        let early =
            AccountRefusedError::Account(IllegalTransitionError::ResendTooEarly { wait: RESEND_AFTER });
        assert_eq!(resend(fixture::spend_quota(Quota::Resends), Duration::ZERO).map(|_| ()), Err(early));
    }
}
