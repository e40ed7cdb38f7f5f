//! The texts of the error codes and of unknown ones: title, cause, next step and retry rule.

use link_types::error_code::{ErrorCode, LinkErrorCode};

use crate::generated::message::Message;
use crate::view::Text;
use crate::view::block::Emblem;
use crate::view::build::about;

/// The texts of an error code.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Words {
    pub(super) emblem: Emblem,
    pub(super) title: Text,
    pub(super) cause: Text,
    pub(super) next: Text,
    pub(super) advice: Advice,
}

/// The retry rule of a code: what the page offers first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Advice {
    /// The login was wrong: enter it again.
    EnterAgain,
    /// The login was not the problem: try again.
    Retry,
    /// Another login at this provider may work.
    OtherLogin,
    /// This account does not work: offer another provider first, another login second.
    Elsewhere,
    /// The person must correct something at the provider first: offer another provider.
    AfterMending,
}

/// A row of the table.
struct Row {
    emblem: Emblem,
    title: Message,
    cause: Message,
    next: (Message, NamedParty),
    advice: Advice,
}

/// The party that the next step names.
enum NamedParty {
    None,
    Provider,
    Company,
}

/// Returns the retry rule of a code.
pub(super) fn advice(code: &ErrorCode, declined: bool) -> Advice {
    find(code, declined).advice
}

const fn find(code: &ErrorCode, declined: bool) -> Row {
    match code {
        _ if declined => DECLINED,
        ErrorCode::Known(code) => row(*code),
        ErrorCode::Unknown(_) => UNKNOWN,
    }
}

/// Returns the texts of a code, or of a request that the person declined.
pub(super) fn for_code((code, declined): (&ErrorCode, bool), provider: &str, company: &str) -> Words {
    let Row { emblem, title, cause, next: (next, party), advice } = find(code, declined);
    let next = match party {
        NamedParty::None => next.into(),
        NamedParty::Provider => about(next, provider),
        NamedParty::Company => about(next, company),
    };
    Words { emblem, title: title.into(), cause: about(cause, provider), next, advice }
}

/// The texts of a code that a newer service may send.
const UNKNOWN: Row = Row {
    emblem: Emblem::Warning,
    title: Message::ErrorUnknownTitle,
    cause: Message::ErrorUnknownCause,
    next: (Message::ErrorUnknownNext, NamedParty::Company),
    advice: Advice::Retry,
};

/// The texts after the person declined the request in the provider's app.
const DECLINED: Row = Row {
    emblem: Emblem::Phone,
    title: Message::ErrorDeclinedTitle,
    cause: Message::ErrorDeclinedCause,
    next: (Message::ErrorDeclinedNext, NamedParty::None),
    advice: Advice::Retry,
};

const fn row(code: LinkErrorCode) -> Row {
    match code {
        LinkErrorCode::AccountDisabled => Row {
            emblem: Emblem::Lock,
            title: Message::ErrorAccountDisabledTitle,
            cause: Message::ErrorAccountDisabledCause,
            next: (Message::ErrorAccountDisabledNext, NamedParty::Provider),
            advice: Advice::Elsewhere,
        },
        LinkErrorCode::AccountInaccessible => Row {
            emblem: Emblem::Lock,
            title: Message::ErrorAccountInaccessibleTitle,
            cause: Message::ErrorAccountInaccessibleCause,
            next: (Message::ErrorAccountInaccessibleNext, NamedParty::Provider),
            advice: Advice::AfterMending,
        },
        LinkErrorCode::AccountIncomplete => Row {
            emblem: Emblem::Warning,
            title: Message::ErrorAccountIncompleteTitle,
            cause: Message::ErrorAccountIncompleteCause,
            next: (Message::ErrorAccountIncompleteNext, NamedParty::Provider),
            advice: Advice::AfterMending,
        },
        LinkErrorCode::AccountLocked => Row {
            emblem: Emblem::Lock,
            title: Message::ErrorAccountLockedTitle,
            cause: Message::ErrorAccountLockedCause,
            next: (Message::ErrorAccountLockedNext, NamedParty::Provider),
            advice: Advice::AfterMending,
        },
        LinkErrorCode::AuthRequired => Row {
            emblem: Emblem::Warning,
            title: Message::ErrorAuthRequiredTitle,
            cause: Message::ErrorAuthRequiredCause,
            next: (Message::ErrorAuthRequiredNext, NamedParty::None),
            advice: Advice::EnterAgain,
        },
        LinkErrorCode::ExpiredCredentials => Row {
            emblem: Emblem::Clock,
            title: Message::ErrorExpiredCredentialsTitle,
            cause: Message::ErrorExpiredCredentialsCause,
            next: (Message::ErrorExpiredCredentialsNext, NamedParty::Provider),
            advice: Advice::EnterAgain,
        },
        LinkErrorCode::InvalidAccountType => Row {
            emblem: Emblem::Warning,
            title: Message::ErrorInvalidAccountTypeTitle,
            cause: Message::ErrorInvalidAccountTypeCause,
            next: (Message::ErrorInvalidAccountTypeNext, NamedParty::Provider),
            advice: Advice::OtherLogin,
        },
        LinkErrorCode::InvalidAuth => Row {
            emblem: Emblem::Warning,
            title: Message::ErrorInvalidAuthTitle,
            cause: Message::ErrorInvalidAuthCause,
            next: (Message::ErrorInvalidAuthNext, NamedParty::Company),
            advice: Advice::Retry,
        },
        LinkErrorCode::InvalidCredentials => Row {
            emblem: Emblem::Warning,
            title: Message::ErrorInvalidCredentialsTitle,
            cause: Message::ErrorInvalidCredentialsCause,
            next: (Message::ErrorInvalidCredentialsNext, NamedParty::None),
            advice: Advice::EnterAgain,
        },
        LinkErrorCode::InvalidMfa => Row {
            emblem: Emblem::Warning,
            title: Message::ErrorInvalidMfaTitle,
            cause: Message::ErrorInvalidMfaCause,
            next: (Message::ErrorInvalidMfaNext, NamedParty::None),
            advice: Advice::Retry,
        },
        LinkErrorCode::MfaTimeout => Row {
            emblem: Emblem::Clock,
            title: Message::ErrorMfaTimeoutTitle,
            cause: Message::ErrorMfaTimeoutCause,
            next: (Message::ErrorMfaTimeoutNext, NamedParty::None),
            advice: Advice::Retry,
        },
        LinkErrorCode::ServiceUnavailable => Row {
            emblem: Emblem::Offline,
            title: Message::ErrorServiceUnavailableTitle,
            cause: Message::ErrorServiceUnavailableCause,
            next: (Message::ErrorServiceUnavailableNext, NamedParty::None),
            advice: Advice::Retry,
        },
        LinkErrorCode::SystemError => Row {
            emblem: Emblem::Offline,
            title: Message::ErrorSystemErrorTitle,
            cause: Message::ErrorSystemErrorCause,
            next: (Message::ErrorSystemErrorNext, NamedParty::Company),
            advice: Advice::Retry,
        },
        LinkErrorCode::TosRequired => Row {
            emblem: Emblem::Warning,
            title: Message::ErrorTosRequiredTitle,
            cause: Message::ErrorTosRequiredCause,
            next: (Message::ErrorTosRequiredNext, NamedParty::Provider),
            advice: Advice::AfterMending,
        },
        LinkErrorCode::UnsupportedAuthType => Row {
            emblem: Emblem::Warning,
            title: Message::ErrorUnsupportedAuthTypeTitle,
            cause: Message::ErrorUnsupportedAuthTypeCause,
            next: (Message::ErrorUnsupportedAuthTypeNext, NamedParty::None),
            advice: Advice::Elsewhere,
        },
        LinkErrorCode::UnsupportedMfaMethod => Row {
            emblem: Emblem::Phone,
            title: Message::ErrorUnsupportedMfaMethodTitle,
            cause: Message::ErrorUnsupportedMfaMethodCause,
            next: (Message::ErrorUnsupportedMfaMethodNext, NamedParty::Provider),
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
        let declined = for_code((&LinkErrorCode::InvalidMfa.into(), true), "IMSS", "Acme");
        codes.map(|code| for_code((&code, false), "IMSS", "Acme")).chain([declined]).collect()
    }

    #[test]
    fn every_code_has_own_texts() {
        let words = all();
        assert_eq!(words.len(), 18);
        for (at, one) in words.iter().enumerate() {
            for other in &words[at + 1..] {
                assert_ne!(one.title, other.title);
                assert_ne!(one.cause, other.cause);
                assert_ne!(one.next, other.next);
            }
        }
    }

    #[test]
    fn unknown_code_is_not_shown() {
        let words = for_code((&ErrorCode::Unknown("PROVIDER_ON_STRIKE".into()), false), "IMSS", "Acme");
        assert!(!format!("{words:?}").contains("STRIKE"));
        assert_eq!(words.title, Message::ErrorUnknownTitle.into());
    }

    #[test]
    fn locked_account_offers_another_provider_first() {
        let locked = for_code((&LinkErrorCode::AccountLocked.into(), false), "IMSS", "Acme");
        assert_eq!(locked.advice, Advice::AfterMending);
        let wrong = for_code((&LinkErrorCode::InvalidCredentials.into(), false), "IMSS", "Acme");
        assert_eq!(wrong.advice, Advice::EnterAgain);
    }
}
