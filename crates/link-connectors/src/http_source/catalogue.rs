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
    pub(super) fn new() -> Self {
        Self { known: watch::Sender::new(Known::default()) }
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
        self.known.send_replace(Known { providers: providers.into(), failures: 0, remarks });
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
