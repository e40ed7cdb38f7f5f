//! The jobs of webhooks: the end of a secret rotation, and recovery of deliveries.

use link_domain::change::Change;
use link_domain::change::job::Job;
use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::context::Context;
use link_domain::notifications::delivery::RECOVERED_AT_ONCE;
use link_domain::notifications::webhook::Webhook;
use link_domain::use_cases::{RecoveryRun, recover_deliveries};
use link_store::{Leased, Tx};
use link_types::id::{EventId, WebhookId};

use super::settle::{self, Ending};
use crate::app::App;
use crate::http::problem::ApiResult;

/// Ends a secret rotation after its 24 hours.
pub(super) async fn end_rotation(app: &App, job: &Leased<Job>, id: WebhookId) -> ApiResult<()> {
    settle(app, job, id, |_, webhook, context| Ok(webhook.rotation_lapsed(context).unwrap_or_default())).await
}

/// Schedules deliveries for the next events of a recovery, and a further job if there are more.
pub(super) async fn recover(
    app: &App,
    job: &Leased<Job>,
    id: WebhookId,
    (since, until): (TenantTime, TenantTime),
    after: Option<EventId>,
) -> ApiResult<()> {
    settle(app, job, id, move |tx, webhook, context| {
        let period = (since, until);
        let found = tx.events().open_between(&webhook.owner, period, after.as_ref(), RECOVERED_AT_ONCE)?;
        let mut events = Vec::with_capacity(found.len());
        for event in found {
            let known = tx.deliveries().of_event(&event.id, webhook.id())?;
            events.push((event, known));
        }
        Ok(recover_deliveries(&webhook, RecoveryRun { since, until, events }, context))
    })
    .await
}

/// Finishes the job with a change of its webhook. Does nothing if the webhook was deleted.
async fn settle(
    app: &App,
    job: &Leased<Job>,
    id: WebhookId,
    mut decide: impl FnMut(&mut Tx<'_>, Webhook, &mut Context) -> ApiResult<Change> + Send + 'static,
) -> ApiResult<()> {
    settle::settle(app, job, move |tx, job, context| match tx.webhooks().get(&job.owner, &id)? {
        Some(webhook) => Ok(Ending::Done(decide(tx, webhook, context)?)),
        None => Ok(Ending::nothing()),
    })
    .await
}
