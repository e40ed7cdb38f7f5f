//! The source of production without a connector: no providers.

use std::sync::Arc;

use link_domain::data::batch::Batch;
use link_domain::kernel::future::BoxFuture;
use link_domain::linking::account_source::{
    AccountSource, Read, ReadOutcome, ReadRequest, Step, StepRequest,
};
use link_types::LinkErrorCode;
use link_types::provider::Provider;

/// An [`AccountSource`] without providers.
#[derive(Debug, Clone, Copy)]
pub struct NoProviders;

impl AccountSource for NoProviders {
    fn providers(&self) -> Arc<[Provider]> {
        Arc::default()
    }

    fn is_configured(&self) -> bool {
        false
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
