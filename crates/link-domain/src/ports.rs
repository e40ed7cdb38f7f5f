//! Traits for everything the domain needs from outside. `link-connectors`, `link-documents` and `link-server` implement
//! them, and tests fake them.

mod account_source;
mod batch;
mod document_reader;
mod file_store;
mod future;
mod logo_encoder;
mod mailer;
mod own_scenarios;
mod record_source;
pub(crate) mod system;
mod webhook_sender;

pub use account_source::{
    AccountSource, Credentials, FileRequest, FileUnavailable, Guessing, PosedChallenge, Read, ReadCall,
    ReadOutcome, ReadRequest, Resend, SourceInput, SourceState, Step, StepRequest,
};
pub use batch::{Batch, ContributionRate};
pub use document_reader::{
    ContentLost, DocumentFile, DocumentReader, DocumentReading, DocumentRequest, FileContent, InspectFault,
    Inspection,
};
pub use file_store::{FileStore, FileStoreFault, StoredObject};
pub use future::BoxFuture;
pub use logo_encoder::{LogoEncoder, LogoFault};
pub use mailer::{MailFault, Mailer};
pub use own_scenarios::{NoScenarios, OwnScenarios};
pub use record_source::{
    Outcome, Queried, RecordQuery, RecordSource, RejectedParameter, SignalFindings, SignalQuery, SourceTask,
};
pub use system::{Clock, Entropy};
pub use webhook_sender::{AttemptOutcome, OutboundRequest, ReceiverResponse, SendError, WebhookSender};
