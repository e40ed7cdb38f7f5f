//! Accesses that accounts no longer use: the provider is asked to end it, for a day.

use std::sync::Arc;
use std::time::Duration;

use link_domain::change::job::Job;
use link_domain::change::{Change, Deletion};
use link_domain::linking::withdrawal::{NotWithdrawnError, WithdrawRequest};
use link_store::Leased;
use link_types::id::AccountId;

use super::settle::{Ending, settle};
use crate::app::App;
use crate::http::problem::{ApiResult, Problem};

/// How long a provider may take.
const WITHDRAW_TIMEOUT: Duration = Duration::from_secs(60);

/// Asks the provider to end an access. An error repeats the job, until the day is over.
pub(super) async fn withdraw(app: &App, job: &Leased<Job>, id: AccountId, number: u64) -> ApiResult<()> {
    let owner = job.item.owner.clone();
    let (read_owner, read_id) = (owner.clone(), id.clone());
    let found = app.store.read(move |reader| -> ApiResult<_> {
        let is_moved = reader.tenants().get(&read_owner.tenant)?.is_some_and(|it| it.is_moved());
        Ok((is_moved, reader.withdrawals().get(&read_owner, &read_id, number)?))
    });
    let (is_moved, found) = found.await?;
    if is_moved {
        tracing::debug!(job = %job.item.id, "Another installation uses the access of an account");
    } else if let Some(withdrawal) = found {
        let source = Arc::clone(app.ports.source(owner.mode));
        let request = WithdrawRequest { provider_id: &withdrawal.provider_id, state: &withdrawal.state };
        let response = tokio::time::timeout(WITHDRAW_TIMEOUT, source.withdraw(request)).await;
        let now = app.now(app.offset_of(&owner).await?).tenant();
        if response.unwrap_or(Err(NotWithdrawnError)).is_err() {
            if now < withdrawal.ends_at {
                return Err(Problem::system("A provider did not end the access of an account"));
            }
            tracing::error!(job = %job.item.id, "A provider did not end the access of an account for a day");
        }
    } else {
        tracing::error!(job = %job.item.id, "The access of an account cannot be ended: its state is lost");
    }
    settle(app, job, move |_, _, _| {
        let deletions = vec![Deletion::Withdrawal(id.clone(), number)];
        Ok(Ending::Done(Change { deletions, ..Change::default() }))
    })
    .await
}
