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

/// A line of the table.
struct Row {
    emblem: Emblem,
    title: Message,
    cause: Message,
    next: (Message, Whom),
    advice: Advice,
}

/// Whom the next step names.
enum Whom {
    Nobody,
    Provider,
    Company,
}

/// The retry rule of a code.
pub(super) fn advice(code: &ErrorCode) -> Advice {
    find(code).advice
}

const fn find(code: &ErrorCode) -> Row {
    match code {
        ErrorCode::Known(code) => row(*code),
        ErrorCode::Unknown(_) => UNKNOWN,
    }
}

/// The words of a code.
pub(super) fn of(code: &ErrorCode, provider: &str, company: &str) -> Words {
    let Row { emblem, title, cause, next: (next, whom), advice } = find(code);
    let next = match whom {
        Whom::Nobody => next.into(),
        Whom::Provider => about(next, provider),
        Whom::Company => about(next, company),
    };
    Words { emblem, title: title.into(), cause: about(cause, provider), next, advice }
}

/// What is said of a code that a newer service may send.
const UNKNOWN: Row = Row {
    emblem: Emblem::Warning,
    title: Message::ErrorUnknownTitle,
    cause: Message::ErrorUnknownCause,
    next: (Message::ErrorUnknownNext, Whom::Company),
    advice: Advice::Retry,
};

const fn row(code: LinkErrorCode) -> Row {
    match code {
        LinkErrorCode::AccountDisabled => Row {
            emblem: Emblem::Lock,
            title: Message::ErrorAccountDisabledTitle,
            cause: Message::ErrorAccountDisabledCause,
            next: (Message::ErrorAccountDisabledNext, Whom::Provider),
            advice: Advice::Elsewhere,
        },
        LinkErrorCode::AccountInaccessible => Row {
            emblem: Emblem::Lock,
            title: Message::ErrorAccountInaccessibleTitle,
            cause: Message::ErrorAccountInaccessibleCause,
            next: (Message::ErrorAccountInaccessibleNext, Whom::Provider),
            advice: Advice::AfterMending,
        },
        LinkErrorCode::AccountIncomplete => Row {
            emblem: Emblem::Warning,
            title: Message::ErrorAccountIncompleteTitle,
            cause: Message::ErrorAccountIncompleteCause,
            next: (Message::ErrorAccountIncompleteNext, Whom::Provider),
            advice: Advice::AfterMending,
        },
        LinkErrorCode::AccountLocked => Row {
            emblem: Emblem::Lock,
            title: Message::ErrorAccountLockedTitle,
            cause: Message::ErrorAccountLockedCause,
            next: (Message::ErrorAccountLockedNext, Whom::Provider),
            advice: Advice::AfterMending,
        },
        LinkErrorCode::AuthRequired => Row {
            emblem: Emblem::Warning,
            title: Message::ErrorAuthRequiredTitle,
            cause: Message::ErrorAuthRequiredCause,
            next: (Message::ErrorAuthRequiredNext, Whom::Nobody),
            advice: Advice::EnterAgain,
        },
        LinkErrorCode::ExpiredCredentials => Row {
            emblem: Emblem::Clock,
            title: Message::ErrorExpiredCredentialsTitle,
            cause: Message::ErrorExpiredCredentialsCause,
            next: (Message::ErrorExpiredCredentialsNext, Whom::Provider),
            advice: Advice::EnterAgain,
        },
        LinkErrorCode::InvalidAccountType => Row {
            emblem: Emblem::Warning,
            title: Message::ErrorInvalidAccountTypeTitle,
            cause: Message::ErrorInvalidAccountTypeCause,
            next: (Message::ErrorInvalidAccountTypeNext, Whom::Provider),
            advice: Advice::OtherLogin,
        },
        LinkErrorCode::InvalidAuth => Row {
            emblem: Emblem::Warning,
            title: Message::ErrorInvalidAuthTitle,
            cause: Message::ErrorInvalidAuthCause,
            next: (Message::ErrorInvalidAuthNext, Whom::Company),
            advice: Advice::Retry,
        },
        LinkErrorCode::InvalidCredentials => Row {
            emblem: Emblem::Warning,
            title: Message::ErrorInvalidCredentialsTitle,
            cause: Message::ErrorInvalidCredentialsCause,
            next: (Message::ErrorInvalidCredentialsNext, Whom::Nobody),
            advice: Advice::EnterAgain,
        },
        LinkErrorCode::InvalidMfa => Row {
            emblem: Emblem::Warning,
            title: Message::ErrorInvalidMfaTitle,
            cause: Message::ErrorInvalidMfaCause,
            next: (Message::ErrorInvalidMfaNext, Whom::Nobody),
            advice: Advice::Retry,
        },
        LinkErrorCode::MfaTimeout => Row {
            emblem: Emblem::Clock,
            title: Message::ErrorMfaTimeoutTitle,
            cause: Message::ErrorMfaTimeoutCause,
            next: (Message::ErrorMfaTimeoutNext, Whom::Nobody),
            advice: Advice::Retry,
        },
        LinkErrorCode::ServiceUnavailable => Row {
            emblem: Emblem::Offline,
            title: Message::ErrorServiceUnavailableTitle,
            cause: Message::ErrorServiceUnavailableCause,
            next: (Message::ErrorServiceUnavailableNext, Whom::Nobody),
            advice: Advice::Retry,
        },
        LinkErrorCode::SystemError => Row {
            emblem: Emblem::Offline,
            title: Message::ErrorSystemErrorTitle,
            cause: Message::ErrorSystemErrorCause,
            next: (Message::ErrorSystemErrorNext, Whom::Company),
            advice: Advice::Retry,
        },
        LinkErrorCode::TosRequired => Row {
            emblem: Emblem::Warning,
            title: Message::ErrorTosRequiredTitle,
            cause: Message::ErrorTosRequiredCause,
            next: (Message::ErrorTosRequiredNext, Whom::Provider),
            advice: Advice::AfterMending,
        },
        LinkErrorCode::UnsupportedAuthType => Row {
            emblem: Emblem::Warning,
            title: Message::ErrorUnsupportedAuthTypeTitle,
            cause: Message::ErrorUnsupportedAuthTypeCause,
            next: (Message::ErrorUnsupportedAuthTypeNext, Whom::Nobody),
            advice: Advice::Elsewhere,
        },
        LinkErrorCode::UnsupportedMfaMethod => Row {
            emblem: Emblem::Phone,
            title: Message::ErrorUnsupportedMfaMethodTitle,
            cause: Message::ErrorUnsupportedMfaMethodCause,
            next: (Message::ErrorUnsupportedMfaMethodNext, Whom::Provider),
            advice: Advice::AfterMending,
        },
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
