//! A connector as an [`AccountSource`].

use std::path::PathBuf;
use std::sync::Arc;

use link_domain::data::batch::Batch;
use link_domain::data::provider_file::FileBytes;
use link_domain::kernel::system::BoxFuture;
use link_domain::kernel::system::{Clock, Entropy};
use link_domain::linking::account_source::{
    AccountSource, FileRequest, FileUnavailableError, Read, ReadOutcome, ReadRequest, Step, StepRequest,
};
use link_domain::linking::withdrawal::{NotWithdrawnError, WithdrawRequest};
use link_domain::tenancy::logo::LogoEncoder;
use link_types::LinkErrorCode;
use link_types::challenge::ChallengeKind;
use link_types::id::ProviderId;
use link_types::provider::{Provider, Translations};
use serde::Serialize;

use super::catalogue::Catalogue;
use super::client::client;
use super::exchange::{Exchange, Operation};
use super::fault::ExchangeError;
use super::message::{
    AskedReading, CatalogueResponse, DocumentMessage, DocumentResponse, ReadResponse, RevokeMessage,
    RevokeResponse, StepRequestMessage, StepResponse,
};
use super::picture;
use super::settings::{ConnectorError, ConnectorSettings, Serves};
use super::signature::SigningKey;

/// An [`AccountSource`] that calls a connector. It stores only the catalog, in a folder if one is given.
pub struct HttpSource {
    serves: Serves,
    pub(super) catalogue: Catalogue,
    pub(super) exchange: Exchange,
    encoder: Arc<dyn LogoEncoder>,
}

impl HttpSource {
    /// Creates a source for a connector. Its providers are unknown until [`AccountSource::renew_providers`], except
    /// those stored in `folder`. `encoder` encodes the pictures of challenges.
    ///
    /// # Errors
    ///
    /// [`ConnectorError`] if the settings cannot be used.
    pub fn new(
        settings: ConnectorSettings,
        folder: Option<PathBuf>,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        encoder: Arc<dyn LogoEncoder>,
    ) -> Result<Self, ConnectorError> {
        Ok(Self {
            catalogue: Catalogue::new(&settings.serves.providers, folder),
            serves: settings.serves,
            exchange: Exchange {
                name: settings.name,
                origin: settings.url,
                key: SigningKey::new(settings.secret),
                client: client(settings.ca_file.as_deref())?,
                clock,
                entropy,
            },
            encoder,
        })
    }

    async fn take_step(&self, request: StepRequest<'_>) -> Result<Step, ExchangeError> {
        let (operation, body) = match StepRequestMessage::from_request(request) {
            Some(StepRequestMessage::Start(message)) => (Operation::Start, json(&message)),
            Some(StepRequestMessage::Step(message)) => (Operation::Step, json(&message)),
            None => return Ok(Step::Failed { code: LinkErrorCode::UnsupportedAuthType }),
        };
        let take = |response: StepResponse| response.step(&self.exchange.name);
        let mut step = self.exchange.ask(operation, body, take).await?;
        if let Step::Challenge { challenge, .. } = &mut step
            && let ChallengeKind::Image { image, .. } = &mut challenge.kind
        {
            *image = picture::data_url(self.encoder.as_ref(), image).await.inspect_err(|fault| {
                tracing::warn!(connector = %self.exchange.name, %fault, "The picture of a challenge is not shown");
            })?;
        }
        Ok(step)
    }

    async fn take_reading(&self, request: ReadRequest<'_>) -> Result<Read, ExchangeError> {
        let Some(call) = request.call(self.catalogue.monitors(request.provider_id)) else {
            return Ok(Read::unavailable(request.state.clone()));
        };
        let (operation, body) = match AskedReading::from_request(request, call) {
            AskedReading::Fetch(message) => (Operation::Fetch, json(&message)),
            AskedReading::Refresh(message) => (Operation::Refresh, json(&message)),
        };
        self.exchange.ask(operation, body, |response: ReadResponse| response.read(request.state)).await
    }
}

impl AccountSource for HttpSource {
    fn providers(&self) -> Arc<[Provider]> {
        self.catalogue.providers()
    }

    fn translations(&self, provider: &ProviderId) -> Arc<Translations> {
        self.catalogue.translations(provider)
    }

    fn renew_providers(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let response =
                self.exchange.ask(Operation::Providers, Vec::new(), Ok::<CatalogueResponse, ExchangeError>);
            match response.await {
                Ok(response) => self.catalogue.take(&self.exchange.name, &self.serves, response),
                Err(_logged) => self.catalogue.miss(),
            }
        })
    }

    fn step<'a>(&'a self, request: StepRequest<'a>) -> BoxFuture<'a, Step> {
        Box::pin(async move {
            self.take_step(request).await.unwrap_or_else(|fault| Step::Failed { code: fault.code() })
        })
    }

    fn read<'a>(&'a self, request: ReadRequest<'a>) -> BoxFuture<'a, Read> {
        Box::pin(async move {
            self.take_reading(request).await.unwrap_or_else(|fault| Read {
                state: request.state.clone(),
                batch: Batch::default(),
                outcome: ReadOutcome::Failed { code: fault.code() },
            })
        })
    }

    fn file<'a>(
        &'a self,
        request: FileRequest<'a>,
    ) -> BoxFuture<'a, Result<Option<FileBytes>, FileUnavailableError>> {
        Box::pin(async move {
            let message = json(&DocumentMessage::from_request(request));
            match self.exchange.ask(Operation::Document, message, DocumentResponse::file).await {
                Ok(Some(file)) => Ok(Some(file)),
                Ok(None) => {
                    let connector = self.exchange.name.as_str();
                    tracing::warn!(connector, "A connector no longer has a file that it offered");
                    Ok(None)
                }
                Err(logged) if logged.is_operators() => Ok(None),
                Err(_logged) => Err(FileUnavailableError),
            }
        })
    }

    fn withdraw<'a>(&'a self, request: WithdrawRequest<'a>) -> BoxFuture<'a, Result<(), NotWithdrawnError>> {
        Box::pin(async move {
            let message = json(&RevokeMessage::from_request(request));
            let done =
                self.exchange.ask(Operation::Revoke, message, Ok::<RevokeResponse, ExchangeError>).await;
            done.map(drop).map_err(|_logged| NotWithdrawnError)
        })
    }
}

/// Serializes a message, whose keys are all strings.
pub(super) fn json(message: &impl Serialize) -> Vec<u8> {
    match serde_json::to_vec(message) {
        Ok(bytes) => bytes,
        Err(_) => unreachable!("a message always has a JSON form"),
    }
}
