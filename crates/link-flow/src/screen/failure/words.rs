//! The sixteen codes, and any other, in words: each has its own title, cause, next step and retry rule.

use link_types::error_code::{ErrorCode, LinkErrorCode};

use crate::generated::message::Message;
use crate::screen::about;
use crate::view::Text;
use crate::view::block::Emblem;

/// A code for people.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Words {
    pub(super) emblem: Emblem,
    pub(super) title: Text,
    pub(super) cause: Text,
    pub(super) next: Text,
    pub(super) advice: Advice,
}

/// What the page offers first: the retry rule of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Advice {
    /// What was typed was wrong: type it again.
    EnterAgain,
    /// Nothing was wrong with what was typed: try again.
    Retry,
    /// Another login at this provider may work.
    OtherLogin,
    /// This account will not work; another provider first, another login second.
    Elsewhere,
    /// It works after the person mended something at the provider; until then another provider.
    AfterMending,
}

/// The words of a code.
pub(super) fn of(code: &ErrorCode, provider: &str, company: &str) -> Words {
    match code {
        ErrorCode::Known(code) => of_known(*code, provider, company),
        ErrorCode::Unknown(_) => Words {
            emblem: Emblem::Warning,
            title: Message::ErrorUnknownTitle.into(),
            cause: about(Message::ErrorUnknownCause, provider),
            next: about(Message::ErrorUnknownNext, company),
            advice: Advice::Retry,
        },
    }
}

fn of_known(code: LinkErrorCode, provider: &str, company: &str) -> Words {
    let words = |emblem, title: Text, cause, next: Text, advice| Words {
        emblem,
        title,
        cause: about(cause, provider),
        next,
        advice,
    };
    match code {
        LinkErrorCode::AccountDisabled => words(
            Emblem::Lock,
            Message::ErrorAccountDisabledTitle.into(),
            Message::ErrorAccountDisabledCause,
            about(Message::ErrorAccountDisabledNext, provider),
            Advice::Elsewhere,
        ),
        LinkErrorCode::AccountInaccessible => words(
            Emblem::Lock,
            Message::ErrorAccountInaccessibleTitle.into(),
            Message::ErrorAccountInaccessibleCause,
            about(Message::ErrorAccountInaccessibleNext, provider),
            Advice::AfterMending,
        ),
        LinkErrorCode::AccountIncomplete => words(
            Emblem::Warning,
            Message::ErrorAccountIncompleteTitle.into(),
            Message::ErrorAccountIncompleteCause,
            about(Message::ErrorAccountIncompleteNext, provider),
            Advice::AfterMending,
        ),
        LinkErrorCode::AccountLocked => words(
            Emblem::Lock,
            Message::ErrorAccountLockedTitle.into(),
            Message::ErrorAccountLockedCause,
            about(Message::ErrorAccountLockedNext, provider),
            Advice::AfterMending,
        ),
        LinkErrorCode::AuthRequired => words(
            Emblem::Warning,
            Message::ErrorAuthRequiredTitle.into(),
            Message::ErrorAuthRequiredCause,
            Message::ErrorAuthRequiredNext.into(),
            Advice::EnterAgain,
        ),
        LinkErrorCode::ExpiredCredentials => words(
            Emblem::Clock,
            Message::ErrorExpiredCredentialsTitle.into(),
            Message::ErrorExpiredCredentialsCause,
            about(Message::ErrorExpiredCredentialsNext, provider),
            Advice::EnterAgain,
        ),
        LinkErrorCode::InvalidAccountType => words(
            Emblem::Warning,
            Message::ErrorInvalidAccountTypeTitle.into(),
            Message::ErrorInvalidAccountTypeCause,
            about(Message::ErrorInvalidAccountTypeNext, provider),
            Advice::OtherLogin,
        ),
        LinkErrorCode::InvalidAuth => words(
            Emblem::Warning,
            Message::ErrorInvalidAuthTitle.into(),
            Message::ErrorInvalidAuthCause,
            about(Message::ErrorInvalidAuthNext, company),
            Advice::Retry,
        ),
        LinkErrorCode::InvalidCredentials => words(
            Emblem::Warning,
            Message::ErrorInvalidCredentialsTitle.into(),
            Message::ErrorInvalidCredentialsCause,
            Message::ErrorInvalidCredentialsNext.into(),
            Advice::EnterAgain,
        ),
        LinkErrorCode::InvalidMfa => words(
            Emblem::Warning,
            Message::ErrorInvalidMfaTitle.into(),
            Message::ErrorInvalidMfaCause,
            Message::ErrorInvalidMfaNext.into(),
            Advice::Retry,
        ),
        LinkErrorCode::MfaTimeout => words(
            Emblem::Clock,
            Message::ErrorMfaTimeoutTitle.into(),
            Message::ErrorMfaTimeoutCause,
            Message::ErrorMfaTimeoutNext.into(),
            Advice::Retry,
        ),
        LinkErrorCode::ServiceUnavailable => words(
            Emblem::Offline,
            about(Message::ErrorServiceUnavailableTitle, provider),
            Message::ErrorServiceUnavailableCause,
            Message::ErrorServiceUnavailableNext.into(),
            Advice::Retry,
        ),
        LinkErrorCode::SystemError => words(
            Emblem::Offline,
            Message::ErrorSystemErrorTitle.into(),
            Message::ErrorSystemErrorCause,
            about(Message::ErrorSystemErrorNext, company),
            Advice::Retry,
        ),
        LinkErrorCode::TosRequired => words(
            Emblem::Warning,
            about(Message::ErrorTosRequiredTitle, provider),
            Message::ErrorTosRequiredCause,
            about(Message::ErrorTosRequiredNext, provider),
            Advice::AfterMending,
        ),
        LinkErrorCode::UnsupportedAuthType => words(
            Emblem::Warning,
            Message::ErrorUnsupportedAuthTypeTitle.into(),
            Message::ErrorUnsupportedAuthTypeCause,
            Message::ErrorUnsupportedAuthTypeNext.into(),
            Advice::Elsewhere,
        ),
        LinkErrorCode::UnsupportedMfaMethod => words(
            Emblem::Phone,
            Message::ErrorUnsupportedMfaMethodTitle.into(),
            Message::ErrorUnsupportedMfaMethodCause,
            about(Message::ErrorUnsupportedMfaMethodNext, provider),
            Advice::AfterMending,
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Words> {
        let known = LinkErrorCode::ALL.iter().map(|code| ErrorCode::Known(*code));
        let codes = known.chain([ErrorCode::Unknown("PROVIDER_ON_STRIKE".into())]);
        codes.map(|code| of(&code, "IMSS", "Acme")).collect()
    }

    #[test]
    fn every_code_has_a_title_a_cause_and_a_next_step_of_its_own() {
        let words = all();
        assert_eq!(words.len(), 17);
        for (at, one) in words.iter().enumerate() {
            for other in &words[at + 1..] {
                assert_ne!(one.title, other.title);
                assert_ne!(one.cause, other.cause);
                assert_ne!(one.next, other.next);
            }
        }
    }

    #[test]
    fn an_unknown_code_shows_nothing_of_the_code() {
        let words = of(&ErrorCode::Unknown("PROVIDER_ON_STRIKE".into()), "IMSS", "Acme");
        assert!(!format!("{words:?}").contains("STRIKE"));
        assert_eq!(words.title, Message::ErrorUnknownTitle.into());
    }

    #[test]
    fn who_must_mend_something_first_is_not_sent_into_another_wrong_try() {
        let locked = of(&LinkErrorCode::AccountLocked.into(), "IMSS", "Acme");
        assert_eq!(locked.advice, Advice::AfterMending);
        let wrong = of(&LinkErrorCode::InvalidCredentials.into(), "IMSS", "Acme");
        assert_eq!(wrong.advice, Advice::EnterAgain);
    }
}
