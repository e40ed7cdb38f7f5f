//! Results of a reading: data points and their events, another try, or the end of the task.

use std::time::Duration;

use link_types::LinkErrorCode;
use link_types::data::DataPointKind;
use link_types::event::EventData;
use link_types::id::TaskId;
use link_types::task::TaskType;
use link_types::template::Retention;

use crate::change::Row;
use crate::change::job::JobKind;
use crate::change::transition::Transition;
use crate::data::data_point::{Known, Origin};
use crate::data::findings::Findings;
use crate::data::payload::PayloadLinks;
use crate::data::provider_file::{FetchedFile, ProviderFile};
use crate::data::task::{Task, TaskEnding, TaskState};
use crate::kernel::clock::TenantTime;
use crate::kernel::source::Source;
use crate::kernel::stored_at::StoredAt;
use crate::linking::account::error_code::{Remedy, remedy, retry_wait};
use crate::linking::account::schedule::next_sync;
use crate::linking::account::{
    Account, AccountState, Connection, IllegalTransitionError, MonitorState, READING_TIME, REFRESH_INTERVAL,
    Reading, Run,
};
use crate::linking::account_source::{Purpose, Read, ReadOutcome, SourceState};
use crate::linking::link_history::LinkHistory;

/// Time between the last tries to read an account before it expires: 12 hours.
const LAST_TRIES: Duration = Duration::from_secs(43_200);

impl Transition<'_, Account<()>> {
    /// Starts a reading after a login.
    pub(super) fn read_after_login(&mut self, task_type: TaskType) -> Reading {
        let task = self.task(task_type);
        self.emit(EventData::TaskStarted(task.started_event()));
        self.start(task, Purpose::SignIn, self.at)
    }

    /// Starts a reading of continuous sync, if it is due.
    pub(super) fn sync(&mut self, connection: Connection) -> Result<AccountState, IllegalTransitionError> {
        match (&connection.reading, self.entity.monitor.next_at()) {
            (Reading::Running(_), _) => Err(IllegalTransitionError::StaleReading),
            (Reading::Done { .. } | Reading::Failed { .. }, None) => {
                Err(IllegalTransitionError::SyncInactive)
            }
            (Reading::Done { .. } | Reading::Failed { .. }, Some(next_at)) => {
                self.check_due(next_at)?;
                Ok(self.start_sync(connection, next_at))
            }
        }
    }

    /// Starts a reading that the tenant requests. A reading that waits for another try is tried again now.
    pub(super) fn refresh(&mut self, connection: Connection) -> Result<AccountState, IllegalTransitionError> {
        match self.entity.monitor.state {
            MonitorState::Active { .. } => {}
            MonitorState::Unsupported {} => return Err(IllegalTransitionError::MonitorUnsupported),
            MonitorState::UserActionRequired { .. } | MonitorState::CustomerDisabled { .. } => {
                return Err(IllegalTransitionError::SyncInactive);
            }
        }
        let wait = connection.refreshed_at.map(|before| (before + REFRESH_INTERVAL).since(self.at));
        if let Some(wait) = wait.filter(|wait| !wait.is_zero()) {
            return Err(IllegalTransitionError::RefreshedAlready { wait });
        }
        let connection = Connection { refreshed_at: Some(self.at), ..connection };
        match connection.reading {
            Reading::Running(run) => {
                let reading = self.run(Run { due_at: self.at, ..*run });
                Ok(AccountState::Connected(Box::new(Connection { reading, ..connection })))
            }
            Reading::Done { .. } | Reading::Failed { .. } => Ok(self.start_sync(connection, self.at)),
        }
    }

    /// Starts a sync that was due at a time. The reading keeps its place in the queue: otherwise a backlog of syncs would
    /// all be started before the first of them is read.
    fn start_sync(&mut self, connection: Connection, due_at: TenantTime) -> AccountState {
        let task = self.task(TaskType::UpdateAccount);
        self.entity.monitor = self.entity.monitor.schedule_at(None);
        let reading = self.start(task, Purpose::Sync, due_at);
        AccountState::Connected(Box::new(Connection { reading, ..connection }))
    }

    fn task(&mut self, task_type: TaskType) -> Task {
        Task {
            id: TaskId::from_bytes(self.context.uuid()),
            owner: self.entity.owner.clone(),
            task_type,
            user_id: self.entity.user_id.clone(),
            source: Source::Account(self.entity.id.clone()),
            provider_id: self.entity.provider_id.clone(),
            started_at: self.at,
            state: TaskState::Started {},
        }
    }

    fn start(&mut self, task: Task, purpose: Purpose, due_at: TenantTime) -> Reading {
        self.change.rows.push(Row::Task(task.clone()));
        self.run(Run { task, purpose, due_at, errors: Vec::new(), has_data: false, changed: Vec::new() })
    }

    /// Continues a reading with the session of a new login. Its tries start again. A sync becomes the reading of the
    /// login, which is tried again and reported even if sync was disabled.
    pub(super) fn read_with_new_login(&mut self, run: Run) -> Reading {
        if run.purpose == Purpose::Sync {
            self.emit(EventData::TaskStarted(run.task.started_event()));
        }
        self.run(Run { purpose: Purpose::SignIn, due_at: self.at, errors: Vec::new(), ..run })
    }

    /// Schedules the next try of a reading.
    fn run(&mut self, run: Run) -> Reading {
        let account_id = self.entity.id.clone();
        let job = match run.purpose {
            Purpose::SignIn => JobKind::ReadAccount { account_id, task_id: run.task.id.clone() },
            Purpose::Sync => {
                JobKind::SyncAccount { account_id, provider_id: self.entity.provider_id.clone() }
            }
        };
        self.schedule(job, run.due_at);
        Reading::Running(Box::new(run))
    }

    pub(super) fn read(
        &mut self,
        connection: Connection,
        task_id: &TaskId,
        (from, read, files): (&SourceState, Read, Vec<FetchedFile>),
        (known, history): (Known, &LinkHistory),
        links: &dyn PayloadLinks,
    ) -> Result<AccountState, IllegalTransitionError> {
        // If the person logged in again during the reading, another one with the new session is scheduled.
        let run = connection.run().filter(|run| run.task.id == *task_id && connection.source == *from);
        let run = run.ok_or(IllegalTransitionError::StaleReading)?.clone();
        let Read { state: source, batch, outcome } = read;
        let (code, returned_data) = match outcome {
            ReadOutcome::Complete => (None, true),
            ReadOutcome::Partial { code } => (Some(code), true),
            ReadOutcome::Failed { code } => (Some(code), false),
        };
        let origin = self.origin();
        let contribution_rate = batch
            .contribution_rate
            .or(connection.contribution_rate)
            .filter(|_| origin.declined.shares(DataPointKind::Contributions));
        let mut findings = match returned_data {
            true => {
                let bodies = (batch.bodies, contribution_rate);
                Findings::of_account(known, bodies, history.data_point(), &origin, self.context)
            }
            false => Findings::from_unchanged(known, &origin.declined),
        };
        self.write(&findings);
        self.write_files(&mut findings, files);
        let run =
            Run { has_data: run.has_data || returned_data, changed: union(run.changed, &findings), ..run };
        let connection = Connection { source, contribution_rate, ..connection };
        let errors: Vec<_> = run.errors.iter().copied().chain(code).collect();
        let run = Run { errors, ..run };
        let reading = match code.and_then(|code| self.wait_after(code, &run)) {
            Some(wait) => self.run(Run { due_at: self.at + wait, ..run }),
            None => return Ok(self.end_reading(connection, run, code, &findings, Some(links))),
        };
        Ok(AccountState::Connected(Box::new(Connection { reading, ..connection })))
    }

    /// Returns how long to wait until another try, or `None` if the reading ends. Sync that was disabled meanwhile is
    /// not tried again.
    fn wait_after(&mut self, code: LinkErrorCode, run: &Run) -> Option<Duration> {
        let is_wanted = run.purpose == Purpose::SignIn || self.entity.monitor.active_interval().is_some();
        if remedy(code) != Remedy::Retry || !is_wanted {
            return None;
        }
        let wait = retry_wait(self.entity.owner.mode, run.errors.len())?;
        // Readings that failed together are not tried again together.
        Some(wait.mul_f64(0.8 + 0.4 * self.context.fraction()))
    }

    /// Ends a reading with the result of its last try, and schedules the next sync.
    pub(super) fn end_reading(
        &mut self,
        connection: Connection,
        run: Run,
        code: Option<LinkErrorCode>,
        findings: &Findings,
        links: Option<&dyn PayloadLinks>,
    ) -> AccountState {
        let (ending, reading) = match (code, run.has_data) {
            (None, _) => (TaskEnding::Succeeded, Reading::Done { missing: None }),
            (Some(code), true) => (TaskEnding::Partial(code), Reading::Done { missing: Some(code) }),
            (Some(code), false) => (TaskEnding::Failed(code), Reading::Failed { code }),
        };
        let mut connection = Connection { reading, ..connection };
        if run.has_data {
            self.entity.monitor = self.entity.monitor.read(self.at);
            connection = self.until_its_end(Connection { read_at: Some(self.at), ..connection });
        }
        if code.is_some_and(|code| remedy(code) == Remedy::SignIn) {
            self.entity.monitor = self.entity.monitor.needs_person(self.at);
        }
        self.schedule_sync(&connection);
        let has_data = run.has_data;
        let nothing = Findings::none();
        self.finish_task(run, ending, if has_data { findings } else { &nothing }, links);
        AccountState::Connected(Box::new(connection))
    }

    /// Schedules the next sync, if the account is in sync and does not expire first. An account that stays connected as
    /// long as it can be read is also read on the day before it expires.
    pub(super) fn schedule_sync(&mut self, connection: &Connection) {
        let Some(interval) = self.entity.monitor.active_interval() else { return };
        let slot = next_sync(interval, &self.entity.id, connection.first_connected_at, self.at);
        let last_chance = match connection.retention {
            Retention::FromConnection => None,
            Retention::FromLastSync => {
                let last_day = connection.expires_at - READING_TIME;
                Some(last_day.max(self.at + LAST_TRIES)).filter(|it| *it < connection.expires_at)
            }
        };
        let next_at = if slot < connection.expires_at { Some(slot) } else { last_chance };
        self.entity.monitor = self.entity.monitor.schedule_at(next_at);
        if let Some(next_at) = next_at {
            let (account_id, provider_id) = (self.entity.id.clone(), self.entity.provider_id.clone());
            self.schedule(JobKind::SyncAccount { account_id, provider_id }, next_at);
        }
    }

    fn origin(&self) -> Origin {
        Origin {
            owner: self.entity.owner.clone(),
            user_id: self.entity.user_id.clone(),
            provider_id: self.entity.provider_id.clone(),
            source: Source::Account(self.entity.id.clone()),
            visit_id: self.entity.visit_id.clone(),
            created_at: self.entity.created_at,
            declined: self.entity.declined_data(),
        }
    }

    /// Writes new and changed data points, and emits their events.
    fn write(&mut self, findings: &Findings) {
        self.write_data_points(findings);
        for event in findings.events(&self.origin(), self.at) {
            self.emit(event);
        }
    }

    /// Writes the files of documents. A file whose document was not read is dropped.
    fn write_files(&mut self, findings: &mut Findings, files: Vec<FetchedFile>) {
        let account_id = self.entity.id.clone();
        let written = files.into_iter().filter_map(|FetchedFile { offer, content }| {
            let document_id = findings.document(&offer.document)?.clone();
            Some(ProviderFile {
                document_id,
                account_id: account_id.clone(),
                reference: offer.reference,
                content,
            })
        });
        let written: Vec<_> = written.collect();
        findings.store_files(|id| {
            let is_written = written.iter().any(|file| file.document_id == *id);
            is_written.then(|| StoredAt::Account(account_id.clone(), id.clone()))
        });
        self.change.rows.extend(written.into_iter().map(|file| Row::ProviderFile(Box::new(file))));
    }

    /// Finishes the task of a reading: TASK_FINISHED after a login, ACCOUNT_SYNC_TASK_FINISHED in continuous sync.
    pub(super) fn finish_task(
        &mut self,
        run: Run,
        ending: TaskEnding,
        findings: &Findings,
        links: Option<&dyn PayloadLinks>,
    ) {
        let Run { task, purpose, changed, .. } = run;
        let kinds = match purpose {
            Purpose::SignIn => {
                self.emit(EventData::TaskFinished(findings.finished_event(&task, ending, links)));
                findings.kinds()
            }
            Purpose::Sync => {
                let found = (self.entity.monitor.status(), changed.as_slice());
                let synced = findings.synced_event(&task, ending, found, links);
                self.emit(EventData::AccountSyncTaskFinished(synced));
                changed
            }
        };
        self.change.rows.push(Row::Task(task.finish(self.at, ending, kinds)));
    }
}

/// Returns the kinds that were changed before or are now, in the order of the interface.
fn union(mut changed: Vec<DataPointKind>, findings: &Findings) -> Vec<DataPointKind> {
    changed.extend(findings.changed_kinds());
    changed.sort_unstable();
    changed.dedup();
    changed
}
