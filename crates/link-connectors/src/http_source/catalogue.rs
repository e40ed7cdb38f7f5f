//! Which of a connector's providers are known, and whether they can be used.

use std::sync::Arc;

use link_types::id::ProviderId;
use link_types::provider::Provider;
use tokio::sync::watch;

use super::message::CatalogueAnswer;

/// Look-ups that may fail in a row before the providers count as in maintenance.
const PATIENCE: u32 = 2;

/// The catalogue as last looked up. What was once known stays known: accounts point to it.
pub(super) struct Catalogue {
    known: watch::Sender<Known>,
}

#[derive(Default)]
struct Known {
    providers: Arc<[Provider]>,
    failures: u32,
}

impl Catalogue {
    pub(super) fn new() -> Self {
        Self { known: watch::Sender::new(Known::default()) }
    }

    pub(super) fn providers(&self) -> Arc<[Provider]> {
        Arc::clone(&self.known.borrow().providers)
    }

    /// Takes a new answer: of what it offers, what the settings name and a screen can be made of.
    pub(super) fn take(&self, connector: &str, serves: &[ProviderId], answer: CatalogueAnswer) {
        let mut providers: Vec<Provider> = Vec::new();
        for offered in answer.providers {
            let id = offered.id.clone();
            if !serves.contains(&id) || providers.iter().any(|it| it.id == id) {
                tracing::warn!(connector, provider = %id, "a connector offers what its settings do not name, or twice");
                continue;
            }
            match offered.provider() {
                Ok(provider) => providers.push(provider),
                Err(field) => {
                    tracing::error!(connector, provider = %id, field, "a connector's provider cannot be shown");
                }
            }
        }
        for id in serves.iter().filter(|id| !providers.iter().any(|it| it.id == **id)) {
            tracing::warn!(connector, provider = %id, "a connector does not offer a provider of its settings");
        }
        self.known.send_replace(Known { providers: providers.into(), failures: 0 });
    }

    /// Takes that there was no answer.
    pub(super) fn miss(&self) {
        self.known.send_modify(|known| {
            known.failures += 1;
            if known.failures == PATIENCE {
                let disabled = known.providers.iter().map(|it| Provider { enabled: false, ..it.clone() });
                known.providers = disabled.collect();
            }
        });
    }
}
