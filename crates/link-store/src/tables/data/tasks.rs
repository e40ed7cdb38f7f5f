//! Tasks. They contain no personal data, so their body is unencrypted.

use link_domain::data::task::Task;
use link_domain::kernel::owner::Owner;
use link_types::id::{TaskId, UserId};
use link_types::task::TaskStatus;

use crate::body::{decode, encode};
use crate::reader::ReadSession;
use crate::sql::{Row, columns, params, statements};
use crate::tables::list::{Created, List, ListQuery};
use crate::tables::resource::resource;
use crate::{Page, PageRequest, Reader, StoreError, Tx};

const TABLE: &str = "tasks";

columns! {
    /// The columns of a task.
    task_columns => struct Columns { id, body }
}
const COLUMNS: Columns = Columns::after(0);

statements! {
    PUT = "INSERT INTO tasks (id, tenant_id, mode, user_id, source_id, status, body) \
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) \
           ON CONFLICT (id) DO UPDATE SET status = excluded.status, body = excluded.body";
    FIND = concat!("SELECT ", task_columns!(""), " FROM tasks WHERE id = ?1 AND tenant_id = ?2 AND mode = ?3");
    FIND_LOCKED = concat!("SELECT ", task_columns!(""), " FROM tasks WHERE id = ?1 AND tenant_id = ?2 \
                  AND mode = ?3 /*lock*/");
}

pub(crate) static TASKS: List = List {
    name: "tasks",
    select: concat!("SELECT ", task_columns!(""), " FROM tasks"),
    id: "id",
    position: COLUMNS.id,
    always: &["tenant_id = ?", "mode = ?"],
    filters: &["user_id = ?", "source_id = ?", "status = ?"],
};

/// Filters for a list of tasks.
#[derive(Debug, Clone, Copy, Default)]
pub struct TaskFilter<'a> {
    /// Only tasks of this user.
    pub user: Option<&'a UserId>,
    /// Only tasks of this account or archive.
    pub source: Option<&'a str>,
    /// Only tasks with this status.
    pub status: Option<TaskStatus>,
    /// Only tasks started in this span.
    pub created: Created,
}

fn read(row: &Row<'_>) -> Result<Task, StoreError> {
    decode(TABLE, row.slice(COLUMNS.body)?)
}

resource! {
    /// Tasks.
    Tasks, tasks
}

impl Tasks<'_, Reader<'_>> {
    /// Returns a task.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, owner: &Owner, id: &TaskId) -> Result<Option<Task>, StoreError> {
        self.session().find(&FIND, params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()], read)
    }
}

impl<'c, S: ReadSession<'c>> Tasks<'_, S> {
    /// Returns tasks, newest first.
    ///
    /// # Errors
    ///
    /// [`StoreError::BadCursor`] for a cursor of another list; [`StoreError`] if the database cannot be read.
    pub fn list(
        &mut self,
        owner: &Owner,
        filter: TaskFilter<'_>,
        request: &PageRequest,
    ) -> Result<Page<Task>, StoreError> {
        let query = ListQuery {
            owner,
            always: &[],
            filters: &[filter.user.map(UserId::as_str), filter.source, filter.status.map(TaskStatus::as_str)],
            created: filter.created,
            prefix: TaskId::PREFIX,
            request,
        };
        self.0.reader().page(&TASKS, &query, read, |_, task| Ok(task))
    }
}

impl Tasks<'_, Tx<'_>> {
    /// Returns and locks a task.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, owner: &Owner, id: &TaskId) -> Result<Option<Task>, StoreError> {
        self.session().find(
            &FIND_LOCKED,
            params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()],
            read,
        )
    }

    pub(crate) fn put(&mut self, task: &Task) -> Result<(), StoreError> {
        let body = encode(TABLE, task)?;
        self.session().execute_later(
            &PUT,
            params![
                task.id.as_str(),
                task.owner.tenant.as_str(),
                task.owner.mode.as_str(),
                task.user_id.as_str(),
                task.source.as_str(),
                task.status().as_str(),
                body.as_slice(),
            ],
        )
    }
}
