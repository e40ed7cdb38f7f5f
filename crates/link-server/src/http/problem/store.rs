//! Problems of the store.

use axum::http::{HeaderValue, header};
use link_store::StoreError;
use link_types::problem::FaultCode;

use super::{Problem, StorageFault};

/// Describes the expected value of `cursor`.
pub const BAD_CURSOR: &str =
    "a nextCursor of this list, without other filters than those it was returned for";

impl From<StoreError> for Problem {
    #[expect(clippy::wildcard_enum_match_arm, reason = "any other store error is an internal error")]
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::BadCursor => Self::invalid_field("cursor", FaultCode::Invalid, BAD_CURSOR),
            StoreError::Erased => Self::missing(),
            StoreError::Duplicate(_) | StoreError::Stale { .. } => {
                Self::conflict("Another request changed the same resource at the same time. Try again.")
            }
            StoreError::Busy => {
                Self::conflict("Another request for the same resource is still running. Try again.")
                    .with_header(header::RETRY_AFTER, HeaderValue::from_static("1"))
            }
            StoreError::Closed => Self::unavailable("the store is closed"),
            away if away.is_away() => Self::unavailable(away),
            full if full.is_unwritable() => Self {
                detail: "The service cannot write to its database. Nothing was changed. Try again later."
                    .into(),
                ..Self::unavailable(full)
            }
            .with_storage_fault(StorageFault::Unwritable)
            .with_header(header::RETRY_AFTER, HeaderValue::from_static("5")),
            damaged if damaged.is_damage() => Self::system(damaged).with_storage_fault(StorageFault::Damaged),
            other => Self::system(other),
        }
    }
}
