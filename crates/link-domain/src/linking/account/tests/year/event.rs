//! Events of an account and its provider.

use link_types::LinkErrorCode;
use link_types::data::DataPointKind;
use proptest::prelude::*;

use super::provider::kinds;

/// An event at the provider or of the account.
#[derive(Clone, Debug)]
pub(super) enum YearEvent {
    Adds(DataPointKind),
    Corrects(DataPointKind, usize),
    /// The provider no longer returns one of its items, or returns it again.
    HidesOrShows(DataPointKind, usize),
    /// The account is read: after this many tries that fail, all data is returned.
    IsRead {
        failed_tries: usize,
    },
    /// A try returns only these kinds before all data is returned.
    IsReadInParts(Vec<DataPointKind>),
    IsRefused(LinkErrorCode),
    /// Something happens between the start of a reading and its result.
    IsReadWhile(Meanwhile),
    SignsIn,
    DisablesAndEnables,
    IsRevoked,
}

/// An event of an account while it is read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meanwhile {
    SignsIn,
    /// The login is submitted before the result, and connects after it.
    BeginsToSignIn,
    IsDisabled,
    IsRevoked,
    Expires,
}

impl YearEvent {
    /// Returns whether this ends the account.
    pub(super) const fn ends(&self) -> bool {
        matches!(self, Self::IsRevoked | Self::IsReadWhile(Meanwhile::IsRevoked | Meanwhile::Expires))
    }
}

pub(super) fn year_event() -> impl Strategy<Value = YearEvent> {
    let kind = || proptest::sample::select(kinds());
    let refusal = prop_oneof![
        Just(LinkErrorCode::ExpiredCredentials),
        Just(LinkErrorCode::TosRequired),
        Just(LinkErrorCode::AccountLocked),
    ];
    let meanwhile = prop_oneof![
        6 => Just(Meanwhile::SignsIn),
        4 => Just(Meanwhile::BeginsToSignIn),
        2 => Just(Meanwhile::IsDisabled),
        1 => Just(Meanwhile::IsRevoked),
        1 => Just(Meanwhile::Expires),
    ];
    prop_oneof![
        12 => kind().prop_map(YearEvent::Adds),
        8 => (kind(), 0_usize..64).prop_map(|(kind, index)| YearEvent::Corrects(kind, index)),
        6 => (kind(), 0_usize..64).prop_map(|(kind, index)| YearEvent::HidesOrShows(kind, index)),
        26 => (0_usize..6).prop_map(|failed_tries| YearEvent::IsRead { failed_tries }),
        6 => proptest::sample::subsequence(kinds(), 0..kinds().len()).prop_map(YearEvent::IsReadInParts),
        4 => refusal.prop_map(YearEvent::IsRefused),
        12 => meanwhile.prop_map(YearEvent::IsReadWhile),
        8 => Just(YearEvent::SignsIn),
        2 => Just(YearEvent::DisablesAndEnables),
        1 => Just(YearEvent::IsRevoked),
    ]
}
