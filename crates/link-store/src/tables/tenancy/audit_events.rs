//! The audit log: waiting events, which units of work add, and the chain, to which a worker moves them.

use link_domain::kernel::clock::Wall;
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::audit::{self, Chain, ChainEnd, ChainedEvent};
use link_types::Mode;
use link_types::audit::{AuditAction, AuditEvent};
use link_types::id::{AuditEventId, TenantId};

use crate::reader::{ReadSession, parse};
use crate::sql::{Batch, Param, Row, Sql, columns, params, statements};
use crate::tables::list::{Created, List, ListQuery};
use crate::tables::resource::resource;
use crate::tables::{count, digest};
use crate::{Page, PageRequest, StoreError, Tx};

const TABLE: &str = "audit_events";

columns! {
    /// The columns of an event.
    event_columns => struct Columns { id, action, actor, sequence, hash, body }
}
const COLUMNS: Columns = Columns::after(0);
columns! {
    /// The columns of a waiting event.
    waiting_columns => struct WaitingColumns { id, mode, body }
}
const WAITING: WaitingColumns = WaitingColumns::after(0);
columns! {
    /// The columns of a chain.
    chain_columns => struct ChainColumns { removed_sequence, removed_hash, last_sequence, last_hash }
}
const CHAIN: ChainColumns = ChainColumns::after(0);

statements! {
    WAIT = "INSERT INTO audit_outbox (tenant_id, id, mode, body) VALUES (?1, ?2, ?3, ?4)";
    WAITING_TENANTS = "SELECT DISTINCT tenant_id FROM audit_outbox";
    TAKE_WAITING = concat!("DELETE FROM audit_outbox WHERE tenant_id = ?1 AND id IN (SELECT id FROM audit_outbox \
                   WHERE tenant_id = ?1 ORDER BY id LIMIT ?2) RETURNING ", waiting_columns!(""));
    INSERT = "INSERT INTO audit_events (tenant_id, id, mode, action, actor, at, sequence, hash, body) \
              VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) RETURNING id";
    FIND_CHAIN = concat!("SELECT ", chain_columns!(""), " FROM audit_chains WHERE tenant_id = ?1");
    PUT_CHAIN = "INSERT INTO audit_chains (tenant_id, removed_sequence, removed_hash, last_sequence, last_hash) \
                 VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (tenant_id) DO UPDATE SET \
                 removed_sequence = excluded.removed_sequence, removed_hash = excluded.removed_hash, \
                 last_sequence = excluded.last_sequence, last_hash = excluded.last_hash";
    AFTER = concat!("SELECT ", event_columns!(""), " FROM audit_events WHERE tenant_id = ?1 AND sequence > ?2 \
            ORDER BY sequence LIMIT ?3");
    FIRST_KEPT = concat!("SELECT ", event_columns!(""), " FROM audit_events WHERE tenant_id = ?1 AND at >= ?2 \
                 ORDER BY sequence LIMIT 1");
    AT = concat!("SELECT ", event_columns!(""), " FROM audit_events WHERE tenant_id = ?1 AND sequence = ?2");
    DELETE_UNTIL = "DELETE FROM audit_events WHERE tenant_id = ?1 AND sequence <= ?2";
}

pub(crate) static CHAIN_BATCH: Batch = Batch {
    one: &INSERT,
    many: Sql::from_static(
        "audit_events::CHAIN_BATCH",
        "INSERT INTO audit_events (id, tenant_id, mode, action, actor, at, sequence, hash, body) \
         SELECT moved.id, ?1, moved.mode, moved.action, moved.actor, moved.at, moved.sequence, moved.hash, moved.body \
         FROM UNNEST(CAST(?2 AS TEXT[]), CAST(?3 AS TEXT[]), CAST(?4 AS TEXT[]), CAST(?5 AS TEXT[]), \
         CAST(?6 AS BIGINT[]), CAST(?7 AS BIGINT[]), CAST(?8 AS BYTEA[]), CAST(?9 AS TEXT[])) \
         AS moved (id, mode, action, actor, at, sequence, hash, body) RETURNING id",
    ),
};

pub(crate) static AUDIT_EVENTS: List = List {
    name: "audit_events",
    select: concat!("SELECT ", event_columns!(""), " FROM audit_events"),
    id: "id",
    position: COLUMNS.id,
    always: &["tenant_id = ?", "mode = ?"],
    filters: &["action = ?", "actor = ?"],
};

/// Filters for a list of events.
#[derive(Debug, Clone, Copy, Default)]
pub struct AuditFilter<'a> {
    /// Only events of this action.
    pub action: Option<AuditAction>,
    /// Only events of this API key or member, or of the operator.
    pub actor: Option<&'a str>,
    /// Only events in this span.
    pub created: Created,
}

fn read(row: &Row<'_>) -> Result<ChainedEvent, StoreError> {
    Ok(ChainedEvent {
        end: end(row, COLUMNS.sequence, COLUMNS.hash)?,
        columns: [row.text(COLUMNS.id)?, row.text(COLUMNS.action)?, row.text(COLUMNS.actor)?],
        body: row.text(COLUMNS.body)?,
    })
}

fn end(row: &Row<'_>, sequence: usize, hash: usize) -> Result<ChainEnd, StoreError> {
    Ok(ChainEnd { sequence: count(TABLE, row.int(sequence)?)?, hash: digest(TABLE, row.bytes(hash)?)? })
}

fn number(sequence: u64) -> i64 {
    i64::try_from(sequence).unwrap_or(i64::MAX)
}

resource! {
    /// The audit log.
    AuditEvents, audit_events
}

impl<'c, S: ReadSession<'c>> AuditEvents<'_, S> {
    /// Returns chained events of an environment, newest first.
    ///
    /// # Errors
    ///
    /// [`StoreError::BadCursor`] for a cursor of another list; [`StoreError`] if the database cannot be read.
    pub fn list(
        &mut self,
        owner: &Owner,
        filter: AuditFilter<'_>,
        request: &PageRequest,
    ) -> Result<Page<ChainedEvent>, StoreError> {
        let query = ListQuery {
            owner,
            always: &[],
            filters: &[filter.action.map(AuditAction::as_str), filter.actor],
            created: filter.created,
            prefix: AuditEventId::PREFIX,
            request,
        };
        self.0.reader().page(&AUDIT_EVENTS, &query, read, |_, event| Ok(event))
    }

    /// Returns the tenants with waiting events.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn waiting_tenants(&mut self) -> Result<Vec<TenantId>, StoreError> {
        self.session().query(&WAITING_TENANTS, params![], |row| parse(TABLE, row.str(0)?))
    }

    /// Returns the ends of a tenant's chain.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn chain(&mut self, tenant: &TenantId) -> Result<Chain, StoreError> {
        let found = self.session().find(&FIND_CHAIN, params![tenant.as_str()], |row| {
            Ok(Chain {
                removed: end(row, CHAIN.removed_sequence, CHAIN.removed_hash)?,
                last: end(row, CHAIN.last_sequence, CHAIN.last_hash)?,
            })
        })?;
        let start = ChainEnd::start(tenant);
        Ok(found.unwrap_or(Chain { removed: start, last: start }))
    }

    /// Returns a tenant's events after a number, oldest first, at most `limit`.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn after(
        &mut self,
        tenant: &TenantId,
        sequence: u64,
        limit: usize,
    ) -> Result<Vec<ChainedEvent>, StoreError> {
        self.session().query(&AFTER, params![tenant.as_str(), number(sequence), limit as i64], read)
    }
}

impl AuditEvents<'_, Tx<'_>> {
    /// Adds an event, which waits for its place in the chain.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn wait(&mut self, owner: &Owner, event: &AuditEvent) -> Result<(), StoreError> {
        let (tenant, mode, body) = (owner.tenant.as_str(), owner.mode.as_str(), audit::body_of(event));
        self.session().execute_later(&WAIT, params![tenant, event.id.as_str(), mode, &body])
    }

    /// Moves a tenant's waiting events to its chain, at most `limit`. Locks the tenant, so that every node appends to the
    /// same end. Returns how many.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn chain_waiting(&mut self, tenant: &TenantId, limit: usize) -> Result<usize, StoreError> {
        self.0.tenants().get(tenant)?;
        let mut chain = self.chain(tenant)?;
        let mut waiting =
            self.session().query(&TAKE_WAITING, params![tenant.as_str(), limit as i64], |row| {
                let mode: Mode = parse(TABLE, row.str(WAITING.mode)?)?;
                Ok((row.text(WAITING.id)?, mode, row.text(WAITING.body)?))
            })?;
        waiting.sort_unstable_by(|one, other| one.0.cmp(&other.0));
        let mut moved = Vec::with_capacity(waiting.len());
        for (_, _, body) in &waiting {
            let event =
                audit::event_of(body).ok_or_else(|| StoreError::undecodable(TABLE, "not an event"))?;
            chain.last = chain.last.next(body);
            let [_, action, actor] = ChainedEvent::columns_of(&event);
            moved.push((chain.last, action, actor, event.created_at));
        }
        let rows: Vec<Vec<Param<'_>>> = waiting
            .iter()
            .zip(&moved)
            .map(|((id, mode, body), (end, action, actor, at))| {
                let (sequence, hash) = (number(end.sequence), end.hash.as_bytes());
                params![id, mode.as_str(), action, actor, at.as_micros(), sequence, hash, body].to_vec()
            })
            .collect();
        self.session().query_batch(&CHAIN_BATCH, params![tenant.as_str()], &rows, |_| Ok(()))?;
        if !waiting.is_empty() {
            self.put_chain(tenant, &chain)?;
        }
        Ok(waiting.len())
    }

    /// Removes a tenant's first events up to the first one since `time`, at most `limit`. Returns how many.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_before(&mut self, tenant: &TenantId, time: Wall, limit: usize) -> Result<u64, StoreError> {
        let mut chain = self.chain(tenant)?;
        let kept = self.session().find(&FIRST_KEPT, params![tenant.as_str(), time.micros()], read)?;
        let expired = kept.map_or(chain.last.sequence, |it| it.end.sequence.saturating_sub(1));
        let until = expired.min(chain.removed.sequence.saturating_add(limit as u64));
        if until <= chain.removed.sequence {
            return Ok(0);
        }
        self.0.tenants().get(tenant)?;
        let at = self.session().find(&AT, params![tenant.as_str(), number(until)], read)?;
        // An event that is missing stays a fault of the chain.
        let Some(at) = at else { return Ok(0) };
        chain.removed = at.end;
        let removed = self.session().execute(&DELETE_UNTIL, params![tenant.as_str(), number(until)])?;
        chain.last = self.chain(tenant)?.last;
        self.put_chain(tenant, &chain)?;
        Ok(removed)
    }

    fn put_chain(&mut self, tenant: &TenantId, chain: &Chain) -> Result<(), StoreError> {
        let Chain { removed, last } = chain;
        self.session().execute_later(
            &PUT_CHAIN,
            params![
                tenant.as_str(),
                number(removed.sequence),
                removed.hash.as_bytes(),
                number(last.sequence),
                last.hash.as_bytes(),
            ],
        )
    }
}
