//! Combines several sources: each request goes to the source that serves its provider.

use std::collections::BTreeMap;
use std::sync::Arc;

use link_domain::data::batch::Batch;
use link_domain::data::provider_file::FileBytes;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::system::BoxFuture;
use link_domain::linking::account_source::{
    AccountSource, FileRequest, FileUnavailableError, Guessing, Read, ReadOutcome, ReadRequest, Step,
    StepRequest,
};
use link_domain::linking::withdrawal::{NotWithdrawnError, WithdrawRequest};
use link_types::LinkErrorCode;
use link_types::id::ProviderId;
use link_types::provider::{Provider, Translations};
use tokio::sync::watch;

/// One of several sources.
pub struct Route {
    /// The operator's name for the source, for messages.
    pub name: String,
    /// The providers it serves. No other source may serve them.
    pub serves: Vec<ProviderId>,
    /// The source.
    pub source: Arc<dyn AccountSource>,
}

impl Route {
    /// Creates a route for a source whose providers are known from the start.
    pub fn for_fixed_source(name: &str, source: Arc<dyn AccountSource>) -> Self {
        let serves = source.providers().iter().map(|it| it.id.clone()).collect();
        Self { name: name.to_owned(), serves, source }
    }
}

/// Two sources serve the same provider, or the same kind of record or signal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} is served by {first} and by {second}: only one source can serve it")]
pub struct ServedTwiceError {
    /// The provider, record or signal that both serve, such as `the provider mx_social_security`.
    pub what: String,
    /// One source.
    pub first: String,
    /// The other.
    pub second: String,
}

/// An [`AccountSource`] that combines others. Without sources it knows no provider.
pub struct RoutedSource {
    sources: Vec<Arc<dyn AccountSource>>,
    by_provider: BTreeMap<ProviderId, Arc<dyn AccountSource>>,
    known: watch::Sender<Arc<[Provider]>>,
}

impl RoutedSource {
    /// Combines sources.
    ///
    /// # Errors
    ///
    /// [`ServedTwiceError`] if two sources serve the same provider.
    pub fn new(routes: Vec<Route>) -> Result<Self, ServedTwiceError> {
        let mut names: BTreeMap<ProviderId, String> = BTreeMap::new();
        let (mut sources, mut by_provider) = (Vec::new(), BTreeMap::new());
        for Route { name, serves, source } in routes {
            for provider in serves {
                if let Some(first) = names.insert(provider.clone(), name.clone()) {
                    let what = format!("the provider {provider}");
                    return Err(ServedTwiceError { what, first, second: name });
                }
                by_provider.insert(provider, Arc::clone(&source));
            }
            sources.push(source);
        }
        let known = watch::Sender::new(list_known(&sources));
        Ok(Self { sources, by_provider, known })
    }
}

impl AccountSource for RoutedSource {
    fn providers(&self) -> Arc<[Provider]> {
        Arc::clone(&self.known.borrow())
    }

    fn is_configured(&self) -> bool {
        !self.by_provider.is_empty()
    }

    fn translations(&self, provider: &ProviderId) -> Arc<Translations> {
        self.by_provider.get(provider).map(|source| source.translations(provider)).unwrap_or_default()
    }

    fn renew_providers(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            futures_util::future::join_all(self.sources.iter().map(|it| it.renew_providers())).await;
            self.known.send_replace(list_known(&self.sources));
        })
    }

    fn guessing<'a>(
        &'a self,
        owner: &'a Owner,
        provider: &'a ProviderId,
        login_name: &'a str,
    ) -> BoxFuture<'a, Guessing> {
        match self.by_provider.get(provider) {
            Some(source) => source.guessing(owner, provider, login_name),
            None => Box::pin(std::future::ready(Guessing::default())),
        }
    }

    fn step<'a>(&'a self, request: StepRequest<'a>) -> BoxFuture<'a, Step> {
        match self.by_provider.get(request.provider_id) {
            Some(source) => source.step(request),
            None => Box::pin(std::future::ready(Step::Failed { code: LinkErrorCode::ServiceUnavailable })),
        }
    }

    fn read<'a>(&'a self, request: ReadRequest<'a>) -> BoxFuture<'a, Read> {
        match self.by_provider.get(request.provider_id) {
            Some(source) => source.read(request),
            None => Box::pin(std::future::ready(Read {
                state: request.state.clone(),
                batch: Batch::default(),
                outcome: ReadOutcome::Failed { code: LinkErrorCode::ServiceUnavailable },
            })),
        }
    }

    fn file<'a>(
        &'a self,
        request: FileRequest<'a>,
    ) -> BoxFuture<'a, Result<Option<FileBytes>, FileUnavailableError>> {
        match self.by_provider.get(request.provider_id) {
            Some(source) => source.file(request),
            None => Box::pin(std::future::ready(Err(FileUnavailableError))),
        }
    }

    fn withdraw<'a>(&'a self, request: WithdrawRequest<'a>) -> BoxFuture<'a, Result<(), NotWithdrawnError>> {
        match self.by_provider.get(request.provider_id) {
            Some(source) => source.withdraw(request),
            None => Box::pin(std::future::ready(Err(NotWithdrawnError))),
        }
    }
}

fn list_known(sources: &[Arc<dyn AccountSource>]) -> Arc<[Provider]> {
    sources.iter().flat_map(|it| it.providers().iter().cloned().collect::<Vec<_>>()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::SandboxSource;
    use link_domain::linking::account_source::{SourceInput, SourceState};
    use link_types::Mode;

    fn sandbox() -> Arc<dyn AccountSource> {
        Arc::new(SandboxSource::new())
    }

    #[test]
    fn provider_with_two_sources_is_rejected() {
        let twice = Route {
            name: "payroll".to_owned(),
            serves: vec!["mx_social_security".parse().unwrap()],
            source: sandbox(),
        };
        let refused =
            RoutedSource::new(vec![Route::for_fixed_source("the sandbox", sandbox()), twice]).err().unwrap();
        assert_eq!(
            refused.to_string(),
            "the provider mx_social_security is served by the sandbox and by payroll: only one source can serve it"
        );
    }

    #[tokio::test]
    async fn source_without_routes_has_no_providers() {
        let empty = RoutedSource::new(Vec::new()).unwrap();
        empty.renew_providers().await;
        assert_eq!((empty.providers().len(), empty.is_configured()), (0, false));
        let (provider_id, state) = ("mx_social_security".parse().unwrap(), SourceState::default());
        let input = SourceInput::Continue {};
        let owner = Owner { tenant: "demo".parse().unwrap(), mode: Mode::Production };
        let step = empty
            .step(StepRequest { owner: &owner, provider_id: &provider_id, state: &state, input: &input })
            .await;
        assert_eq!(step, Step::Failed { code: LinkErrorCode::ServiceUnavailable });
    }
}
