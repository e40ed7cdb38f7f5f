//! Production until a connector is configured: no providers, said honestly.

use std::sync::Arc;

use link_domain::ports::{AccountSource, Answer, Batch, Read, ReadOutcome, ReadRequest, Step, StepRequest};
use link_types::LinkErrorCode;
use link_types::provider::Provider;

/// An [`AccountSource`] that knows no provider.
#[derive(Debug, Clone, Copy)]
pub struct NoProviders;

impl AccountSource for NoProviders {
    fn providers(&self) -> Arc<[Provider]> {
        Arc::default()
    }

    fn step<'a>(&'a self, _: StepRequest<'a>) -> Answer<'a, Step> {
        Box::pin(std::future::ready(Step::Failed { code: LinkErrorCode::ServiceUnavailable }))
    }

    fn read<'a>(&'a self, request: ReadRequest<'a>) -> Answer<'a, Read> {
        Box::pin(std::future::ready(Read {
            state: request.state.clone(),
            batch: Batch::default(),
            outcome: ReadOutcome::Failed { code: LinkErrorCode::ServiceUnavailable },
        }))
    }
}
