//! The whole service: opened from its settings, run until a stop signal, then drained.

mod opening;
mod waiting;

use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use link_connectors::mail::{Address, SmtpMailer};
use link_connectors::routed_records::RoutedRecords;
use link_connectors::sandbox::SandboxSource;
use link_connectors::sandbox::records::SandboxRecords;
use link_connectors::webhook::{AllowedNetworks, HttpSender};
use link_documents::Tesseract;
use link_domain::documents::file_store::FileStore;
use link_domain::kernel::clock::ClockOffset;
use link_domain::kernel::context::Context;
use link_domain::kernel::system::Clock as _;
use link_domain::notifications::mail::Mailer;
use link_domain::tenancy::logo::LogoEncoder;
use link_store::{KeyFiles, ObjectFiles, Store, StoreSettings};
use link_types::Mode;
use secrecy::{ExposeSecret as _, SecretString};
use tokio::net::{TcpListener, UnixListener};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::adapters::child_reader::document_reader;
use crate::adapters::kept_mail::KeptMail;
use crate::adapters::openid::OpenIdProviders;
use crate::adapters::sources::{NoProviders, StoredScenarios, with_connectors};
use crate::adapters::system::{SystemClock, SystemEntropy, random_secret};
use crate::admin::tenant_setup::{FirstStart, first_start};
use crate::api::scenarios;
use crate::app::caches::Caches;
use crate::app::health::Health;
use crate::app::limits::Limits;
use crate::app::packed_pages::PackedPages;
use crate::app::ports::Ports;
use crate::app::refused_origins::RefusedOrigins;
use crate::app::reports::{KeyUses, Reports};
use crate::app::request_log::RequestLog;
use crate::app::site_hosts::SiteHosts;
use crate::app::{App, Parts};
use crate::dependencies::watched_files::WatchedFiles;
use crate::dependencies::{DependencyErrors, probes};
use crate::http::validation::schema::PublishedSchemas;
use crate::metrics::{self, Metrics};
use crate::openapi::PUBLISHED;
use crate::settings::Settings;
use crate::widget::files::embedded;
use crate::{admin, connections, router, workers};

pub(crate) use self::opening::check as check_settings;
pub(crate) use self::waiting::waiting_router;

/// An error while starting or stopping, with a message for the terminal.
pub type ServiceError = Box<dyn std::error::Error + Send + Sync>;

/// The number of PostgreSQL connections for writing, and the same number again for reading.
const CONNECTIONS: usize = 8;

/// How long the store may take to close at least, also if the running work took all the time of the stop.
const MIN_CLOSE: Duration = Duration::from_secs(2);

/// A service that has bound its address, opened its database and is ready to run.
pub struct Service {
    app: App,
    listener: TcpListener,
    /// `None` for an ephemeral service, which has no folder for the socket.
    admin: Option<UnixListener>,
    metrics: Option<TcpListener>,
    stop: watch::Sender<bool>,
    first_start: Option<FirstStart>,
}

impl Service {
    /// Binds the address, opens the database, and creates the first tenant if there is none.
    ///
    /// # Errors
    /// If the port is busy, a folder cannot be created or is in use, or the database cannot be opened. Each message
    /// says what to do.
    pub async fn start(settings: Settings) -> Result<Self, ServiceError> {
        opening::check(&settings)?;
        if !settings.ephemeral {
            opening::make_folders(&settings)?;
        }
        let listener = opening::bind(settings.listen).await?;
        let metrics = match settings.metrics_listen {
            None => None,
            Some(address) => Some(metrics::bind(address).await?),
        };
        let store = waiting::open_store(&settings, &store_settings(&settings), &listener).await?;
        opening::check_days(&store, &settings, SystemClock.now()).await?;
        let context = Context::read(&SystemClock, &SystemEntropy, ClockOffset::default());
        opening::replay_erasures(&store, context).await?;
        let (stop, stopping) = watch::channel(false);
        let admin = if settings.ephemeral { None } else { Some(admin::listen(&settings.data_dir)?) };
        if settings.console_host().is_none() {
            tracing::warn!(
                url = settings.console_url,
                "the developer portal is off: members cannot sign in over http. Set --console-url to an https URL"
            );
        }
        let app = app(settings, store, stopping)?;
        let first_start = first_start(&app).await?;
        Ok(Self { app, listener, admin, metrics, stop, first_start })
    }

    /// Returns the state that requests and workers share.
    pub fn app(&self) -> App {
        self.app.clone()
    }

    /// Returns the lines to print at the start.
    pub fn greeting(&self) -> Vec<String> {
        let settings = &self.app.settings;
        let mut lines = vec![format!("linchpin: {} (listening on {})", settings.public_url, settings.listen)];
        if !Tesseract::default().is_installed() {
            lines.push(
                "Tesseract is not installed, so scans and photos of documents cannot be read".to_owned(),
            );
        }
        if settings.hosted_url == settings.sdk_url {
            lines.push(
                "Invitation pages cannot show the widget, because --hosted-url and --sdk-url have the \
                 same host. Change one of them"
                    .to_owned(),
            );
        }
        lines.extend(settings.shared_origins().into_iter().map(|it| it.advice().to_owned()));
        if settings.smtp_url.is_none() {
            let instead = if settings.ephemeral {
                "The link in an invitation's mail is its `landingPageUrl`"
            } else {
                "To read the mail of an invitation in the sandbox, run `linchpin mail show iv-…`"
            };
            lines.push(format!(
                "This service sends no mail, because --smtp-url is not set. Invitations in production get the \
                 mailError NO_MAIL_SERVER. {instead}"
            ));
        }
        if !self.app.ports.source(Mode::Production).is_configured() {
            lines.push(
                "Production has no providers, because no --connector serves any. `linchpin doctor` lists what is missing"
                    .to_owned(),
            );
        }
        if let Some(first) = &self.first_start {
            lines.extend(first.lines.iter().cloned());
        }
        lines
    }

    /// Returns the first tenant's keys as a line of JSON. Only an ephemeral service prints them, because it has no file
    /// for them.
    pub fn printed_keys(&self) -> Option<&str> {
        self.first_start.as_ref()?.printed_keys.as_deref()
    }

    /// Serves until `stop` completes. Then it accepts nothing new, finishes running work, and closes the database.
    ///
    /// # Errors
    /// If the listener fails.
    pub async fn run(self, stop: impl Future<Output = ()> + Send) -> Result<(), ServiceError> {
        let Self { app, listener, admin, metrics, stop: stopping, first_start: _ } = self;
        let mut work = JoinSet::new();
        work.spawn(workers::jobs::run(app.clone()));
        work.spawn(workers::delivery::run(app.clone()));
        work.spawn(crate::adapters::sources::poll_catalogues(app.clone()));
        work.spawn(workers::audit::run(app.clone()));
        work.spawn(workers::key_uses::run(app.clone()));
        work.spawn(workers::housekeeping::run(app.clone()));
        work.spawn(workers::backups::run(app.clone()));
        work.spawn(embedded::keep(app.clone()));
        work.spawn(probes::keep(app.clone()));
        work.spawn(opening::report(app.settings.document_sandbox));
        if let Some(admin) = admin {
            work.spawn(admin::run(app.clone(), admin));
        }
        if let Some(listener) = metrics {
            work.spawn(metrics::serve(app.clone(), listener));
        }
        let limits = app.settings.connections.clone();
        let served = connections::serve(
            listener,
            router::router(app.clone()),
            limits,
            Arc::clone(&app.reports.metrics),
            app.stopping.clone(),
        );
        let mut served = tokio::spawn(served);
        tokio::select! {
            () = stop => {}
            ended = &mut served => return ended.map_err(Into::into),
        }
        tracing::info!("Stopping; finishing running work");
        stopping.send_replace(true);
        let drained = async {
            drop(served.await);
            while work.join_next().await.is_some() {}
        };
        let timeout = Duration::from_secs(app.settings.drain_seconds);
        let deadline = Instant::now() + timeout;
        if tokio::time::timeout(timeout, drained).await.is_err() {
            tracing::warn!("Some work did not finish in time; it continues after the next start");
        }
        // A database that is silent must not delay the stop beyond its time.
        let left = deadline.saturating_duration_since(Instant::now());
        app.store.close_within(left.max(MIN_CLOSE)).await;
        if !app.settings.ephemeral {
            // No process answers on the socket any more.
            drop(std::fs::remove_file(app.settings.data_dir.join(admin::SOCKET)));
        }
        Ok(())
    }
}

/// Returns the database and the keys that the settings name.
pub(crate) fn store_settings(settings: &Settings) -> StoreSettings {
    if settings.ephemeral {
        return StoreSettings::Ephemeral;
    }
    let keys = KeyFiles::in_folder(&settings.keys_dir).with_source(Arc::clone(&settings.master_key));
    let Some(address) = &settings.database_url else {
        return StoreSettings::Sqlite { folder: settings.data_dir.clone(), keys };
    };
    StoreSettings::Postgres { address: SecretString::from(address.expose()), connections: CONNECTIONS, keys }
}

/// Builds an app that uses this machine's clock and randomness.
///
/// # Errors
/// If `--webhook-allow` is not a list of networks, or a connector, a mail setting or the file store cannot be used.
pub fn app(settings: Settings, store: Store, stopping: watch::Receiver<bool>) -> Result<App, ServiceError> {
    parts(settings, store, stopping).map(App::new)
}

/// Builds the parts of an app. Tests replace the parts that communicate with other systems.
///
/// # Errors
/// See [`app`].
pub fn parts(
    settings: Settings,
    store: Store,
    stopping: watch::Receiver<bool>,
) -> Result<Parts, ServiceError> {
    let networks = AllowedNetworks::parse(settings.webhook_allow.iter().map(String::as_str))
        .map_err(|error| format!("--webhook-allow: {error}"))?;
    let dependencies: Arc<DependencyErrors> = Arc::default();
    let files: Arc<dyn FileStore> = Arc::new(WatchedFiles::new(
        Arc::new(ObjectFiles::open(settings.files.clone())?),
        Arc::clone(&dependencies),
    ));
    let [mailer, kept_mail] = mailers(&settings, &store, &files)?;
    let reader = Arc::new(document_reader(settings.document_sandbox)?);
    let sandbox = SandboxSource::with_scenarios(Arc::new(StoredScenarios(store.clone())));
    let ports = Ports {
        clock: Arc::new(SystemClock),
        entropy: Arc::new(SystemEntropy),
        sandbox: Arc::new(sandbox.with_page(&settings.public_url, random_secret)),
        production: Arc::new(NoProviders),
        sandbox_records: Arc::new(SandboxRecords),
        production_records: Arc::new(RoutedRecords::default()),
        identity: Arc::new(HttpSender::new(networks.clone())),
        sender: Arc::new(HttpSender::new(networks)),
        mailer,
        kept_mail,
        logo_encoder: Arc::clone(&reader) as Arc<dyn LogoEncoder>,
        reader,
        files,
    };
    Ok(Parts {
        ports: with_connectors(ports, &settings)?,
        limits: Limits::new(&settings),
        health: Health { dependencies, ..Health::default() },
        caches: Caches {
            schemas: PublishedSchemas::new(PUBLISHED, scenarios::DATA_SCHEMAS),
            openid: OpenIdProviders::default(),
            site_hosts: SiteHosts::default(),
            packed_pages: PackedPages::default(),
        },
        reports: Reports {
            metrics: Arc::new(Metrics::new()?),
            request_log: Arc::new(RequestLog::new(SystemClock.now())),
            refused_origins: RefusedOrigins::default(),
            key_uses: KeyUses::default(),
        },
        stopping,
        store,
        settings,
    })
}

/// Returns the mailer for outgoing mail, and the one that stores mail. Without a mail server, the first one stores mail
/// too.
fn mailers(
    settings: &Settings,
    store: &Store,
    files: &Arc<dyn FileStore>,
) -> Result<[Arc<dyn Mailer>; 2], ServiceError> {
    let from: Address = settings.mail_from.parse().map_err(|_| "--mail-from must be an email address")?;
    let _: Address = settings.mail_abuse.parse().map_err(|_| "--mail-abuse must be an email address")?;
    let kept: Arc<dyn Mailer> = Arc::new(KeptMail::new(store.clone(), Arc::clone(files), from.clone()));
    let mailer: Arc<dyn Mailer> = match &settings.smtp_url {
        Some(url) => {
            let mailer = SmtpMailer::new(url.expose_secret(), from);
            Arc::new(mailer.map_err(|error| format!("--smtp-url {error}"))?)
        }
        None => Arc::clone(&kept),
    };
    Ok([mailer, kept])
}
