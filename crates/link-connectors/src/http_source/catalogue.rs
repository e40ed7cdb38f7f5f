//! A connector's known providers, and whether they are available.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use link_types::id::ProviderId;
use link_types::provider::{Provider, Translations};
use tokio::sync::watch;

use super::message::CatalogueAnswer;

/// The number of consecutive look-ups that must fail before the providers count as in maintenance.
const PATIENCE: u32 = 2;

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
    failures: u32,
    remarks: Vec<Remark>,
}

/// A difference between a response and the settings that an operator should know about.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum Remark {
    #[error("{0} is offered twice, or is not among the providers in the settings")]
    Unnamed(ProviderId),
    #[error("{0} is among the providers in the settings, but is not offered")]
    Missing(ProviderId),
    #[error("{0} cannot be shown: {1} does not follow the protocol")]
    Malformed(ProviderId, &'static str),
}

impl Catalogue {
    /// Loads the served providers that an earlier process stored. They are in maintenance until the connector responds.
    pub(super) fn new(serves: &[ProviderId], folder: Option<PathBuf>) -> Self {
        let kept = folder.iter().flat_map(|folder| serves.iter().filter_map(|id| kept(folder, id)));
        let providers = kept.map(in_maintenance).collect();
        Self { known: watch::Sender::new(Known { providers, ..Known::default() }), folder }
    }

    pub(super) fn providers(&self) -> Arc<[Provider]> {
        Arc::clone(&self.known.borrow().providers)
    }

    pub(super) fn translations(&self, provider: &ProviderId) -> Arc<Translations> {
        self.known.borrow().translations.get(provider).cloned().unwrap_or_default()
    }

    /// Applies a new response. Keeps only valid providers that the settings name.
    pub(super) fn take(&self, connector: &str, serves: &[ProviderId], answer: CatalogueAnswer) {
        let (mut providers, mut remarks) = (Vec::<Provider>::new(), Vec::new());
        let mut translations = BTreeMap::new();
        let mut missing = serves.to_vec();
        for offered in answer.providers {
            let id = offered.id.clone();
            match missing.iter().position(|it| *it == id) {
                Some(at) => drop(missing.swap_remove(at)),
                None => {
                    remarks.push(Remark::Unnamed(id));
                    continue;
                }
            }
            match offered.provider() {
                Ok((provider, words)) => {
                    translations.insert(provider.id.clone(), Arc::new(words));
                    providers.push(provider);
                }
                Err(field) => remarks.push(Remark::Malformed(id, field)),
            }
        }
        remarks.extend(missing.into_iter().map(Remark::Missing));
        let is_news = self.known.borrow().remarks != remarks;
        for remark in remarks.iter().filter(|_| is_news) {
            tracing::warn!(connector, %remark, "A connector's catalog differs from its settings");
        }
        let before = self.providers();
        let is_new = |provider: &&Provider| !before.contains(provider);
        for provider in providers.iter().filter(is_new) {
            self.keep(connector, provider);
        }
        let is_left_out = |known: &&Provider| providers.iter().all(|it| it.id != known.id);
        let left_out: Vec<_> = before.iter().filter(is_left_out).cloned().map(in_maintenance).collect();
        providers.extend(left_out);
        self.known.send_replace(Known { providers: providers.into(), translations, failures: 0, remarks });
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
            if known.failures == PATIENCE {
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
fn kept(folder: &Path, id: &ProviderId) -> Option<Provider> {
    let bytes = std::fs::read(path_of(folder, id)).ok()?;
    serde_json::from_slice(&bytes).ok().filter(|it: &Provider| it.id == *id)
}
