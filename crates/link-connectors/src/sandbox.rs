//! The sandbox: providers whose every outcome has a published login, and whose people and numbers are invented.
//!
//! | Login | Password | What happens |
//! |---|---|---|
//! | `good` | `pass` | connected at once |
//! | `many` | `pass` | connected; one list has more than 300 items |
//! | `mfa-otp` | `pass` | a one-time code is asked for; it is `1234` |
//! | `mfa-choice` | `pass` | a question with choices; every choice but "None of these" is right |
//! | `error-<CODE>` | `pass` | fails with that one of the sixteen codes |
//! | anything else, or another password | | fails with INVALID_CREDENTIALS |
//!
//! A login may be written as an e-mail address: what stands before the `@` counts.

mod data;
mod providers;
mod scenario;
mod state;

use link_domain::ports::{AccountSource, Answer, Read, ReadOutcome, ReadRequest, Step, StepRequest};
use link_types::LinkErrorCode;
use link_types::provider::Provider;

use self::state::Stage;

/// The sandbox's [`AccountSource`]. It remembers nothing: all state is in what it hands out.
#[derive(Debug)]
pub struct SandboxSource {
    providers: Vec<Provider>,
}

impl SandboxSource {
    /// The sandbox with all its providers.
    pub fn new() -> Self {
        Self { providers: providers::all() }
    }
}

impl Default for SandboxSource {
    fn default() -> Self {
        Self::new()
    }
}

impl AccountSource for SandboxSource {
    fn providers(&self) -> &[Provider] {
        &self.providers
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
            (Some(provider), Some(stage)) if provider.enabled => Read {
                state: request.state.clone(),
                batch: data::batch(provider, stage.login(), request.at),
                outcome: ReadOutcome::Complete,
            },
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
