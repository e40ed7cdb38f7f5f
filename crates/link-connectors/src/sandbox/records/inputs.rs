//! The sandbox's published inputs and their outcomes.

use md5::{Digest, Md5};

/// The outcome of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
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

impl Wish {
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
    pub wish: Wish,
}

const fn input(mobile_number: &'static str, email_address: &'static str, wish: Wish) -> TestInput {
    TestInput { mobile_number, email_address, wish }
}

/// Every published input.
pub const TEST_INPUTS: &[TestInput] = &[
    input("525500000100", "success@example.com", Wish::Success),
    input("525500000101", "no-data@example.com", Wish::NoData),
    input("525500000102", "invalid-parameters@example.com", Wish::InvalidParameters),
    input("525500000103", "service-unavailable@example.com", Wish::ServiceUnavailable),
    input("525500000104", "system-error@example.com", Wish::SystemError),
    input("525500000105", "late-items@example.com", Wish::LateItems),
    input("525500000106", "partial-match@example.com", Wish::PartialMatch),
    input("525500000107", "no-match@example.com", Wish::NoMatch),
];

/// Returns the MD5 of a number in lower-case hex. A value that is already an MD5 is returned unchanged.
pub(super) fn md5_of(number: &str) -> String {
    if number.len() == 32 {
        return number.to_ascii_lowercase();
    }
    base16ct::lower::encode_string(&Md5::digest(number.as_bytes()))
}

pub(super) fn wish_of_number(number: &str) -> Wish {
    let md5 = md5_of(number);
    wish(|input| md5_of(input.mobile_number) == md5)
}

pub(super) fn wish_of_email(address: &str) -> Wish {
    wish(|input| input.email_address.eq_ignore_ascii_case(address))
}

fn wish(is_it: impl Fn(&TestInput) -> bool) -> Wish {
    TEST_INPUTS.iter().find(|input| is_it(input)).map_or(Wish::NoData, |input| input.wish)
}
