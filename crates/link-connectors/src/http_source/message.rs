//! What is asked of a connector and what it answers, version 1.
//!
//! The service ignores fields that it does not know, and a connector should: a later version 1 may have more. A field
//! that a table of `docs/how-to/connectors.md` calls optional may be null or left out.

mod catalogue;
mod challenge;
mod data;
mod login;
mod reading;

pub use catalogue::{CatalogueAnswer, OfferedField, OfferedLogin, OfferedProvider};
pub use challenge::{OfferedResend, PosedMessage};
pub(super) use data::LISTS;
pub use data::{DataMessage, Unnamed, misformed};
pub(super) use login::Asked;
pub use login::{StartMessage, StepAnswer, StepInput, StepMessage, StepOutcome};
pub(super) use reading::AskedReading;
pub use reading::{FetchMessage, ReadAnswer, ReadOutcomeWord, RefreshMessage};

/// Bytes that a state may have.
pub(super) const STATE_LIMIT: usize = 64 * 1024;
