//! The job worker: login steps, data reads, expiry and so on. Calls to other systems run between two units of work,
//! never inside one.

use std::sync::Arc;
use std::time::{Duration, Instant};

use link_domain::change::Change;
use link_domain::change::job::{Job, JobKind, JobQueue};
use link_domain::data::data_point::Known;
use link_domain::invitations::hosted_link::HostedLinkInput;
use link_domain::kernel::context::Context;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::source::Source;
use link_domain::linking::account::{
    Account, AccountInput, AccountState, IllegalTransitionError, Link, PendingInput,
};
use link_domain::linking::account_source::{Purpose, Read, ReadRequest, SourceState, Step, StepRequest};
use link_domain::use_cases::with_linked_origin;
use link_store::{Claim, ClaimedJobs, CommitNotice, Label, Leased, RENEWAL, StoreError, Tx, WorkerId};
use link_types::id::{AccountId, ProviderId, TaskId};
use opentelemetry::trace::SpanKind;
use tokio::task::JoinSet;

use super::running::{ActiveLeases, LeaseGuard, Slot, TenantConcurrency};
use super::settle::{self, Ending};
use super::wake::Wake;
use super::{
    codes, documents, housekeeping, invitations, lookups, page_links, tenancy, webhooks, withdrawals,
};
use crate::api::payload::EventLinks;
use crate::app::App;
use crate::http::problem::{ApiResult, Problem};
use crate::logs::log_failure;
use crate::metrics::JobOutcome;
use crate::traces::trace_work;
use crate::widget::accounts;

/// How long a source may take for one login step.
const STEP_TIMEOUT: Duration = Duration::from_secs(120);
/// How long a source may take for one read.
const READ_TIMEOUT: Duration = Duration::from_secs(600);

/// Runs until the service stops, and then finishes the running jobs.
pub async fn run(app: App) {
    let queues: JoinSet<()> = JobQueue::ALL.into_iter().map(|queue| run_queue(app.clone(), queue)).collect();
    queues.join_all().await;
}

async fn run_queue(app: App, queue: JobQueue) {
    let concurrency = TenantConcurrency::for_queue(queue);
    let at_once = concurrency.at_once();
    let worker = WorkerId::from_random(app.random_bytes());
    let active_leases = ActiveLeases::default();
    let renewal = tokio::spawn(renew(app.clone(), worker.clone(), active_leases.clone()));
    let mut wake = Wake::new(app.store.subscribe(), CommitNotice::Jobs(queue), app.stopping.clone());
    let mut under_way = JoinSet::new();
    while !wake.is_stopping() {
        let free = at_once - under_way.len();
        let looked = app.wall();
        let claimed = match free {
            0 => ClaimedJobs::default(),
            _ => claim(&app, queue, &worker, free, &concurrency).await,
        };
        let was_idle = claimed.jobs.is_empty();
        for job in claimed.jobs {
            let held = (active_leases.take(job.lease()), concurrency.take(&job.item));
            under_way.spawn(work(app.clone(), job, held));
        }
        if was_idle || under_way.len() == at_once {
            tokio::select! {
                Some(_) = under_way.join_next() => {}
                () = wake.sleep(looked, claimed.next) => {}
            }
        }
        while under_way.try_join_next().is_some() {}
    }
    while under_way.join_next().await.is_some() {}
    renewal.abort();
}

async fn claim(
    app: &App,
    queue: JobQueue,
    worker: &WorkerId,
    limit: usize,
    concurrency: &TenantConcurrency,
) -> ClaimedJobs {
    let (worker, now) = (worker.clone(), app.wall());
    let share = concurrency.share();
    let claimed = app.store.write(move |tx| {
        if queue == JobQueue::Retention && housekeeping::is_paused(tx, now)? {
            return Ok(ClaimedJobs::default());
        }
        tx.jobs().claim(queue, Claim { worker: &worker, now, limit }, share.clone())
    });
    claimed.await.unwrap_or_else(|error: StoreError| {
        log_failure!(error, %error, "Claiming jobs failed");
        ClaimedJobs::default()
    })
}

async fn renew(app: App, worker: WorkerId, active_leases: ActiveLeases) {
    let mut ticks = tokio::time::interval(RENEWAL);
    loop {
        ticks.tick().await;
        let (worker, held, now) = (worker.clone(), active_leases.all(), app.wall());
        if held.is_empty() {
            continue;
        }
        if let Err(error) = app.store.write(move |tx| tx.jobs().renew(&worker, &held, now)).await {
            log_failure!(error, %error, "Renewing the leases of jobs failed");
        }
    }
}

async fn work(app: App, job: Leased<Job>, held: (LeaseGuard, Slot)) {
    let (kind, began) = (job.item.kind.clone(), Instant::now());
    let queue = kind.queue();
    let span = (SpanKind::Consumer, || format!("job {}", queue.as_str()).into());
    let done = trace_work(span, [], Result::is_ok, run_job(&app, &job, kind)).await;
    let outcome = if done.is_ok() { JobOutcome::Done } else { JobOutcome::Failed };
    app.reports.metrics.count_job(queue, outcome, began.elapsed());
    if let Err(problem) = done
        && !settle::remove_lost(&app, &job).await.unwrap_or(false)
    {
        let attempts = job.item.attempts;
        log_failure!(problem, job = %job.item.id, attempts, ?problem, "Job failed and will run again");
        postpone(&app, job).await;
    }
    drop(held);
}

async fn run_job(app: &App, job: &Leased<Job>, kind: JobKind) -> ApiResult<()> {
    match kind {
        JobKind::StepAccount { account_id, version } => step(app, job, account_id, version).await,
        JobKind::ReadAccount { account_id, task_id } => read(app, job, account_id, task_id).await,
        JobKind::SyncAccount { account_id, provider_id: _ } => sync(app, job, account_id).await,
        JobKind::LapseChallenge { account_id, challenge_id } => {
            settle(app, job, account_id, move |_, account, context| {
                let challenge_id = challenge_id.clone();
                Ok(Some(account.apply(AccountInput::ChallengeLapsed { challenge_id }, context)))
            })
            .await
        }
        JobKind::RemovePending { account_id } => {
            settle(app, job, account_id, |_, account, context| {
                Ok(Some(account.apply(AccountInput::Abandon, context)))
            })
            .await
        }
        JobKind::ExpireAccount { account_id } => {
            settle(app, job, account_id, |_, account, context| {
                Ok(Some(account.apply(AccountInput::Expire, context)))
            })
            .await
        }
        JobKind::AnalyzeArchive { archive_id, task_id } => {
            documents::analyze(app, job, archive_id, task_id).await
        }
        JobKind::ExpireArchive { archive_id } => documents::expire(app, job, archive_id).await,
        JobKind::SendInvite { invite_id, mail } => invitations::send(app, job, invite_id, mail).await,
        JobKind::SendPageLink { address } => page_links::send(app, job, address).await,
        JobKind::SendCode { visit_id } => codes::send(app, job, visit_id).await,
        JobKind::ForgetMail { invite_id } => invitations::forget(app, job, invite_id).await,
        JobKind::ExpireInvite { invite_id } => invitations::expire(app, job, invite_id).await,
        JobKind::LapseHostedLink { hosted_link_id } => {
            invitations::end_hosted_link(app, job, hosted_link_id, HostedLinkInput::Lapse).await
        }
        JobKind::ExpireHostedLink { hosted_link_id } => {
            invitations::end_hosted_link(app, job, hosted_link_id, HostedLinkInput::Expire).await
        }
        JobKind::WithdrawAccess { account_id, number } => {
            withdrawals::withdraw(app, job, account_id, number).await
        }
        JobKind::EndRotation { webhook_id } => webhooks::end_rotation(app, job, webhook_id).await,
        JobKind::RecoverDeliveries { webhook_id, since, until, after } => {
            webhooks::recover(app, job, webhook_id, (since, until), after).await
        }
        JobKind::EraseUser { user_id } => tenancy::erase_user(app, job, user_id).await,
        JobKind::EraseTenant { tenant } => tenancy::erase_tenant(app, job, tenant).await,
        JobKind::RemovePartialFiles { form_id } => documents::remove_partial_files(app, job, form_id).await,
        JobKind::DeleteOrphans { holder, since } => documents::delete_orphans(app, job, holder, since).await,
        JobKind::CompleteRecord { record_id } => lookups::complete_record(app, job, record_id).await,
        JobKind::CompleteSignal { signal_id } => lookups::complete_signal(app, job, signal_id).await,
        JobKind::ExpireScope { scope } => lookups::expire(app, job, scope).await,
        JobKind::AdvanceClock { tenant } => tenancy::advance(app, job, tenant).await,
    }
}

/// Postpones a failed job.
async fn postpone(app: &App, job: Leased<Job>) {
    let run_at = app.wall() + job.item.retry_wait();
    if let Err(error) = app.store.write(move |tx| tx.jobs().postpone(&job, run_at)).await {
        log_failure!(error, %error, "Postponing a job failed; it runs again when its lease expires");
    }
}

/// The account's transition for a job's result; `None` if there is nothing to do.
type Decision = Option<Result<(Account, Change), IllegalTransitionError>>;

/// Finishes the job with a transition of its account. If the account connected, also updates the invitation or hosted link
/// that led to it.
async fn settle(
    app: &App,
    job: &Leased<Job>,
    account_id: AccountId,
    mut decide: impl FnMut(&mut Tx<'_>, Account, &mut Context) -> ApiResult<Decision> + Send + 'static,
) -> ApiResult<()> {
    settle::settle(app, job, move |tx, job, context| {
        let Some(account) = tx.accounts().get(&job.owner, &account_id)? else { return Ok(Ending::nothing()) };
        match decide(tx, account, context)? {
            None => Ok(Ending::nothing()),
            Some(Err(refused)) => Ok(refused.into()),
            Some(Ok((account, change))) => {
                let through = || invitations::find_started_through(tx, &account);
                Ok(Ending::Done(with_linked_origin(change, through, context)?))
            }
        }
    })
    .await
}

async fn account_of(app: &App, job: &Leased<Job>, id: &AccountId) -> ApiResult<Option<Account>> {
    let (owner, id) = (job.item.owner.clone(), id.clone());
    Ok(app.store.read(move |reader| reader.accounts().get(&owner, &id)).await?)
}

async fn step(app: &App, job: &Leased<Job>, id: AccountId, version: u32) -> ApiResult<()> {
    let account = account_of(app, job, &id).await?;
    let requested = account
        .as_ref()
        .and_then(|it| it.link()?.requested_step(version).map(|step| (&it.provider_id, step)));
    let login_hash = account.as_ref().and_then(|it| it.login_hash);
    let step = match requested {
        Some((provider_id, (state, input))) => {
            Some(step_at_source(app, &job.item.owner, provider_id, &state, &input).await?)
        }
        None => None,
    };
    settle(app, job, id, move |tx, account, context| {
        let Some(step) = step.clone() else { return Ok(None) };
        let tries = match login_hash {
            Some(hash) => {
                let own =
                    tx.login_tries().get(&account.owner, &account.user_id, &account.provider_id, hash)?;
                Some(accounts::lock_charged_tries(tx, own, account.link().and_then(Link::tried_login))?)
            }
            None => None,
        };
        Ok(Some(account.apply(AccountInput::Stepped { version, step, tries }, context)))
    })
    .await
}

/// Decrypts the person's input and passes it to the source. This is the first place where the input is decrypted.
async fn step_at_source(
    app: &App,
    owner: &Owner,
    provider_id: &ProviderId,
    state: &SourceState,
    input: &PendingInput,
) -> ApiResult<Step> {
    let source = Arc::clone(app.ports.source(owner.mode));
    let providers = source.providers();
    let Some(provider) = providers.iter().find(|it| it.id == *provider_id) else {
        return Ok(Step::unavailable());
    };
    let root = app.store.read(|reader| -> ApiResult<_> { Ok(reader.derive_key(Label::Sessions)) }).await?;
    match input.for_source(&root, provider) {
        Ok(input) => {
            let request = StepRequest { owner, provider_id, state, input: &input };
            let response = tokio::time::timeout(STEP_TIMEOUT, source.step(request)).await;
            Ok(response.unwrap_or(Step::unavailable()))
        }
        Err(refused) => Ok(refused),
    }
}

/// Starts the sync of an account that is due, or reads it if the sync was started.
async fn sync(app: &App, job: &Leased<Job>, id: AccountId) -> ApiResult<()> {
    let account = account_of(app, job, &id).await?;
    let started = account.as_ref().and_then(Account::run).filter(|run| run.purpose == Purpose::Sync);
    match started.map(|run| run.task.id.clone()) {
        Some(task_id) => read(app, job, id, task_id).await,
        None => {
            settle(app, job, id, |_, account, context| Ok(Some(account.apply(AccountInput::Sync, context))))
                .await
        }
    }
}

async fn read(app: &App, job: &Leased<Job>, id: AccountId, task_id: TaskId) -> ApiResult<()> {
    let account = account_of(app, job, &id).await?;
    let declined = account.as_ref().map(Account::declined_data).unwrap_or_default();
    let connection = account.and_then(|it| match it.state {
        AccountState::Connected(connection) => {
            let purpose = connection.run()?.purpose;
            Some((it.provider_id, connection.source, purpose, connection.read_at))
        }
        AccountState::Linking(_) | AccountState::Disconnected(_) => None,
    });
    let reading = match &connection {
        Some((provider_id, state, purpose, last_read_at)) => {
            let owner = &job.item.owner;
            let now = app.now(app.offset_of(owner).await?);
            let source = Arc::clone(app.ports.source(owner.mode));
            let (purpose, at, last_read_at) = (*purpose, now.tenant(), *last_read_at);
            let request = ReadRequest { owner, provider_id, state, purpose, at, last_read_at };
            let response = tokio::time::timeout(READ_TIMEOUT, source.read(request)).await;
            let read = response.unwrap_or_else(|_| Read::unavailable(state.clone()));
            let files = documents::fetch(app, owner, &id, (provider_id, &read), &declined).await;
            Some((state.clone(), read, files))
        }
        None => None,
    };
    let links_of = app.clone();
    settle(app, job, id, move |tx, account, context| {
        let Some((from, read, files)) = reading.clone() else { return Ok(None) };
        let source = Source::Account(account.id.clone());
        let links = EventLinks::new(&links_of, tx, (&account.owner, &source), context.now().wall())?;
        let history = tx.account_links().history(&account.owner, &account.user_id, &account.provider_id)?;
        let points = tx.data_points().of_account(&account.owner, &account.id)?;
        let known = Known::from_points(points).map_err(Problem::system)?;
        let task_id = task_id.clone();
        let input = AccountInput::Read { task_id, from, read, files, known, history, links: &links };
        Ok(Some(account.apply(input, context)))
    })
    .await
}
