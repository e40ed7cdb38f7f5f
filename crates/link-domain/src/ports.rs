//! Traits for everything the domain needs from outside. `link-connectors`, `link-documents` and `link-server` implement
//! them, and tests fake them.

mod account_source;
mod document_reader;
mod file_store;
mod mailer;
mod own_scenarios;
mod record_source;
mod webhook_sender;

pub use account_source::{
    AccountSource, Batch, ContributionRate, Credentials, PosedChallenge, Read, ReadOutcome, ReadRequest,
    Resend, SourceInput, SourceState, Step, StepRequest,
};
pub use document_reader::{
    ContentLost, DocumentFile, DocumentReader, DocumentReading, DocumentRequest, FileContent, InspectFault,
    Inspection,
};
pub use file_store::{FileStore, FileStoreFault, StoredObject};
pub use mailer::{MailFault, Mailer};
pub use own_scenarios::{NoScenarios, OwnScenarios};
pub use record_source::{Outcome, RecordSource, SignalFindings};
pub use webhook_sender::{AttemptOutcome, OutboundRequest, ReceiverAnswer, SendError, WebhookSender};

use std::future::Future;
use std::pin::Pin;

use crate::clock::Wall;

/// Future returned by a port that works outside the process.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Clock for real time.
pub trait Clock: Send + Sync {
    /// Returns the current time.
    fn now(&self) -> Wall;
}

/// Source of randomness suitable for secrets.
pub trait Entropy: Send + Sync {
    /// Fills the buffer with unpredictable bytes.
    fn fill(&self, bytes: &mut [u8]);
}
