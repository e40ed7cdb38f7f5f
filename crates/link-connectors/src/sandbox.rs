//! The sandbox: providers whose every outcome has a published login, and whose people and numbers are invented.
//!
//! | Login | Password | What happens |
//! |---|---|---|
//! | `good` | `pass` | connected at once |
//! | `many` | `pass` | connected; one list has more than 300 items |
//! | `slow` | `pass` | connected after three waits |
//! | `partial`, `reauth` | `pass` | connected; the reading ends before its end, or asks for a new login |
//! | `mfa-otp` and further `mfa-…` | `pass` | one of the questions of `sandbox/ask.rs`, or several |
//! | `error-<CODE>` | `pass` | fails with that one of the sixteen codes |
//! | anything else, or another password | | fails with INVALID_CREDENTIALS |
//!
//! A login may be written as an e-mail address: what stands before the `@` counts.

mod ask;
mod data;
mod picture;
mod providers;
pub mod records;
mod scenario;
mod state;

use std::sync::Arc;

use link_domain::ports::{AccountSource, Answer, Read, ReadOutcome, ReadRequest, Step, StepRequest};
use link_types::LinkErrorCode;
use link_types::data::DataPointKind;
use link_types::provider::Provider;

use self::state::Stage;

/// The sandbox's [`AccountSource`]. It remembers nothing: all state is in what it hands out.
#[derive(Debug)]
pub struct SandboxSource {
    providers: Arc<[Provider]>,
}

impl SandboxSource {
    /// The sandbox with all its providers.
    pub fn new() -> Self {
        Self { providers: providers::all().into() }
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

    fn step<'a>(&'a self, request: StepRequest<'a>) -> Answer<'a, Step> {
        let step = match self.providers.iter().find(|provider| provider.id == *request.provider_id) {
            Some(provider) if provider.enabled => Stage::of(request.state)
                .map_or(Step::Failed { code: LinkErrorCode::SystemError }, |stage| {
                    scenario::step(provider, stage, request.input)
                }),
            Some(_) | None => Step::Failed { code: LinkErrorCode::ServiceUnavailable },
        };
        Box::pin(std::future::ready(step))
    }

    fn read<'a>(&'a self, request: ReadRequest<'a>) -> Answer<'a, Read> {
        let provider = self.providers.iter().find(|provider| provider.id == *request.provider_id);
        let read = match (provider, Stage::of(request.state)) {
            (Some(provider), Some(stage)) if provider.enabled => {
                let mut batch = data::batch(provider, stage.login(), request.at);
                let outcome = match stage.login() {
                    "partial" => {
                        batch.bodies.retain(|body| {
                            matches!(body.kind(), DataPointKind::Identities | DataPointKind::Employments)
                        });
                        ReadOutcome::Partial { code: LinkErrorCode::ServiceUnavailable }
                    }
                    "reauth" => ReadOutcome::Partial { code: LinkErrorCode::ExpiredCredentials },
                    _ => ReadOutcome::Complete,
                };
                Read { state: request.state.clone(), batch, outcome }
            }
            (Some(_), Some(_)) | (None, _) => failed(request, LinkErrorCode::ServiceUnavailable),
            (Some(_), None) => failed(request, LinkErrorCode::SystemError),
        };
        Box::pin(std::future::ready(read))
    }
}

fn failed(request: ReadRequest<'_>, code: LinkErrorCode) -> Read {
    Read { state: request.state.clone(), batch: Default::default(), outcome: ReadOutcome::Failed { code } }
}

#[cfg(test)]
mod tests;
