//! Which of a connector's providers are known, and whether they can be used.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use link_types::id::ProviderId;
use link_types::provider::Provider;
use tokio::sync::watch;

use super::message::CatalogueAnswer;

/// Look-ups that may fail in a row before the providers count as in maintenance.
const PATIENCE: u32 = 2;

/// The catalogue as last looked up. What was once known stays known, over a restart too: accounts point to it, and
/// logins that are under way need it. What is no longer offered is shown as in maintenance.
pub(super) struct Catalogue {
    known: watch::Sender<Known>,
    /// Where each provider is kept in a file of its own.
    folder: Option<PathBuf>,
}

#[derive(Default)]
struct Known {
    providers: Arc<[Provider]>,
    failures: u32,
    remarks: Vec<Remark>,
}

/// What an operator should know of an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum Remark {
    #[error("{0} is offered, but not among the providers of the settings, or offered twice")]
    Unnamed(ProviderId),
    #[error("{0} is among the providers of the settings, but not offered")]
    Missing(ProviderId),
    #[error("{0} cannot be shown: {1} is not as the protocol says")]
    Malformed(ProviderId, &'static str),
}

impl Catalogue {
    /// What an earlier process kept of the providers that are served; all in maintenance until the connector answers.
    pub(super) fn new(serves: &[ProviderId], folder: Option<PathBuf>) -> Self {
        let kept = folder.iter().flat_map(|folder| serves.iter().filter_map(|id| kept(folder, id)));
        let providers = kept.map(in_maintenance).collect();
        Self { known: watch::Sender::new(Known { providers, ..Known::default() }), folder }
    }

    pub(super) fn providers(&self) -> Arc<[Provider]> {
        Arc::clone(&self.known.borrow().providers)
    }

    /// Takes a new answer: of what it offers, what the settings name and a screen can be made of.
    pub(super) fn take(&self, connector: &str, serves: &[ProviderId], answer: CatalogueAnswer) {
        let (mut providers, mut remarks) = (Vec::<Provider>::new(), Vec::new());
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
                Ok(provider) => providers.push(provider),
                Err(field) => remarks.push(Remark::Malformed(id, field)),
            }
        }
        remarks.extend(missing.into_iter().map(Remark::Missing));
        let is_news = self.known.borrow().remarks != remarks;
        for remark in remarks.iter().filter(|_| is_news) {
            tracing::warn!(connector, %remark, "a connector's catalogue and its settings differ");
        }
        let before = self.providers();
        let is_new = |provider: &&Provider| !before.contains(provider);
        for provider in providers.iter().filter(is_new) {
            self.keep(connector, provider);
        }
        let is_left_out = |known: &&Provider| providers.iter().all(|it| it.id != known.id);
        let left_out: Vec<_> = before.iter().filter(is_left_out).cloned().map(in_maintenance).collect();
        providers.extend(left_out);
        self.known.send_replace(Known { providers: providers.into(), failures: 0, remarks });
    }

    /// Writes a provider down whole or not at all. Without it the service works as before, until its next start.
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
            tracing::warn!(connector, provider = %provider.id, %error, "a provider cannot be kept for the next start");
        }
    }

    /// Takes that there was no answer.
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

/// A provider as it was kept. What cannot be read is unknown until the connector answers.
fn kept(folder: &Path, id: &ProviderId) -> Option<Provider> {
    let bytes = std::fs::read(path_of(folder, id)).ok()?;
    serde_json::from_slice(&bytes).ok().filter(|it: &Provider| it.id == *id)
}
