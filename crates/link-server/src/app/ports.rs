//! The ports of the domain, and what implements them in this process.

use std::sync::Arc;

use link_domain::console::single_sign_on::port::ProviderClient;
use link_domain::documents::document_reader::DocumentReader;
use link_domain::documents::file_store::FileStore;
use link_domain::kernel::system::{Clock, Entropy};
use link_domain::linking::account_source::AccountSource;
use link_domain::lookups::record_source::RecordSource;
use link_domain::notifications::mail::Mailer;
use link_domain::notifications::webhook_sender::WebhookSender;
use link_domain::tenancy::logo::LogoEncoder;
use link_types::Mode;

/// The implementations of the domain's ports.
pub struct Ports {
    /// The wall clock.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
    /// The source of sandbox accounts.
    pub sandbox: Arc<dyn AccountSource>,
    /// The source of production accounts. Has no providers until a connector is configured.
    pub production: Arc<dyn AccountSource>,
    /// The source of sandbox records and signals.
    pub sandbox_records: Arc<dyn RecordSource>,
    /// The source of production records and signals. Unavailable until a connector serves them.
    pub production_records: Arc<dyn RecordSource>,
    /// Sends webhooks.
    pub sender: Arc<dyn WebhookSender>,
    /// Asks the OpenID providers of tenants, and name servers for the proof of a domain.
    pub identity: Arc<dyn ProviderClient>,
    /// Sends mail.
    pub mailer: Arc<dyn Mailer>,
    /// Stores mail that may not be sent.
    pub kept_mail: Arc<dyn Mailer>,
    /// Reads documents.
    pub reader: Arc<dyn DocumentReader>,
    /// Encodes logos.
    pub logo_encoder: Arc<dyn LogoEncoder>,
    /// Stores the sealed segments of files.
    pub files: Arc<dyn FileStore>,
}

impl Ports {
    /// Returns the source of an environment's accounts.
    pub fn source(&self, mode: Mode) -> &Arc<dyn AccountSource> {
        match mode {
            Mode::Sandbox => &self.sandbox,
            Mode::Production => &self.production,
        }
    }

    /// Returns the source of an environment's records and signals.
    pub fn record_source(&self, mode: Mode) -> &Arc<dyn RecordSource> {
        match mode {
            Mode::Sandbox => &self.sandbox_records,
            Mode::Production => &self.production_records,
        }
    }
}
