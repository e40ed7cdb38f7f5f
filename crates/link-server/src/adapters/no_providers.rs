//! The sources of production without a connector: no providers, and no records.

use std::sync::Arc;
use std::time::Duration;

use link_domain::ports::{
    AccountSource, Batch, BoxFuture, Outcome, Read, ReadOutcome, ReadRequest, RecordSource, SignalFindings,
    Step, StepRequest,
};
use link_types::provider::Provider;
use link_types::record::{SocialSecurityRequest, SocialSecurityResult};
use link_types::signal::SignalRequest;
use link_types::{Date, LinkErrorCode};

/// An [`AccountSource`] without providers, and a [`RecordSource`] that is always unavailable.
#[derive(Debug, Clone, Copy)]
pub struct NoProviders;

impl AccountSource for NoProviders {
    fn providers(&self) -> Arc<[Provider]> {
        Arc::default()
    }

    fn step<'a>(&'a self, _: StepRequest<'a>) -> BoxFuture<'a, Step> {
        Box::pin(std::future::ready(Step::Failed { code: LinkErrorCode::ServiceUnavailable }))
    }

    fn read<'a>(&'a self, request: ReadRequest<'a>) -> BoxFuture<'a, Read> {
        Box::pin(std::future::ready(Read {
            state: request.state.clone(),
            batch: Batch::default(),
            outcome: ReadOutcome::Failed { code: LinkErrorCode::ServiceUnavailable },
        }))
    }
}

impl RecordSource for NoProviders {
    fn social_security<'a>(
        &'a self,
        _: &'a SocialSecurityRequest,
        _: Date,
    ) -> BoxFuture<'a, Outcome<SocialSecurityResult>> {
        Box::pin(std::future::ready(Outcome::ServiceUnavailable {}))
    }

    fn signal<'a>(
        &'a self,
        _: &'a SignalRequest,
        _: Duration,
        _: Date,
    ) -> BoxFuture<'a, Outcome<SignalFindings>> {
        Box::pin(std::future::ready(Outcome::ServiceUnavailable {}))
    }
}
