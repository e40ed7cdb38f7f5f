//! The sandbox as an [`AccountSource`].

use std::sync::Arc;

use link_domain::data::provider_file::FileBytes;
use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::system::BoxFuture;
use link_domain::linking::account_source::{
    AccountSource, FileRequest, FileUnavailableError, Guessing, Read, ReadOutcome, ReadRequest, Step,
    StepRequest,
};
use link_domain::linking::withdrawal::{NotWithdrawnError, WithdrawRequest};
use link_domain::notifications::event::Sample;
use link_domain::tenancy::scenario::Scenario;
use link_domain::tenancy::scenario::{NoScenarios, OwnScenarios};
use link_types::data::DataPointKind;
use link_types::id::ProviderId;
use link_types::provider::{Provider, Translations};
use link_types::{Date, LinkErrorCode, Timestamp};

use super::published::{PublishedOutcome, is_published, later_error};
use super::redirect::RedirectPage;
use super::state::Stage;
use super::{data, document_file, providers, records, scenario, translations};

/// The sandbox's [`AccountSource`]. It stores nothing: all state is in the values that it returns.
pub struct SandboxSource {
    providers: Arc<[Provider]>,
    translations: Arc<Translations>,
    own: Arc<dyn OwnScenarios>,
    page: RedirectPage,
}

impl SandboxSource {
    /// Creates the sandbox with all its providers and only the published logins.
    pub fn new() -> Self {
        Self::with_scenarios(Arc::new(NoScenarios))
    }

    /// Creates the sandbox with the logins that tenants added.
    pub fn with_scenarios(own: Arc<dyn OwnScenarios>) -> Self {
        let page = RedirectPage::default();
        Self { providers: providers::all().into(), translations: Arc::new(translations::all()), own, page }
    }

    /// Sets where the service shows the provider's page for the login `oauth`: its public URL. `secret` returns 32 random
    /// bytes, different at each call.
    pub fn with_page(self, public_url: &str, secret: impl Fn() -> [u8; 32] + Send + Sync + 'static) -> Self {
        Self { page: RedirectPage::new(public_url, secret), ..self }
    }

    fn provider(&self, id: &ProviderId) -> Option<&Provider> {
        self.providers.iter().find(|provider| provider.id == *id)
    }

    /// Returns the tenant's own login with this name. Published logins never belong to a tenant.
    async fn own(&self, owner: &Owner, login: &str) -> Option<Scenario> {
        if is_published(login) { None } else { self.own.find(owner, login).await }
    }
}

impl Default for SandboxSource {
    fn default() -> Self {
        Self::new()
    }
}

impl AccountSource for SandboxSource {
    fn providers(&self) -> Arc<[Provider]> {
        Arc::clone(&self.providers)
    }

    fn translations(&self, _provider: &ProviderId) -> Arc<Translations> {
        Arc::clone(&self.translations)
    }

    fn guessing<'a>(
        &'a self,
        owner: &'a Owner,
        _: &'a ProviderId,
        login_name: &'a str,
    ) -> BoxFuture<'a, Guessing> {
        Box::pin(async move {
            let login = scenario::word(login_name);
            match PublishedOutcome::for_login(&login) {
                Some(PublishedOutcome::ShowsLimit(limit)) => Guessing::Shown(limit),
                // The password is public, and tests log in as many users at the same time.
                Some(_) => Guessing::Published,
                None if self.own(owner, &login).await.is_some() => Guessing::Published,
                None => Guessing::Limited,
            }
        })
    }

    fn step<'a>(&'a self, request: StepRequest<'a>) -> BoxFuture<'a, Step> {
        Box::pin(async move {
            let Some(provider) = self.provider(request.provider_id).filter(|it| it.enabled) else {
                return Step::Failed { code: LinkErrorCode::ServiceUnavailable };
            };
            let Some(stage) = Stage::from_state(request.state) else {
                return Step::Failed { code: LinkErrorCode::SystemError };
            };
            let own = match scenario::login_of(provider, &stage, request.input) {
                Some(login) => self.own(request.owner, &login).await,
                None => None,
            };
            let own = own.as_ref().map(|it| &it.outcome);
            scenario::step(provider, own, stage, (request.input, &self.page))
        })
    }

    fn read<'a>(&'a self, request: ReadRequest<'a>) -> BoxFuture<'a, Read> {
        Box::pin(async move {
            let provider = self.provider(request.provider_id).filter(|it| it.enabled);
            let (provider, stage) = match (provider, Stage::from_state(request.state)) {
                (Some(provider), Some(stage)) => (provider, stage),
                (None, _) => return fail_read(request, LinkErrorCode::ServiceUnavailable),
                (Some(_), None) => return fail_read(request, LinkErrorCode::SystemError),
            };
            if let Some(code) = later_error(stage.login()).filter(|_| stage.was_read()) {
                return fail_read(request, code);
            }
            let is_first = request.last_read_at.is_none();
            // A new login forgets the first reading; the last one is then the best known.
            let first_read = stage.first_read().or(request.last_read_at.map(day));
            let mut batch = data::batch(provider, stage.login(), request.at, first_read);
            if let Some(own) = self.own(request.owner, stage.login()).await {
                let given = own.outcome.data.kinds();
                batch.bodies.retain(|body| !given.contains(&body.kind()));
                batch.bodies.extend(own.outcome.data.bodies());
            }
            let outcome = match stage.login() {
                "partial" => {
                    batch.bodies.retain(|body| {
                        matches!(body.kind(), DataPointKind::Identities | DataPointKind::Employments)
                    });
                    ReadOutcome::Partial { code: LinkErrorCode::ServiceUnavailable }
                }
                "reauth" if is_first => ReadOutcome::Partial { code: LinkErrorCode::ExpiredCredentials },
                _ => ReadOutcome::Complete,
            };
            batch.files = document_file::offers(&batch.bodies);
            let state = match outcome {
                ReadOutcome::Complete => {
                    stage.after_reading(first_read.unwrap_or(day(request.at))).to_state()
                }
                ReadOutcome::Partial { .. } | ReadOutcome::Failed { .. } => request.state.clone(),
            };
            Read { state, batch, outcome }
        })
    }

    fn file<'a>(
        &'a self,
        request: FileRequest<'a>,
    ) -> BoxFuture<'a, Result<Option<FileBytes>, FileUnavailableError>> {
        Box::pin(std::future::ready(Ok(document_file::draw(request.reference))))
    }

    fn withdraw<'a>(&'a self, _: WithdrawRequest<'a>) -> BoxFuture<'a, Result<(), NotWithdrawnError>> {
        Box::pin(std::future::ready(Ok(())))
    }
}

/// Returns the data for a test event: an invented person's at the enabled provider with the most kinds of data, among
/// those with a `kind`.
pub fn sample(kind: Option<DataPointKind>, at: TenantTime) -> Option<Sample> {
    let has_kind = |provider: &Provider| kind.is_none_or(|kind| provider.supported.contains(&kind));
    let richest = |provider: &Provider| provider.supported.len();
    let providers = providers::all().into_iter().filter(|it| it.enabled && has_kind(it));
    let provider = providers.max_by_key(richest)?;
    let batch = data::batch(&provider, "good", at, None);
    Some(Sample { provider_id: provider.id, batch, record: records::sample(Timestamp::from(at)) })
}

fn day(at: TenantTime) -> Date {
    Timestamp::from(at).date()
}

fn fail_read(request: ReadRequest<'_>, code: LinkErrorCode) -> Read {
    Read { state: request.state.clone(), batch: Default::default(), outcome: ReadOutcome::Failed { code } }
}
