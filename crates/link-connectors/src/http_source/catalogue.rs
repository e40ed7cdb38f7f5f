//! A connector's known providers, and whether they are available.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use link_types::id::ProviderId;
use link_types::provider::{Provider, Translations};
use link_types::record::RecordType;
use link_types::signal::SignalKind;
use tokio::sync::watch;

use super::message::CatalogueResponse;
use super::settings::Serves;

/// The number of consecutive look-ups that must fail before the providers count as in maintenance.
const MAX_FAILURES: u32 = 2;

/// The catalog as of the last look-up.
///
/// A known provider stays known, also after a restart, because accounts refer to it and running logins need it. A
/// provider that is no longer offered is shown as in maintenance.
pub(super) struct Catalogue {
    known: watch::Sender<Known>,
    /// The folder with one file per provider.
    folder: Option<PathBuf>,
}

#[derive(Default)]
struct Known {
    providers: Arc<[Provider]>,
    /// The translations of the offered providers. A stored provider has none until the connector responds.
    translations: BTreeMap<ProviderId, Arc<Translations>>,
    /// Records and signals. `None` before the first look-up.
    queries: Option<Queries>,
    failures: u32,
    warnings: Vec<CatalogueError>,
}

/// Records and signals that a connector offers.
#[derive(Clone, Default)]
struct Queries {
    records: BTreeSet<RecordType>,
    signals: BTreeSet<SignalKind>,
}

impl Queries {
    fn from_catalogue(response: &CatalogueResponse) -> Self {
        Self { records: known_words(&response.records), signals: known_words(&response.signals) }
    }

    /// Returns the differences to the settings.
    fn warnings(&self, serves: &Serves) -> Vec<CatalogueError> {
        let mut warnings = Vec::new();
        let (records, signals) = (&serves.records, &serves.signals);
        let words = |records: Vec<&RecordType>, signals: Vec<&SignalKind>| {
            records
                .iter()
                .map(|it| it.as_str())
                .chain(signals.iter().map(|it| it.as_str()))
                .collect::<Vec<_>>()
        };
        let missing = words(
            records.iter().filter(|it| !self.records.contains(it)).collect(),
            signals.iter().filter(|it| !self.signals.contains(it)).collect(),
        );
        let unnamed = words(
            self.records.iter().filter(|it| !records.contains(it)).collect(),
            self.signals.iter().filter(|it| !signals.contains(it)).collect(),
        );
        warnings.extend(missing.into_iter().map(CatalogueError::QueryMissing));
        warnings.extend(unnamed.into_iter().map(CatalogueError::QueryUnnamed));
        warnings
    }
}

/// Returns the words that the service knows. A connector may be newer than the service.
fn known_words<T: FromStr + Ord>(words: &[String]) -> BTreeSet<T> {
    words.iter().filter_map(|word| word.parse().ok()).collect()
}

/// A difference between a response and the settings that an operator should know about.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum CatalogueError {
    #[error("{0} is offered twice, or is not among the providers in the settings")]
    Unnamed(ProviderId),
    #[error("{0} is among the providers in the settings, but is not offered")]
    Missing(ProviderId),
    #[error("{0} cannot be shown: {1} does not follow the protocol")]
    Malformed(ProviderId, &'static str),
    #[error("{0} is offered, but is not among the records or signals in the settings")]
    QueryUnnamed(&'static str),
    #[error("{0} is among the records or signals in the settings, but is not offered")]
    QueryMissing(&'static str),
}

impl Catalogue {
    /// Loads the served providers that an earlier process stored. They are in maintenance until the connector responds.
    pub(super) fn new(serves: &[ProviderId], folder: Option<PathBuf>) -> Self {
        let kept = folder.iter().flat_map(|folder| serves.iter().filter_map(|id| load_provider(folder, id)));
        let providers = kept.map(in_maintenance).collect();
        Self { known: watch::Sender::new(Known { providers, ..Known::default() }), folder }
    }

    pub(super) fn providers(&self) -> Arc<[Provider]> {
        Arc::clone(&self.known.borrow().providers)
    }

    pub(super) fn translations(&self, provider: &ProviderId) -> Arc<Translations> {
        self.known.borrow().translations.get(provider).cloned().unwrap_or_default()
    }

    /// Returns whether a provider's accounts can be read again. Before the first look-up, they can.
    pub(super) fn monitors(&self, provider: &ProviderId) -> bool {
        let known = self.known.borrow();
        known.providers.iter().find(|it| it.id == *provider).is_none_or(|it| it.monitor_supported)
    }

    /// Returns whether the connector answers this type of record. Before the first look-up, the settings decide alone.
    pub(super) fn offers_record(&self, record: RecordType) -> bool {
        self.known.borrow().queries.as_ref().is_none_or(|it| it.records.contains(&record))
    }

    /// Returns whether the connector answers this kind of signal. Before the first look-up, the settings decide alone.
    pub(super) fn offers_signal(&self, signal: SignalKind) -> bool {
        self.known.borrow().queries.as_ref().is_none_or(|it| it.signals.contains(&signal))
    }

    /// Applies a new response. Keeps only valid providers that the settings name.
    pub(super) fn take(&self, connector: &str, serves: &Serves, response: CatalogueResponse) {
        let queries = Queries::from_catalogue(&response);
        let (mut providers, mut warnings) = (Vec::<Provider>::new(), queries.warnings(serves));
        let mut translations = BTreeMap::new();
        let mut missing = serves.providers.clone();
        for offered in response.providers {
            let id = offered.id.clone();
            match missing.iter().position(|it| *it == id) {
                Some(at) => drop(missing.swap_remove(at)),
                None => {
                    warnings.push(CatalogueError::Unnamed(id));
                    continue;
                }
            }
            match offered.provider() {
                Ok((provider, words)) => {
                    translations.insert(provider.id.clone(), Arc::new(words));
                    providers.push(provider);
                }
                Err(field) => warnings.push(CatalogueError::Malformed(id, field)),
            }
        }
        warnings.extend(missing.into_iter().map(CatalogueError::Missing));
        let is_news = self.known.borrow().warnings != warnings;
        for warning in warnings.iter().filter(|_| is_news) {
            tracing::warn!(connector, %warning, "A connector's catalog differs from its settings");
        }
        let before = self.providers();
        let is_new = |provider: &&Provider| !before.contains(provider);
        for provider in providers.iter().filter(is_new) {
            self.keep(connector, provider);
        }
        let is_left_out = |known: &&Provider| providers.iter().all(|it| it.id != known.id);
        let left_out: Vec<_> = before.iter().filter(is_left_out).cloned().map(in_maintenance).collect();
        providers.extend(left_out);
        let providers = providers.into();
        let queries = Some(queries);
        self.known.send_replace(Known { providers, translations, queries, failures: 0, warnings });
    }

    /// Stores a provider atomically. If that fails, the service works as before until its next start.
    fn keep(&self, connector: &str, provider: &Provider) {
        let Some(folder) = &self.folder else { return };
        let write = || -> std::io::Result<()> {
            std::fs::create_dir_all(folder)?;
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            file.write_all(&serde_json::to_vec(provider)?)?;
            file.persist(path_of(folder, &provider.id))?;
            Ok(())
        };
        if let Err(error) = write() {
            tracing::warn!(connector, provider = %provider.id, %error, "Storing a provider for the next start failed");
        }
    }

    /// Records that there was no response.
    pub(super) fn miss(&self) {
        self.known.send_modify(|known| {
            known.failures += 1;
            if known.failures == MAX_FAILURES {
                known.providers = known.providers.iter().cloned().map(in_maintenance).collect();
            }
        });
    }
}

fn in_maintenance(provider: Provider) -> Provider {
    Provider { enabled: false, ..provider }
}

fn path_of(folder: &Path, id: &ProviderId) -> PathBuf {
    folder.join(format!("{id}.json"))
}

/// Loads a stored provider. If its file cannot be read, it is unknown until the connector responds.
fn load_provider(folder: &Path, id: &ProviderId) -> Option<Provider> {
    let bytes = std::fs::read(path_of(folder, id)).ok()?;
    serde_json::from_slice(&bytes).ok().filter(|it: &Provider| it.id == *id)
}
