//! Records and signals of the sandbox: a published input for every outcome, and invented values that are drawn from the
//! input.
//!
//! If there is a mobile number, it determines the outcome. The Income Estimator has none and uses the email address.
//! The MD5 of a number counts as that number.

mod inputs;
mod items;
mod social_security;
#[cfg(test)]
mod tests;

use link_domain::ports::{
    BoxFuture, Outcome, Queried, RecordQuery, RecordSource, SignalFindings, SignalQuery,
};
use link_types::Timestamp;
use link_types::record::SocialSecurityResult;

pub use self::inputs::{SandboxOutcome, TEST_INPUTS, TestInput};

/// The sandbox's [`RecordSource`].
#[derive(Debug, Clone, Copy, Default)]
pub struct SandboxRecords;

impl RecordSource for SandboxRecords {
    fn social_security<'a>(&'a self, query: RecordQuery<'a>) -> BoxFuture<'a, Queried<SocialSecurityResult>> {
        let (request, today) = (query.request, Timestamp::from(query.at).date());
        let wanted = inputs::outcome_of_number(&request.mobile_number).of_record();
        let outcome = outcome(wanted, || social_security::result(request, today));
        Box::pin(std::future::ready(Queried::Ended(outcome)))
    }

    fn signal<'a>(&'a self, query: SignalQuery<'a>) -> BoxFuture<'a, Queried<SignalFindings>> {
        let (request, today) = (query.request, Timestamp::from(query.at).date());
        let wanted = match request.mobile_number() {
            Some(number) => inputs::outcome_of_number(number),
            None => inputs::outcome_of_email(request.email_address().unwrap_or_default()),
        };
        let outcome =
            outcome(wanted, || SignalFindings(items::found(request, wanted, query.patience, today)));
        Box::pin(std::future::ready(Queried::Ended(outcome)))
    }
}

fn outcome<T>(wanted: SandboxOutcome, found: impl FnOnce() -> T) -> Outcome<T> {
    match wanted {
        SandboxOutcome::Success
        | SandboxOutcome::LateItems
        | SandboxOutcome::PartialMatch
        | SandboxOutcome::NoMatch => Outcome::Success(found()),
        SandboxOutcome::NoData => Outcome::NoData {},
        SandboxOutcome::InvalidParameters => Outcome::InvalidParameters {},
        SandboxOutcome::ServiceUnavailable => Outcome::ServiceUnavailable {},
        SandboxOutcome::SystemError => Outcome::SystemError {},
    }
}
