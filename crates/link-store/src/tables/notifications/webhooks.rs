//! Webhook registrations. Their secrets are sealed.

use link_domain::kernel::clock::Wall;
use link_domain::kernel::owner::Owner;
use link_domain::notifications::webhook::Webhook;
use link_types::Sensitive;
use link_types::id::WebhookId;

use crate::body::{decode, encode};
use crate::keys::{Label, Location};
use crate::reader::ReadSession;
use crate::sql::{Row, columns, params, statements};
use crate::tables::list::{Created, List, ListQuery};
use crate::tables::resource::resource;
use crate::tables::{count, owner};
use crate::{Page, PageRequest, Reader, StoreError, Tx};

const TABLE: &str = "webhooks";
const SECRET: &str = "webhooks.secret";
const NEXT_SECRET: &str = "webhooks.next_secret";

columns! {
    /// The columns of a webhook.
    webhook_columns => struct Columns { id, tenant_id, mode, body, secret, next_secret }
}
pub(crate) use webhook_columns;
const COLUMNS: Columns = Columns::after(0);

macro_rules! select {
    ($rest:literal) => {
        concat!("SELECT ", webhook_columns!(""), " FROM webhooks", $rest)
    };
}

statements! {
    PUT = "INSERT INTO webhooks (id, tenant_id, mode, body, secret, next_secret) VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
           ON CONFLICT (id) DO UPDATE SET body = excluded.body, secret = excluded.secret, \
           next_secret = excluded.next_secret";
    FIND = select!(" WHERE id = ?1 AND tenant_id = ?2 AND mode = ?3");
    FIND_LOCKED = select!(" WHERE id = ?1 AND tenant_id = ?2 AND mode = ?3 /*lock*/");
    /// A shared lock: deleting or disabling a webhook waits for units that schedule deliveries to it, and the other way
    /// round.
    OF_OWNER = select!(" WHERE tenant_id = ?1 AND mode = ?2 ORDER BY id /*share*/");
    COUNT = "SELECT COUNT(*) FROM webhooks WHERE tenant_id = ?1 AND mode = ?2";
    DELETE = "DELETE FROM webhooks WHERE id = ?1";
}

pub(crate) static WEBHOOKS: List = List {
    name: "webhooks",
    select: select!(""),
    id: "id",
    position: COLUMNS.id,
    always: &["tenant_id = ?", "mode = ?"],
    filters: &[],
};

/// A webhook's row before its secrets are opened.
pub(crate) struct StoredWebhook {
    pub(crate) id: String,
    pub(crate) owner: Owner,
    pub(crate) body: Vec<u8>,
    pub(crate) secret: Vec<u8>,
    pub(crate) next_secret: Option<Vec<u8>>,
}

fn read(row: &Row<'_>) -> Result<StoredWebhook, StoreError> {
    StoredWebhook::read(row, COLUMNS)
}

impl StoredWebhook {
    /// Reads a webhook from its columns.
    pub(crate) fn read(row: &Row<'_>, columns: Columns) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.text(columns.id)?,
            owner: owner(TABLE, row, columns.tenant_id, columns.mode)?,
            body: row.bytes(columns.body)?,
            secret: row.bytes(columns.secret)?,
            next_secret: row.opt_bytes(columns.next_secret)?,
        })
    }

    pub(crate) fn open(self, reader: &Reader<'_>) -> Result<Webhook, StoreError> {
        let key = reader.keys.tree.key(Label::Seal);
        let open = |table, sealed: &[u8]| {
            let clear = key.open(Location { table, id: &self.id }, sealed)?;
            let text = std::str::from_utf8(&clear).map_err(|_| StoreError::Unsealable { table })?;
            Ok::<_, StoreError>(Sensitive::new(text))
        };
        Ok(Webhook {
            owner: self.owner.clone(),
            registration: decode(TABLE, &self.body)?,
            secret: open(SECRET, &self.secret)?,
            next_secret: self.next_secret.as_deref().map(|sealed| open(NEXT_SECRET, sealed)).transpose()?,
        })
    }
}

resource! {
    /// Webhook registrations.
    Webhooks, webhooks
}

impl Webhooks<'_, Reader<'_>> {
    /// Returns an owner's webhook.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, owner: &Owner, id: &WebhookId) -> Result<Option<Webhook>, StoreError> {
        let owned = params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()];
        self.session().find(&FIND, owned, read)?.map(|stored| stored.open(self.0)).transpose()
    }
}

impl<'c, S: ReadSession<'c>> Webhooks<'_, S> {
    /// Returns an owner's webhooks, newest first.
    ///
    /// # Errors
    ///
    /// [`StoreError::BadCursor`] for a cursor of another list; [`StoreError`] if the database cannot be read.
    pub fn list(&mut self, owner: &Owner, request: &PageRequest) -> Result<Page<Webhook>, StoreError> {
        let query = ListQuery {
            owner,
            always: &[],
            filters: &[],
            created: Created::default(),
            prefix: WebhookId::PREFIX,
            request,
        };
        self.0.reader().page(&WEBHOOKS, &query, read, |reader, stored| stored.open(reader))
    }

    /// Returns the number of an owner's webhooks.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn count(&mut self, owner: &Owner) -> Result<u64, StoreError> {
        let owned = params![owner.tenant.as_str(), owner.mode.as_str()];
        Ok(self.session().find(&COUNT, owned, |row| count(TABLE, row.int(0)?))?.unwrap_or_default())
    }
}

impl Webhooks<'_, Tx<'_>> {
    /// Returns all of an owner's webhooks, to match an event with. They stay locked against changes until the commit.
    pub(crate) fn all_of(&mut self, owner: &Owner) -> Result<Vec<Webhook>, StoreError> {
        let owned = params![owner.tenant.as_str(), owner.mode.as_str()];
        let stored = self.session().query(&OF_OWNER, owned, read)?;
        stored.into_iter().map(|stored| stored.open(self.0)).collect()
    }

    /// Returns and locks an owner's webhook.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, owner: &Owner, id: &WebhookId) -> Result<Option<Webhook>, StoreError> {
        let owned = params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()];
        self.session().find(&FIND_LOCKED, owned, read)?.map(|stored| stored.open(self.0)).transpose()
    }

    pub(crate) fn put(&mut self, webhook: &Webhook) -> Result<(), StoreError> {
        let Webhook { owner, registration, secret, next_secret } = webhook;
        let id = registration.id.as_str();
        let body = encode(TABLE, registration)?;
        let key = self.0.keys.tree.key(Label::Seal);
        let seal = |table, secret: &Sensitive| key.seal(Location { table, id }, secret.expose().as_bytes());
        let sealed = seal(SECRET, secret)?;
        let sealed_next = next_secret.as_ref().map(|secret| seal(NEXT_SECRET, secret)).transpose()?;
        self.session().execute_later(
            &PUT,
            params![
                id,
                owner.tenant.as_str(),
                owner.mode.as_str(),
                body.as_slice(),
                &sealed,
                sealed_next.as_ref(),
            ],
        )
    }

    pub(crate) fn delete(&mut self, id: &WebhookId, now: Wall) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE, params![id.as_str()])?;
        self.0.idempotency_keys().delete_about(id.as_str())?;
        self.0.deliveries().cancel_of_webhook(id)?;
        // Claims delete the breaker after they have handled everything that was parked.
        self.0.breakers().close(id, now)
    }
}
