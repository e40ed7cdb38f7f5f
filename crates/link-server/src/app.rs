//! The state that all requests and workers share.

pub mod known_jump;
pub mod readiness;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use link_domain::documents::document_reader::DocumentReader;
use link_domain::documents::file_store::FileStore;
use link_domain::kernel::clock::{ClockOffset, Now, Wall};
use link_domain::kernel::context::Context;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::system::{Clock, Entropy};
use link_domain::linking::account_source::AccountSource;
use link_domain::lookups::record_source::RecordSource;
use link_domain::notifications::mailer::Mailer;
use link_domain::notifications::webhook::RegistrationRules;
use link_domain::notifications::webhook_sender::WebhookSender;
use link_domain::tenancy::logo_encoder::LogoEncoder;
use link_store::Store;
use link_types::Mode;
use link_types::id::LinkSessionId;
use tokio::sync::watch;

use crate::app::known_jump::KnownJump;
use crate::app::readiness::Readiness;
use crate::http::limits::counted::{Counts, KnownSessions};
use crate::http::limits::permits::{BodyUploadPermits, Permits};
use crate::http::limits::rate_limit::RateLimits;
use crate::http::polling::long_polls::LongPolls;
use crate::http::problem::{ApiResult, Problem};
use crate::http::tus::UploadLocks;
use crate::http::validation::schema::Schemas;
use crate::openapi::PUBLISHED;
use crate::settings::Settings;
use crate::widget::files::packed_pages::PackedPages;
use crate::widget::files::refused_origins::RefusedOrigins;
use crate::workers::delivery::slots::AttemptSlots;

/// The shared state. Cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// The parts of an [`App`].
pub struct Parts {
    /// The settings.
    pub settings: Settings,
    /// The database.
    pub store: Store,
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
    /// Locks on uploads in progress.
    pub upload_locks: UploadLocks,
    /// Requests under way that append to uploads, by session.
    pub appends: Counts<LinkSessionId>,
    /// Permits for uploads in a single request body.
    pub body_upload_permits: BodyUploadPermits,
    /// Permits for inspecting files.
    pub inspection_permits: Permits,
    /// Permits for encoding logos.
    pub logo_permits: Permits,
    /// Permits for rendering exports.
    pub renderings: Permits,
    /// Open long polls.
    pub long_polls: LongPolls,
    /// Rate limits.
    pub limits: RateLimits,
    /// Sessions that this node authenticated recently.
    pub known_sessions: KnownSessions,
    /// The published schemas of request bodies. Read on first use.
    pub schemas: OnceLock<Schemas>,
    /// The names of schemas that no request body refers to but handlers check against.
    pub further_schemas: &'static [&'static str],
    /// The health of the database.
    pub readiness: Arc<Readiness>,
    /// Running delivery attempts and pings.
    pub attempts: AttemptSlots,
    /// Becomes true when the service stops.
    pub stopping: watch::Receiver<bool>,
    /// Origins that tried to embed a link template that does not allow them.
    pub refused_origins: RefusedOrigins,
    /// Compressed pages of the frame.
    pub packed_pages: PackedPages,
    /// The clock jump that pauses retention, if any.
    pub known_jump: KnownJump,
}

impl App {
    /// Creates an app from its parts.
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }

    /// Returns the settings.
    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }

    /// Returns the database.
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// Returns the source of an environment's accounts.
    pub fn source(&self, mode: Mode) -> &Arc<dyn AccountSource> {
        match mode {
            Mode::Sandbox => &self.0.sandbox,
            Mode::Production => &self.0.production,
        }
    }

    /// Returns the source of an environment's records and signals.
    pub fn record_source(&self, mode: Mode) -> &Arc<dyn RecordSource> {
        match mode {
            Mode::Sandbox => &self.0.sandbox_records,
            Mode::Production => &self.0.production_records,
        }
    }

    /// Returns the sender of webhooks.
    pub fn sender(&self) -> &Arc<dyn WebhookSender> {
        &self.0.sender
    }

    /// Returns the clock jump that pauses retention, as this process last found it.
    pub fn known_jump(&self) -> &KnownJump {
        &self.0.known_jump
    }

    /// Returns the running delivery attempts and pings.
    pub fn attempts(&self) -> &AttemptSlots {
        &self.0.attempts
    }

    /// Returns the sender of mail.
    pub fn mailer(&self) -> &Arc<dyn Mailer> {
        &self.0.mailer
    }

    /// Returns the store of mail that may not be sent.
    pub fn kept_mail(&self) -> &Arc<dyn Mailer> {
        &self.0.kept_mail
    }

    /// Returns the document reader.
    pub fn reader(&self) -> &Arc<dyn DocumentReader> {
        &self.0.reader
    }

    /// Returns the encoder of logos.
    pub fn logo_encoder(&self) -> &Arc<dyn LogoEncoder> {
        &self.0.logo_encoder
    }

    /// Returns the store of files.
    pub fn files(&self) -> &Arc<dyn FileStore> {
        &self.0.files
    }

    /// Returns the locks on uploads in progress.
    pub fn upload_locks(&self) -> &UploadLocks {
        &self.0.upload_locks
    }

    /// Returns the requests under way that append to uploads, by session.
    pub fn appends(&self) -> &Counts<LinkSessionId> {
        &self.0.appends
    }

    /// Returns the permits for uploads in a single request body.
    pub fn body_upload_permits(&self) -> &BodyUploadPermits {
        &self.0.body_upload_permits
    }

    /// Returns the permits for inspecting files.
    pub fn inspection_permits(&self) -> &Permits {
        &self.0.inspection_permits
    }

    /// Returns the permits for encoding logos.
    pub fn logo_permits(&self) -> &Permits {
        &self.0.logo_permits
    }

    /// Returns the permits for rendering exports.
    pub fn renderings(&self) -> &Permits {
        &self.0.renderings
    }

    /// Returns the open long polls.
    pub fn long_polls(&self) -> &LongPolls {
        &self.0.long_polls
    }

    /// Returns the sessions that this node authenticated recently.
    pub fn known_sessions(&self) -> &KnownSessions {
        &self.0.known_sessions
    }

    /// Returns the rate limits.
    pub fn limits(&self) -> &RateLimits {
        &self.0.limits
    }

    /// Returns the published schemas of request bodies. The first call reads them.
    ///
    /// # Errors
    /// 500 if the published document is not valid, which a test rules out.
    pub fn schemas(&self) -> ApiResult<&Schemas> {
        if let Some(schemas) = self.0.schemas.get() {
            return Ok(schemas);
        }
        let read = Schemas::of_requests(PUBLISHED, self.0.further_schemas).map_err(Problem::system)?;
        Ok(self.0.schemas.get_or_init(|| read))
    }

    /// Returns the health of the database.
    pub fn readiness(&self) -> &Arc<Readiness> {
        &self.0.readiness
    }

    /// Returns true if the service is stopping.
    pub fn is_stopping(&self) -> bool {
        *self.0.stopping.borrow()
    }

    /// Returns a receiver that becomes true when the service stops.
    pub fn stopping(&self) -> watch::Receiver<bool> {
        self.0.stopping.clone()
    }

    /// Returns a random number, for values that must be distinct but are not secret.
    pub fn random(&self) -> u64 {
        u64::from_be_bytes(self.random_bytes())
    }

    /// Returns random bytes.
    pub fn random_bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.0.entropy.fill(&mut bytes);
        bytes
    }

    /// Returns the origins that tried to embed a link template that does not allow them.
    pub fn refused_origins(&self) -> &RefusedOrigins {
        &self.0.refused_origins
    }

    /// Returns the compressed pages of the frame.
    pub fn packed_pages(&self) -> &PackedPages {
        &self.0.packed_pages
    }

    /// Returns the time of the wall clock.
    pub fn wall(&self) -> Wall {
        self.0.clock.now()
    }

    /// Returns the current time on the wall clock and on the clock of a tenant's environment.
    pub fn now(&self, offset: ClockOffset) -> Now {
        Now::new(self.wall(), offset)
    }

    /// Returns the time and randomness for one unit of work.
    pub fn context(&self, offset: ClockOffset) -> Context {
        Context::read(self.0.clock.as_ref(), self.0.entropy.as_ref(), offset)
    }

    /// Returns the lifetime of a link token.
    pub fn token_life(&self) -> Duration {
        Duration::from_secs_f64(self.settings().token_minutes * 60.0)
    }

    /// Returns the rules for webhook URLs.
    pub fn registration_rules(&self) -> RegistrationRules {
        RegistrationRules { sandbox_http: true }
    }

    /// Returns how far the clock of an owner's environment is ahead of the wall clock.
    pub async fn offset_of(&self, owner: &Owner) -> ApiResult<ClockOffset> {
        match owner.mode {
            Mode::Production => Ok(ClockOffset::default()),
            Mode::Sandbox => {
                let owner = owner.clone();
                Ok(self.store().read(move |reader| reader.tenants().offset(&owner)).await?)
            }
        }
    }

    /// Returns the base URL of an environment's API.
    pub fn api_base(&self, mode: Mode) -> String {
        format!("{}{}", self.settings().public_url, crate::http::prefix(mode))
    }

    /// Returns the base URL of an environment's files and exports.
    pub fn files_base(&self, mode: Mode) -> String {
        format!("{}{}", self.settings().files_url, crate::http::prefix(mode))
    }
}
