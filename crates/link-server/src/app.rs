//! What every request and worker shares.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use link_domain::clock::{ClockOffset, Now, Wall};
use link_domain::context::Context;
use link_domain::owner::Owner;
use link_domain::ports::{
    AccountSource, Clock, DocumentReader, Entropy, FileStore, Mailer, RecordSource, WebhookSender,
};
use link_domain::webhook::RegistrationRules;
use link_store::Store;
use link_types::Mode;
use link_types::id::LinkSessionId;
use tokio::sync::watch;

use crate::assets::refused_origins::RefusedOrigins;
use crate::endpoints::{openapi, scenarios};
use crate::exports::Renderings;
use crate::http::counted::Counts;
use crate::http::known_sessions::KnownSessions;
use crate::http::long_polls::LongPolls;
use crate::http::problem::{Answer, Problem};
use crate::http::rate_limit::RateLimits;
use crate::http::schema::Schemas;
use crate::http::tus::Turns;
use crate::readiness::Readiness;
use crate::settings::Settings;
use crate::uploads::{InspectionTurns, UploadTurns};
use crate::workers::retention::KnownJump;
use crate::workers::slots::AttemptSlots;

/// The service's parts. Cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// The parts an [`App`] is made of.
pub struct Parts {
    /// The settings in force.
    pub settings: Settings,
    /// The database.
    pub store: Store,
    /// Real time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
    /// Where sandbox accounts come from.
    pub sandbox: Arc<dyn AccountSource>,
    /// Where production accounts come from; empty until a connector is configured.
    pub production: Arc<dyn AccountSource>,
    /// Where sandbox records and signals come from.
    pub sandbox_records: Arc<dyn RecordSource>,
    /// Where production records and signals come from: nowhere, until a connector is configured.
    pub production_records: Arc<dyn RecordSource>,
    /// What carries webhooks out.
    pub sender: Arc<dyn WebhookSender>,
    /// What carries mail out.
    pub mailer: Arc<dyn Mailer>,
    /// What keeps mail that may not go out.
    pub kept_mail: Arc<dyn Mailer>,
    /// What looks into documents.
    pub reader: Arc<dyn DocumentReader>,
    /// Where files' sealed segments lie.
    pub files: Arc<dyn FileStore>,
    /// Who works on which upload.
    pub upload_turns: Turns,
    /// Requests of sessions that send bytes of files.
    pub appends: Counts<LinkSessionId>,
    /// Who may take an upload in one body in.
    pub body_turns: UploadTurns,
    /// Who may have a file looked at.
    pub inspection_turns: InspectionTurns,
    /// Who may write an export.
    pub renderings: Renderings,
    /// Who waits for news.
    pub long_polls: LongPolls,
    /// The limits of callers.
    pub limits: RateLimits,
    /// Sessions that were let in lately.
    pub known_sessions: KnownSessions,
    /// The published schemas of what is sent, once something was.
    pub schemas: OnceLock<Schemas>,
    /// The health of the database.
    pub readiness: Arc<Readiness>,
    /// The attempts of deliveries and pings under way.
    pub attempts: AttemptSlots,
    /// Becomes true when the service is to stop.
    pub stopping: watch::Receiver<bool>,
    /// Origins that tried to embed a template that does not allow them.
    pub refused_origins: RefusedOrigins,
    /// The jump of the clock that pauses retention.
    pub known_jump: KnownJump,
}

impl App {
    /// A service of these parts.
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }

    /// The database.
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// The source of one environment's accounts.
    pub fn source(&self, mode: Mode) -> &Arc<dyn AccountSource> {
        match mode {
            Mode::Sandbox => &self.0.sandbox,
            Mode::Production => &self.0.production,
        }
    }

    /// The source of one environment's records and signals.
    pub fn record_source(&self, mode: Mode) -> &Arc<dyn RecordSource> {
        match mode {
            Mode::Sandbox => &self.0.sandbox_records,
            Mode::Production => &self.0.production_records,
        }
    }

    /// What carries webhooks out.
    pub fn sender(&self) -> &Arc<dyn WebhookSender> {
        &self.0.sender
    }

    /// The jump of the clock that pauses retention, as this process knows of it.
    pub fn known_jump(&self) -> &KnownJump {
        &self.0.known_jump
    }

    /// The attempts of deliveries and pings under way.
    pub fn attempts(&self) -> &AttemptSlots {
        &self.0.attempts
    }

    /// What carries mail out.
    pub fn mailer(&self) -> &Arc<dyn Mailer> {
        &self.0.mailer
    }

    /// What keeps mail that may not go out.
    pub fn kept_mail(&self) -> &Arc<dyn Mailer> {
        &self.0.kept_mail
    }

    /// What looks into documents.
    pub fn reader(&self) -> &Arc<dyn DocumentReader> {
        &self.0.reader
    }

    /// Where files' sealed segments lie.
    pub fn files(&self) -> &Arc<dyn FileStore> {
        &self.0.files
    }

    /// Who works on which upload.
    pub fn upload_turns(&self) -> &Turns {
        &self.0.upload_turns
    }

    /// Requests of sessions that send bytes of files.
    pub fn appends(&self) -> &Counts<LinkSessionId> {
        &self.0.appends
    }

    /// Who may take an upload in one body in.
    pub fn body_turns(&self) -> &UploadTurns {
        &self.0.body_turns
    }

    /// Who may have a file looked at.
    pub fn inspection_turns(&self) -> &InspectionTurns {
        &self.0.inspection_turns
    }

    /// Who may write an export.
    pub fn renderings(&self) -> &Renderings {
        &self.0.renderings
    }

    /// Who waits for news.
    pub fn long_polls(&self) -> &LongPolls {
        &self.0.long_polls
    }

    /// Sessions that were let in lately.
    pub fn known_sessions(&self) -> &KnownSessions {
        &self.0.known_sessions
    }

    /// The limits of callers.
    pub fn limits(&self) -> &RateLimits {
        &self.0.limits
    }

    /// The published schemas of what is sent, read when the first body comes.
    ///
    /// # Errors
    /// Never in practice: a test reads them.
    pub fn schemas(&self) -> Answer<&Schemas> {
        if let Some(schemas) = self.0.schemas.get() {
            return Ok(schemas);
        }
        let read =
            Schemas::of_requests(openapi::PUBLISHED, &scenarios::DATA_SCHEMAS).map_err(Problem::system)?;
        Ok(self.0.schemas.get_or_init(|| read))
    }

    /// The health of the database.
    pub fn readiness(&self) -> &Arc<Readiness> {
        &self.0.readiness
    }

    /// Whether a stop is under way.
    pub fn is_stopping(&self) -> bool {
        *self.0.stopping.borrow()
    }

    /// Becomes true when the service is to stop.
    pub fn stopping(&self) -> watch::Receiver<bool> {
        self.0.stopping.clone()
    }

    /// A random number, for what needs to be distinct but no secret.
    pub fn random(&self) -> u64 {
        u64::from_be_bytes(self.random_bytes())
    }

    /// Random bytes.
    pub fn random_bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.0.entropy.fill(&mut bytes);
        bytes
    }

    /// Origins that tried to embed a template that does not allow them.
    pub fn refused_origins(&self) -> &RefusedOrigins {
        &self.0.refused_origins
    }

    /// Real time now.
    pub fn wall(&self) -> Wall {
        self.0.clock.now()
    }

    /// This moment on both clocks of a tenant's environment.
    pub fn now(&self, offset: ClockOffset) -> Now {
        Now::new(self.wall(), offset)
    }

    /// The moment and randomness of one unit of work.
    pub fn context(&self, offset: ClockOffset) -> Context {
        Context::read(self.0.clock.as_ref(), self.0.entropy.as_ref(), offset)
    }

    /// The life of a link token.
    pub fn token_life(&self) -> Duration {
        Duration::from_secs_f64(self.settings().token_minutes * 60.0)
    }

    /// What the operator allows of webhooks' addresses.
    pub fn registration_rules(&self) -> RegistrationRules {
        RegistrationRules { sandbox_http: true }
    }

    /// How far the clock of an owner's environment is ahead.
    pub async fn offset_of(&self, owner: &Owner) -> Answer<ClockOffset> {
        match owner.mode {
            Mode::Production => Ok(ClockOffset::default()),
            Mode::Sandbox => {
                let tenant = owner.tenant.clone();
                let tenant = self.store().read(move |reader| reader.tenant(&tenant)).await?;
                Ok(tenant.map(|it| it.offset(Mode::Sandbox)).unwrap_or_default())
            }
        }
    }

    /// The API's base address of one environment.
    pub fn api_base(&self, mode: Mode) -> String {
        format!("{}{}", self.settings().public_url, crate::router::prefix(mode))
    }

    /// What addresses of one environment's files and exports begin with.
    pub fn files_base(&self, mode: Mode) -> String {
        format!("{}{}", self.settings().files_url, crate::router::prefix(mode))
    }
}
