//! The sources of accounts and records: the sandbox's, those of connectors, and none where no connector serves.

use std::sync::Arc;
use std::time::Duration;

use link_connectors::http_source::{HttpSource, Serves};
use link_connectors::routed::{Route, RoutedSource, ServedTwiceError};
use link_connectors::routed_records::{RecordRoute, RoutedRecords};
use link_connectors::sandbox::SandboxSource;
use link_connectors::sandbox::records::SandboxRecords;
use link_domain::data::batch::Batch;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::system::BoxFuture;
use link_domain::linking::account_source::{
    AccountSource, Read, ReadOutcome, ReadRequest, Step, StepRequest,
};
use link_domain::linking::withdrawal::{NotWithdrawnError, WithdrawRequest};
use link_domain::lookups::record_source::RecordSource;
use link_domain::tenancy::logo::{EncodedLogo, LogoBounds, LogoEncoder, LogoError};
use link_domain::tenancy::scenario::OwnScenarios;
use link_domain::tenancy::scenario::Scenario;
use link_store::{Store, StoreError};
use link_types::provider::Provider;
use link_types::{LinkErrorCode, Mode};
use tokio::time::MissedTickBehavior;

use crate::adapters::provider_logos::WithLogos;
use crate::adapters::system::{SystemClock, SystemEntropy};
use crate::app::App;
use crate::app::ports::Ports;
use crate::logs::log_failure;
use crate::settings::Settings;

/// The sources of one environment.
struct Sources {
    accounts: Vec<Route>,
    records: Vec<RecordRoute>,
}

impl Sources {
    fn of_sandbox(accounts: Arc<dyn AccountSource>, records: Arc<dyn RecordSource>) -> Self {
        Self {
            accounts: vec![Route::for_fixed_source("the sandbox", accounts)],
            records: vec![RecordRoute::of_everything("the sandbox", records)],
        }
    }

    /// Production serves no records without a connector.
    fn of_production(accounts: Arc<dyn AccountSource>) -> Self {
        Self { accounts: vec![Route::for_fixed_source("the service", accounts)], records: Vec::new() }
    }

    fn add(&mut self, name: String, serves: Serves, source: HttpSource) {
        let source = Arc::new(source);
        let Serves { providers, records, signals } = serves;
        self.accounts.push(Route { name: name.clone(), serves: providers, source: Arc::clone(&source) as _ });
        self.records.push(RecordRoute { name, records, signals, source });
    }

    fn join(self) -> (Result<RoutedSource, ServedTwiceError>, Result<RoutedRecords, ServedTwiceError>) {
        (RoutedSource::new(self.accounts), RoutedRecords::new(self.records))
    }
}

/// Adds the configured connectors to the sources of their environments.
///
/// # Errors
/// If a provider, record or signal has two sources, or a CA file cannot be used.
pub(crate) fn with_connectors(ports: Ports, settings: &Settings) -> Result<Ports, SourcesError> {
    let sandbox = Sources::of_sandbox(Arc::clone(&ports.sandbox), Arc::clone(&ports.sandbox_records));
    let production = Sources::of_production(Arc::clone(&ports.production));
    let (sandbox, sandbox_records) = join_sources(&ports, settings, Mode::Sandbox, sandbox)?;
    let (production, production_records) = join_sources(&ports, settings, Mode::Production, production)?;
    Ok(Ports { sandbox, sandbox_records, production, production_records, ..ports })
}

/// Why the sources cannot be joined.
type SourcesError = Box<dyn std::error::Error + Send + Sync>;

/// The two sources of an environment.
type Joined = (Arc<dyn AccountSource>, Arc<dyn RecordSource>);

fn join_sources(
    ports: &Ports,
    settings: &Settings,
    mode: Mode,
    mut sources: Sources,
) -> Result<Joined, SourcesError> {
    for connector in settings.connectors.iter().filter(|it| it.mode == mode) {
        let connector = connector.settings.clone();
        let (name, serves) = (format!("the connector {}", connector.name), connector.serves.clone());
        let folder = (!settings.ephemeral).then(|| settings.data_dir.join("providers").join(folder_of(mode)));
        let (clock, entropy) = (Arc::clone(&ports.clock), Arc::clone(&ports.entropy));
        let source = HttpSource::new(connector, folder, clock, entropy, Arc::clone(&ports.logo_encoder))
            .map_err(|error| format!("{name}: {error}"))?;
        sources.add(name, serves, source);
    }
    let (accounts, records) = sources.join();
    let (encoder, sdk_url) = (Arc::clone(&ports.logo_encoder), settings.sdk_url.clone());
    Ok((Arc::new(WithLogos::new(Arc::new(accounts?), encoder, sdk_url)), Arc::new(records?)))
}

/// Returns all errors in the connector settings.
pub(crate) fn check_connectors(settings: &Settings) -> Vec<String> {
    let mut faults = Vec::new();
    for mode in [Mode::Sandbox, Mode::Production] {
        let mut sources = match mode {
            Mode::Sandbox => Sources::of_sandbox(Arc::new(SandboxSource::new()), Arc::new(SandboxRecords)),
            Mode::Production => Sources::of_production(Arc::new(NoProviders)),
        };
        for connector in settings.connectors.iter().filter(|it| it.mode == mode) {
            let settings = connector.settings.clone();
            let (name, serves) = (format!("the connector {}", settings.name), settings.serves.clone());
            let (clock, entropy) = (Arc::new(SystemClock), Arc::new(SystemEntropy));
            match HttpSource::new(settings, None, clock, entropy, Arc::new(NoEncoder)) {
                Ok(source) => sources.add(name, serves, source),
                Err(error) => faults.push(format!("{name}: {error}")),
            }
        }
        let (accounts, records) = sources.join();
        let served_twice = accounts.err().into_iter().chain(records.err());
        faults.extend(served_twice.map(|error| error.to_string()));
    }
    faults
}

/// Encodes nothing. Settings are checked without an encoder.
struct NoEncoder;

impl LogoEncoder for NoEncoder {
    fn encode(&self, _: Vec<u8>, _: LogoBounds) -> BoxFuture<'_, Result<EncodedLogo, LogoError>> {
        Box::pin(std::future::ready(Err(LogoError::Unavailable)))
    }
}

/// Returns the folder name for the cached catalogues of an environment's connectors.
const fn folder_of(mode: Mode) -> &'static str {
    match mode {
        Mode::Sandbox => "sandbox",
        Mode::Production => "production",
    }
}

/// How often the catalogues are fetched.
const POLL_INTERVAL: Duration = Duration::from_secs(15);

/// Runs until the service stops.
pub async fn poll_catalogues(app: App) {
    let mut stopping = app.stopping.clone();
    let mut ticks = tokio::time::interval(POLL_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let polling = async {
        loop {
            ticks.tick().await;
            let (sandbox, production) = (app.ports.source(Mode::Sandbox), app.ports.source(Mode::Production));
            tokio::join!(sandbox.renew_providers(), production.renew_providers());
        }
    };
    tokio::select! {
        () = polling => {}
        _ = stopping.wait_for(|stop| *stop) => {}
    }
}

/// An [`AccountSource`] without providers.
#[derive(Debug, Clone, Copy)]
pub struct NoProviders;

impl AccountSource for NoProviders {
    fn providers(&self) -> Arc<[Provider]> {
        Arc::default()
    }

    fn is_configured(&self) -> bool {
        false
    }

    fn step<'a>(&'a self, _: StepRequest<'a>) -> BoxFuture<'a, Step> {
        Box::pin(std::future::ready(Step::Failed { code: LinkErrorCode::ServiceUnavailable }))
    }

    fn read<'a>(&'a self, request: ReadRequest<'a>) -> BoxFuture<'a, Read> {
        Box::pin(std::future::ready(Read {
            state: request.state.clone(),
            batch: Batch::default(),
            outcome: ReadOutcome::Failed { code: LinkErrorCode::ServiceUnavailable },
        }))
    }

    fn withdraw<'a>(&'a self, _: WithdrawRequest<'a>) -> BoxFuture<'a, Result<(), NotWithdrawnError>> {
        Box::pin(std::future::ready(Ok(())))
    }
}

/// Finds tenants' own scenarios in the database.
pub struct StoredScenarios(pub Store);

impl OwnScenarios for StoredScenarios {
    fn find<'a>(&'a self, owner: &'a Owner, login: &'a str) -> BoxFuture<'a, Option<Scenario>> {
        let (owner, login) = (owner.clone(), login.to_owned());
        Box::pin(async move {
            let found = self.0.read(move |reader| reader.scenarios().by_login(&owner, &login)).await;
            found.unwrap_or_else(|error: StoreError| {
                log_failure!(error, %error, "Reading a tenant's own login failed");
                None
            })
        })
    }
}
