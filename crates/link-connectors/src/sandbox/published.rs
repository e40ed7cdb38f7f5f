//! The published logins: one table for the sandbox's behavior, for GET /scenarios, and for checking the guide.

use link_types::LinkErrorCode;
use link_types::link::GuessLimit;

pub use super::ask::Ask;

/// The password of every published login.
pub const PASSWORD: &str = "pass";

/// A login that works in every tenant's sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublishedLogin {
    /// The login name.
    pub login: &'static str,
    /// The outcome.
    pub outcome: PublishedOutcome,
    /// A description of the outcome.
    pub description: &'static str,
}

/// The outcome of a published login.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PublishedOutcome {
    /// CONNECTED.
    Connects,
    /// CONNECTED after several waits.
    ConnectsSlowly,
    /// AWAITING_MFA: these challenges, one after the other.
    Asks(&'static [Ask]),
    /// AWAITING_MFA: the person signs in on the sandbox provider's page.
    Redirects,
    /// ERROR with this code.
    Fails(LinkErrorCode),
    /// INVALID_CREDENTIALS. The next try exceeds this limit on guessing.
    ShowsLimit(GuessLimit),
}

const fn login(login: &'static str, outcome: PublishedOutcome, description: &'static str) -> PublishedLogin {
    PublishedLogin { login, outcome, description }
}

/// Every published login, except the `error-<CODE>` ones: there is one for each [`LinkErrorCode`].
pub const LOGINS: &[PublishedLogin] = {
    use PublishedOutcome::{Asks, Connects, ConnectsSlowly, Redirects, ShowsLimit};
    &[
        login("good", Connects, "connects at once"),
        login("many", Connects, "connects; lists of more than 300 items"),
        login("slow", ConnectsSlowly, "connects after three waits of 3 s"),
        login(
            "partial",
            Connects,
            "connects; only identity and employments are read: after three more tries within 10 s, TASK_FINISHED says \
             PARTIAL, SERVICE_UNAVAILABLE",
        ),
        login(
            "reauth",
            Connects,
            "connects; the provider then asks for a new login: TASK_FINISHED says PARTIAL, EXPIRED_CREDENTIALS, and where \
             the account is kept in sync monitorStatus is USER_ACTION_REQUIRED until the person signs in again",
        ),
        login(
            "changes",
            Connects,
            "connects; each later reading finds a new job, a raise, new pay and documents, and corrected amounts",
        ),
        login(
            "sync-unavailable",
            Connects,
            "connects; later readings fail with SERVICE_UNAVAILABLE after three more tries within 10 s; monitorStatus \
             stays ACTIVE",
        ),
        login(
            "sync-error",
            Connects,
            "connects; later readings fail with SYSTEM_ERROR after three more tries within 10 s; monitorStatus stays \
             ACTIVE",
        ),
        login(
            "sync-locked",
            Connects,
            "connects; later readings fail with ACCOUNT_LOCKED at once; monitorStatus stays ACTIVE",
        ),
        login(
            "sync-reauth",
            Connects,
            "connects; later readings fail with EXPIRED_CREDENTIALS; monitorStatus is USER_ACTION_REQUIRED until the \
             person signs in again",
        ),
        login(
            "sync-mfa",
            Connects,
            "connects; at later readings the provider asks for another factor, AUTH_REQUIRED; monitorStatus is \
             USER_ACTION_REQUIRED until the person signs in again",
        ),
        login(
            "sync-terms",
            Connects,
            "connects; at later readings the provider asks to accept its terms, TOS_REQUIRED; monitorStatus is \
             USER_ACTION_REQUIRED until the person signs in again",
        ),
        login(
            "mfa-otp",
            Asks(&[Ask::Code]),
            "a one-time code; 5 minutes, extendable; sent again after 20 s by text message, call or e-mail",
        ),
        login("mfa-choice", Asks(&[Ask::Choice]), "a question with choices; \"None of these\" is wrong"),
        login(
            "mfa-image",
            Asks(&[Ask::Image]),
            "the text in a picture; extendable; a recording of it, another picture at once, or a code by call",
        ),
        login(
            "mfa-image-only",
            Asks(&[Ask::OnlyImage]),
            "the text in a picture; extendable; another picture at once, but no recording and no other way",
        ),
        login("mfa-question", Asks(&[Ask::Question]), "a security question; extendable"),
        login(
            "mfa-push",
            Asks(&[Ask::Push]),
            "approval on a phone, given after 4 s; after 2 s a code by text message instead",
        ),
        login(
            "mfa-push-denied",
            Asks(&[Ask::RefusedPush]),
            "approval on a phone, declined after 4 s: INVALID_MFA, and the widget says that it was declined",
        ),
        login(
            "mfa-push-timeout",
            Asks(&[Ask::ForgottenPush]),
            "approval on a phone, never given: MFA_TIMEOUT after 15 s",
        ),
        login(
            "mfa-email",
            Asks(&[Ask::EmailLink]),
            "a link in an e-mail, followed after 4 s; after 2 s a code by text message instead",
        ),
        login(
            "mfa-timeout",
            Asks(&[Ask::HastyCode]),
            "a one-time code with 15 s, extendable, then MFA_TIMEOUT",
        ),
        login(
            "mfa-many",
            Asks(&[Ask::Choice, Ask::Code, Ask::Question]),
            "choice, one-time code and security question, one after the other, each with its own tries",
        ),
        login(
            "oauth",
            Redirects,
            "a login on the provider's own page, which also plays a refusal, an error, a slow response, an expired code, a \
             wrong or missing `iss`, and access that ends before the next reading",
        ),
        login(
            "guess-login",
            ShowsLimit(GuessLimit::Login),
            "fails with INVALID_CREDENTIALS; then no user of the tenant may try it for 30 s, doubled with each failure",
        ),
        login(
            "guess-user-1",
            ShowsLimit(GuessLimit::User),
            "fails with INVALID_CREDENTIALS; then the same user may not try `guess-user-2` for a day",
        ),
        login(
            "guess-user-2",
            ShowsLimit(GuessLimit::User),
            "fails with INVALID_CREDENTIALS; then the same user may not try `guess-user-1` for a day",
        ),
        login(
            "guess-session",
            ShowsLimit(GuessLimit::Session),
            "fails with INVALID_CREDENTIALS; then the same session may not try it for an hour",
        ),
        login(
            "guess-network",
            ShowsLimit(GuessLimit::Network),
            "fails with INVALID_CREDENTIALS; then the same network may not try it for an hour",
        ),
        login(
            "guess-provider",
            ShowsLimit(GuessLimit::Provider),
            "fails with INVALID_CREDENTIALS; then it may be tried once in 10 s at the same provider",
        ),
    ]
};

/// The word of a login on the provider's page whose access ends before the next reading. It is not published: the
/// page offers it.
pub(super) const ENDED_ACCESS: &str = "oauth-ended";

/// Returns the error with which readings of a login fail, except the first one after each login. `None` if they do not
/// fail.
pub(super) fn later_error(login: &str) -> Option<LinkErrorCode> {
    match login {
        "sync-unavailable" => Some(LinkErrorCode::ServiceUnavailable),
        "sync-error" => Some(LinkErrorCode::SystemError),
        "sync-locked" => Some(LinkErrorCode::AccountLocked),
        "sync-reauth" => Some(LinkErrorCode::ExpiredCredentials),
        "sync-mfa" => Some(LinkErrorCode::AuthRequired),
        ENDED_ACCESS => Some(LinkErrorCode::ExpiredCredentials),
        "sync-terms" => Some(LinkErrorCode::TosRequired),
        _ => None,
    }
}

impl PublishedOutcome {
    /// Returns the outcome of a login, or `None` if it is not published.
    pub fn for_login(login: &str) -> Option<Self> {
        match LOGINS.iter().find(|published| published.login == login) {
            Some(published) => Some(published.outcome),
            None => Some(Self::Fails(login.strip_prefix("error-")?.parse().ok()?)),
        }
    }
}

/// Returns whether every tenant's sandbox knows the login.
pub fn is_published(login: &str) -> bool {
    PublishedOutcome::for_login(login).is_some()
}
