//! Records and signals of the sandbox: a published input for every outcome, and invented values that are drawn from the
//! input.
//!
//! If there is a mobile number, it determines the outcome, and otherwise the email address.
//! The MD5 of a number counts as that number.

mod borrower;
#[cfg(test)]
mod consistency;
mod inputs;
mod items;
mod social_security;
#[cfg(test)]
mod tests;
mod worker;

use link_domain::kernel::system::BoxFuture;
use link_domain::lookups::record_source::{
    Outcome, Queried, RecordQuery, RecordSource, RejectedParameter, SignalFindings, SignalQuery,
};
use link_types::Timestamp;
use link_types::record::{
    RecordConsent, SOCIAL_SECURITY_TEMPLATE, SocialSecurityRequest, SocialSecurityResult,
};

pub use self::inputs::{SandboxOutcome, TEST_INPUTS, TestInput};

/// The sandbox's [`RecordSource`].
#[derive(Debug, Clone, Copy, Default)]
pub struct SandboxRecords;

impl RecordSource for SandboxRecords {
    fn social_security<'a>(&'a self, query: RecordQuery<'a>) -> BoxFuture<'a, Queried<SocialSecurityResult>> {
        let (request, today) = (query.request, Timestamp::from(query.at).date());
        let wanted = inputs::outcome_of_number(&request.mobile_number).of_record();
        let by = RejectedParameter::MobileNumber;
        let outcome = outcome(wanted, by, || social_security::result(request, today));
        Box::pin(std::future::ready(Queried::Ended(outcome)))
    }

    fn signal<'a>(&'a self, query: SignalQuery<'a>) -> BoxFuture<'a, Queried<SignalFindings>> {
        let (request, today) = (query.request, Timestamp::from(query.at).date());
        let (wanted, by) = match request.mobile_number() {
            Some(number) => (inputs::outcome_of_number(number), RejectedParameter::MobileNumber),
            None => {
                let address = request.email_address().unwrap_or_default();
                (inputs::outcome_of_email(address), RejectedParameter::EmailAddress)
            }
        };
        let outcome =
            outcome(wanted, by, || SignalFindings(items::find_items(request, wanted, query.timeout, today)));
        Box::pin(std::future::ready(Queried::Ended(outcome)))
    }
}

/// Returns a request, and what the sandbox's source finds for it.
pub(super) fn sample(at: Timestamp) -> (SocialSecurityRequest, SocialSecurityResult) {
    let request = SocialSecurityRequest {
        template_id: SOCIAL_SECURITY_TEMPLATE.to_owned(),
        consent: RecordConsent {
            consented_at: at,
            consent_template_id: None,
            consent_type: Some("TERMS".to_owned()),
            version: Some("1.0".to_owned()),
            consented_with: "I agree that my social security record is looked up.".to_owned(),
        },
        mobile_number: "525500000100".to_owned(),
        full_name: "Valeria Montelongo Olmedal".to_owned(),
        curp: "HEGG560427MVZRRL04".to_owned(),
        email_address: "valeria@example.com".to_owned(),
        user_id: None,
    };
    let result = social_security::result(&request, at.date());
    (request, result)
}

/// Returns the outcome of the input `by` which it was chosen.
fn outcome<T>(wanted: SandboxOutcome, by: RejectedParameter, found: impl FnOnce() -> T) -> Outcome<T> {
    match wanted {
        SandboxOutcome::Success
        | SandboxOutcome::LateItems
        | SandboxOutcome::PartialMatch
        | SandboxOutcome::NoMatch => Outcome::Success(found()),
        SandboxOutcome::NoData => Outcome::NoData {},
        SandboxOutcome::InvalidParameters => Outcome::InvalidParameters { rejected: vec![by] },
        SandboxOutcome::ServiceUnavailable => Outcome::ServiceUnavailable {},
        SandboxOutcome::SystemError => Outcome::SystemError {},
    }
}
