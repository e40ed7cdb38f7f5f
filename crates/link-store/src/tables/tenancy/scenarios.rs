//! Custom logins of a tenant's sandbox. Their outcome is sealed.

use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::scenario::{Scenario, ScenarioOutcome};
use link_types::id::ScenarioId;
use serde::{Deserialize, Serialize};

use crate::keys::Location;
use crate::reader::{ReadSession, parse};
use crate::sql::{Row, columns, params, statements};
use crate::tables::list::{Created, List, ListQuery};
use crate::tables::resource::resource;
use crate::tables::{count, owner};
use crate::{Page, PageRequest, Reader, StoreError, Tx};

const TABLE: &str = "scenarios";

columns! {
    /// The columns of a custom login.
    scenario_columns => struct Columns { id, tenant_id, mode, login, body }
}
const COLUMNS: Columns = Columns::after(0);

statements! {
    PUT = "INSERT INTO scenarios (id, tenant_id, mode, login, body) VALUES (?1, ?2, ?3, ?4, ?5) \
           ON CONFLICT (id) DO UPDATE SET login = excluded.login, body = excluded.body";
    FIND_BY_LOGIN = concat!("SELECT ", scenario_columns!(""), " FROM scenarios WHERE tenant_id = ?1 \
                    AND mode = ?2 AND login = ?3");
    FIND_LOCKED = concat!("SELECT ", scenario_columns!(""), " FROM scenarios WHERE id = ?1 AND tenant_id = ?2 \
                  AND mode = ?3 /*lock*/");
    COUNT = "SELECT COUNT(*) FROM scenarios WHERE tenant_id = ?1 AND mode = ?2";
    DELETE = "DELETE FROM scenarios WHERE id = ?1";
}

pub(crate) static SCENARIOS: List = List {
    name: "scenarios",
    select: concat!("SELECT ", scenario_columns!(""), " FROM scenarios"),
    id: "id",
    position: COLUMNS.id,
    always: &["tenant_id = ?", "mode = ?"],
    filters: &[],
};

#[derive(Serialize, Deserialize)]
struct Body {
    created_at: TenantTime,
    outcome: ScenarioOutcome,
}

/// A row before its body is opened.
struct Stored {
    id: String,
    owner: Owner,
    login: String,
    body: Vec<u8>,
}

fn read(row: &Row<'_>) -> Result<Stored, StoreError> {
    Ok(Stored {
        id: row.text(COLUMNS.id)?,
        owner: owner(TABLE, row, COLUMNS.tenant_id, COLUMNS.mode)?,
        login: row.text(COLUMNS.login)?,
        body: row.bytes(COLUMNS.body)?,
    })
}

impl Stored {
    fn open(self, reader: &Reader<'_>) -> Result<Scenario, StoreError> {
        let Body { created_at, outcome } =
            reader.open_unscoped(Location { table: TABLE, id: &self.id }, &self.body)?;
        Ok(Scenario {
            id: parse(TABLE, &self.id)?,
            owner: self.owner,
            created_at,
            login: self.login,
            outcome,
        })
    }
}

resource! {
    /// Custom logins of a tenant's sandbox.
    Scenarios, scenarios
}

impl<'c, S: ReadSession<'c>> Scenarios<'_, S> {
    /// Returns an owner's custom login.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn by_login(&mut self, owner: &Owner, login: &str) -> Result<Option<Scenario>, StoreError> {
        let owned = params![owner.tenant.as_str(), owner.mode.as_str(), login];
        self.session()
            .find(&FIND_BY_LOGIN, owned, read)?
            .map(|stored| stored.open(self.0.reader()))
            .transpose()
    }

    /// Returns an owner's custom logins, newest first.
    ///
    /// # Errors
    ///
    /// [`StoreError::BadCursor`] for a cursor of another list; [`StoreError`] if the database cannot be read.
    pub fn list(&mut self, owner: &Owner, request: &PageRequest) -> Result<Page<Scenario>, StoreError> {
        let query = ListQuery {
            owner,
            always: &[],
            filters: &[],
            created: Created::default(),
            prefix: ScenarioId::PREFIX,
            request,
        };
        self.0.reader().page(&SCENARIOS, &query, read, |reader, stored| stored.open(reader))
    }

    /// Returns the number of custom logins of an owner.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn count(&mut self, owner: &Owner) -> Result<u64, StoreError> {
        let owned = params![owner.tenant.as_str(), owner.mode.as_str()];
        let found = self.session().find(&COUNT, owned, |row| count(TABLE, row.int(0)?))?;
        Ok(found.unwrap_or_default())
    }
}

impl Scenarios<'_, Tx<'_>> {
    /// Returns and locks an owner's custom login by its id.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, owner: &Owner, id: &ScenarioId) -> Result<Option<Scenario>, StoreError> {
        let owned = params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()];
        self.session().find(&FIND_LOCKED, owned, read)?.map(|stored| stored.open(self.0)).transpose()
    }

    pub(crate) fn put(&mut self, scenario: &Scenario) -> Result<(), StoreError> {
        let Scenario { id, owner, created_at, login, outcome } = scenario;
        let body = Body { created_at: *created_at, outcome: outcome.clone() };
        let sealed = self.0.seal_unscoped(Location { table: TABLE, id: id.as_str() }, &body)?;
        let row = params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str(), login, &sealed];
        self.session().execute_later(&PUT, row)
    }

    pub(crate) fn delete(&mut self, id: &ScenarioId) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE, params![id.as_str()])
    }
}
