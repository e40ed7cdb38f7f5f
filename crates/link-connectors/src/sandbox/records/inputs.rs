//! The sandbox's published inputs and their outcomes.

use md5::{Digest, Md5};

/// The outcome of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SandboxOutcome {
    /// SUCCESS.
    Success,
    /// SUCCESS of a signal. The last two items of a Footprints signal are available after 5 seconds.
    LateItems,
    /// SUCCESS of a signal. A verification matches partially.
    PartialMatch,
    /// SUCCESS of a signal. A verification does not match.
    NoMatch,
    /// NO_DATA, for every input that is not published.
    NoData,
    /// INVALID_PARAMETERS.
    InvalidParameters,
    /// SERVICE_UNAVAILABLE.
    ServiceUnavailable,
    /// SYSTEM_ERROR.
    SystemError,
}

impl SandboxOutcome {
    /// Returns the outcome of a social security record for the same number.
    ///
    /// The interface defines only one number that finds a record, so numbers that only vary a signal's result find
    /// none.
    pub const fn of_record(self) -> Self {
        match self {
            Self::LateItems | Self::PartialMatch | Self::NoMatch => Self::NoData,
            Self::Success
            | Self::NoData
            | Self::InvalidParameters
            | Self::ServiceUnavailable
            | Self::SystemError => self,
        }
    }
}

/// A published input. Either of the two values leads to the outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestInput {
    /// The mobile number, from an unassigned range.
    pub mobile_number: &'static str,
    /// The email address.
    pub email_address: &'static str,
    /// The outcome.
    pub outcome: SandboxOutcome,
}

const fn input(
    mobile_number: &'static str,
    email_address: &'static str,
    outcome: SandboxOutcome,
) -> TestInput {
    TestInput { mobile_number, email_address, outcome }
}

/// Every published input.
pub const TEST_INPUTS: &[TestInput] = &[
    input("525500000100", "success@example.com", SandboxOutcome::Success),
    input("525500000101", "no-data@example.com", SandboxOutcome::NoData),
    input("525500000102", "invalid-parameters@example.com", SandboxOutcome::InvalidParameters),
    input("525500000103", "service-unavailable@example.com", SandboxOutcome::ServiceUnavailable),
    input("525500000104", "system-error@example.com", SandboxOutcome::SystemError),
    input("525500000105", "late-items@example.com", SandboxOutcome::LateItems),
    input("525500000106", "partial-match@example.com", SandboxOutcome::PartialMatch),
    input("525500000107", "no-match@example.com", SandboxOutcome::NoMatch),
];

/// Returns the MD5 of a number in lower-case hex. A value that is already an MD5 is returned unchanged.
pub(super) fn md5_of(number: &str) -> String {
    if number.len() == 32 {
        return number.to_ascii_lowercase();
    }
    base16ct::lower::encode_string(&Md5::digest(number.as_bytes()))
}

pub(super) fn outcome_of_number(number: &str) -> SandboxOutcome {
    let md5 = md5_of(number);
    outcome_of(|input| md5_of(input.mobile_number) == md5)
}

pub(super) fn outcome_of_email(address: &str) -> SandboxOutcome {
    outcome_of(|input| input.email_address.eq_ignore_ascii_case(address))
}

fn outcome_of(is_it: impl Fn(&TestInput) -> bool) -> SandboxOutcome {
    TEST_INPUTS.iter().find(|input| is_it(input)).map_or(SandboxOutcome::NoData, |input| input.outcome)
}
