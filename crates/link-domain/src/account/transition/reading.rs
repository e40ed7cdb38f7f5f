//! Results of a reading: data points, the `*_ADDED` events, TASK_FINISHED.

use link_types::LinkErrorCode;
use link_types::event::EventData;
use link_types::id::TaskId;

use crate::account::{Account, AccountState, Connection, IllegalTransition, Reading};
use crate::change::Row;
use crate::data_point::Origin;
use crate::event::PageCursors;
use crate::findings::Findings;
use crate::link_history::LinkHistory;
use crate::ports::{Batch, Read, ReadOutcome, SourceState};
use crate::task::{Task, TaskEnding};
use crate::transition::Transition;

impl Transition<'_, Account<()>> {
    pub(super) fn read(
        &mut self,
        connection: Connection,
        task_id: &TaskId,
        (from, read): (&SourceState, Read),
        history: &LinkHistory,
        cursors: &dyn PageCursors,
    ) -> Result<AccountState, IllegalTransition> {
        let task = match &connection.reading {
            Reading::Running { task } if task.id == *task_id => task.clone(),
            Reading::Running { .. } | Reading::Done {} | Reading::Failed {} => {
                return Err(IllegalTransition::StaleReading);
            }
        };
        let (ending, reading, batch) = match read.outcome {
            ReadOutcome::Complete => (TaskEnding::Succeeded, Reading::Done {}, read.batch),
            ReadOutcome::Partial { code } => (TaskEnding::Partial(code), Reading::Done {}, read.batch),
            ReadOutcome::Failed { code } => (TaskEnding::Failed(code), Reading::Failed {}, Batch::default()),
        };
        // If the person logged in again during the reading, their session is newer than the reading's.
        let source = if connection.source == *from { read.state } else { connection.source.clone() };
        let read_at = match reading {
            Reading::Done {} => Some(self.at),
            Reading::Failed {} | Reading::Running { .. } => connection.read_at,
        };
        if ending.error_code().is_some_and(asks_for_login) {
            self.entity.monitor = self.entity.monitor.needs_person(self.at);
        }
        let connection = Connection { source, reading, read_at, ..connection };
        let findings = Findings::of_account(batch, history, self.context);
        self.finish_task(task, ending, &findings, Some(cursors));
        Ok(AccountState::Connected(Box::new(connection)))
    }

    /// Finishes a task with the data that was read: data points, `*_ADDED`, TASK_FINISHED.
    pub(super) fn finish_task(
        &mut self,
        task: Task,
        ending: TaskEnding,
        findings: &Findings,
        cursors: Option<&dyn PageCursors>,
    ) {
        let origin = Origin {
            owner: self.entity.owner.clone(),
            user_id: self.entity.user_id.clone(),
            provider_id: self.entity.provider_id.clone(),
            source: task.source.clone(),
            created_at: self.entity.created_at,
        };
        self.change.rows.extend(findings.rows(&origin, self.context));
        for event in findings.added(&origin) {
            self.emit(event);
        }
        self.emit(EventData::TaskFinished(findings.finished_event(&task, ending, self.at, cursors)));
        self.change.rows.push(Row::Task(task.finished(self.at, ending, findings.kinds())));
    }
}

/// Returns whether only a new login by the person can resolve the error.
const fn asks_for_login(code: LinkErrorCode) -> bool {
    match code {
        LinkErrorCode::AuthRequired
        | LinkErrorCode::ExpiredCredentials
        | LinkErrorCode::InvalidCredentials
        | LinkErrorCode::InvalidMfa
        | LinkErrorCode::MfaTimeout
        | LinkErrorCode::TosRequired => true,
        LinkErrorCode::AccountDisabled
        | LinkErrorCode::AccountInaccessible
        | LinkErrorCode::AccountIncomplete
        | LinkErrorCode::AccountLocked
        | LinkErrorCode::InvalidAccountType
        | LinkErrorCode::InvalidAuth
        | LinkErrorCode::ServiceUnavailable
        | LinkErrorCode::SystemError
        | LinkErrorCode::UnsupportedAuthType
        | LinkErrorCode::UnsupportedMfaMethod => false,
    }
}
