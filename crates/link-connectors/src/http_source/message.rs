//! Requests to a connector and its responses, version 1.
//!
//! The service ignores unknown fields, and a connector should too, because version 1 may get more. A field that a table
//! of `docs/how-to/connectors.md` calls optional may be null or left out.

mod catalogue;
mod challenge;
mod data;
mod file;
mod inquiry;
mod items;
mod login;
mod reading;
mod redirect;
mod revoke;

pub use catalogue::{CatalogueResponse, OfferedField, OfferedLogin, OfferedProvider};
pub use challenge::{OfferedResend, PosedMessage};
pub use data::{DataMessage, Unnamed, malformed_fields};
pub(crate) use data::{FILE, LISTS};
pub use file::{DocumentMessage, DocumentResponse};
pub(crate) use inquiry::InquiryReply;
pub use inquiry::{
    AskedSignal, InquiryOutcome, RecordMessage, RecordResponse, SignalMessage, SignalResponse,
};
pub(crate) use login::StepRequestMessage;
pub use login::{StartMessage, StepInput, StepMessage, StepOutcome, StepResponse};
pub(crate) use reading::AskedReading;
pub use reading::{FetchMessage, ReadOutcomeWord, ReadResponse, RefreshMessage};
pub use redirect::RedirectMessage;
pub use revoke::{RevokeMessage, RevokeResponse};
