//! Members of tenants. E-mail address and name are sealed with the member's own key; a keyed hash of the address keeps it
//! unique within the tenant.

use hmac::{Hmac, KeyInit, Mac};
use link_domain::console::member::Member;
use link_domain::kernel::clock::{Now, Wall};
use link_types::Sensitive;
use link_types::console::Role;
use link_types::id::{MemberId, TenantId};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::body::encode;
use crate::keys::{Label, Location};
use crate::reader::{ReadSession, parse};
use crate::sql::{ColumnList, Row, columns, params, statements};
use crate::tables::kernel::scope_keys::{KeyColumns, key_columns};
use crate::tables::kernel::sealed::Sealed;
use crate::tables::resource::resource;
use crate::{Reader, StoreError, Tx};

const TABLE: &str = "console_members";

columns! {
    /// The columns of a member.
    member_columns => struct Columns { id, tenant_id, role, created_at, body }
}
const COLUMNS: Columns = Columns::after(0);
const KEY: KeyColumns = KeyColumns::after(Columns::COUNT);

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT ",
            member_columns!("m."),
            ", ",
            key_columns!("k."),
            " FROM console_members m LEFT JOIN scope_keys k ON k.scope_id = m.id",
            $rest
        )
    };
}

statements! {
    PUT = "INSERT INTO console_members (id, tenant_id, role, created_at, email_hash, body) \
           VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (id) DO UPDATE SET role = excluded.role, \
           email_hash = excluded.email_hash, body = excluded.body";
    FIND = select!(" WHERE m.id = ?1");
    OF_TENANT = select!(" WHERE m.tenant_id = ?1 ORDER BY m.id");
    DELETE = "DELETE FROM console_members WHERE id = ?1";
    DELETE_ADDRESS = "DELETE FROM console_addresses WHERE member_id = ?1";
    DELETE_SESSIONS = "DELETE FROM console_sessions WHERE member_id = ?1";
}

/// The sealed part of a member.
#[derive(Serialize)]
struct Body<'a> {
    email: &'a str,
    name: &'a str,
}

#[derive(Deserialize)]
struct OpenedBody {
    email: Sensitive,
    name: Sensitive,
}

/// A member's row before its body is opened.
struct Stored {
    id: MemberId,
    tenant: TenantId,
    role: Role,
    created_at: Wall,
    body: Sealed,
}

fn read(row: &Row<'_>) -> Result<Stored, StoreError> {
    Ok(Stored {
        id: parse(TABLE, row.str(COLUMNS.id)?)?,
        tenant: parse(TABLE, row.str(COLUMNS.tenant_id)?)?,
        role: parse(TABLE, row.str(COLUMNS.role)?)?,
        created_at: Wall::from_micros(row.int(COLUMNS.created_at)?),
        body: Sealed::read(row, COLUMNS.body, KEY)?,
    })
}

impl Stored {
    fn open(self, reader: &mut Reader<'_>) -> Result<Member, StoreError> {
        let body: OpenedBody = self.body.open(reader, Location { table: TABLE, id: self.id.as_str() })?;
        Ok(Member {
            id: self.id,
            tenant: self.tenant,
            email: body.email,
            name: body.name,
            role: self.role,
            created_at: self.created_at,
        })
    }
}

resource! {
    /// Members of tenants.
    ConsoleMembers, console_members
}

impl<'c, S: ReadSession<'c>> ConsoleMembers<'_, S> {
    /// Returns a member.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, id: &MemberId) -> Result<Option<Member>, StoreError> {
        let found = self.session().find(&FIND, params![id.as_str()], read)?;
        found.map(|stored| stored.open(self.0.reader())).transpose()
    }

    /// Returns the members of a tenant, oldest first. Their number is limited. A unit that decides by them locks the tenant
    /// first.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn list(&mut self, tenant: &TenantId) -> Result<Vec<Member>, StoreError> {
        let found = self.session().query(&OF_TENANT, params![tenant.as_str()], read)?;
        found.into_iter().map(|stored| stored.open(self.0.reader())).collect()
    }
}

impl ConsoleMembers<'_, Tx<'_>> {
    pub(crate) fn put(&mut self, member: &Member, now: Wall) -> Result<(), StoreError> {
        let Member { id, tenant, email, name, role, created_at } = member;
        let key = self.0.renewed_scope_key(id.as_str(), now)?;
        let clear = encode(TABLE, &Body { email: email.expose(), name: name.expose() })?;
        let body = key.seal(Location { table: TABLE, id: id.as_str() }, &clear)?;
        let hash = self.email_hash(tenant, email);
        self.session()
            .execute(
                &PUT,
                params![id.as_str(), tenant.as_str(), role.as_str(), created_at.micros(), &hash, &body,],
            )
            .map(drop)
    }

    /// Deletes a member with everything that is theirs, and destroys their key.
    pub(crate) fn delete(&mut self, id: &MemberId, now: Now) -> Result<(), StoreError> {
        for sql in [&DELETE_SESSIONS, &DELETE_ADDRESS, &DELETE] {
            self.session().execute(sql, params![id.as_str()])?;
        }
        self.0.scopes().destroy(id.as_str(), now.wall().micros())
    }

    /// Hashes an e-mail address. Without the master key, the hash does not reveal the address.
    fn email_hash(&mut self, tenant: &TenantId, email: &Sensitive) -> String {
        // HMAC accepts keys of any length, so this cannot fail.
        let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(
            self.0.reader().keys.tree.key(Label::Lookup).as_bytes(),
        )
        .unwrap_or_else(|_| <Hmac<Sha256> as KeyInit>::new(&Default::default()));
        for part in ["member email", tenant.as_str(), email.expose()] {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part.as_bytes());
        }
        base16ct::lower::encode_string(&mac.finalize().into_bytes())
    }
}
