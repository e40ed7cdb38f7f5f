//! The OpenID providers of tenants, whose row is sealed as a whole, and the domains whose addresses may join a tenant.

use link_domain::console::single_sign_on::{IdentityProvider, SignOnDomain};
use link_domain::kernel::clock::Wall;
use link_types::Sensitive;
use link_types::console::Role;
use link_types::id::TenantId;
use serde::{Deserialize, Serialize};

use crate::keys::Location;
use crate::reader::{ReadSession, parse};
use crate::sql::{Row, columns, params, statements};
use crate::tables::resource::resource;
use crate::{StoreError, Tx};

const TABLE: &str = "identity_providers";
const DOMAINS: &str = "sign_on_domains";

columns! {
    /// The columns of a domain.
    domain_columns => struct Columns { tenant_id, domain, token, proven_at }
}
const COLUMNS: Columns = Columns::after(0);

statements! {
    PUT = "INSERT INTO identity_providers (tenant_id, body) VALUES (?1, ?2) \
           ON CONFLICT (tenant_id) DO UPDATE SET body = excluded.body";
    FIND = "SELECT body FROM identity_providers WHERE tenant_id = ?1";
    DELETE = "DELETE FROM identity_providers WHERE tenant_id = ?1";
    DELETE_IDENTITIES = "DELETE FROM console_identities WHERE tenant_id = ?1";
    DELETE_DEPARTURES = "DELETE FROM console_departures WHERE tenant_id = ?1";
    DELETE_SESSIONS = "DELETE FROM console_sessions WHERE tenant_id = ?1 AND is_by_provider = 1";
    DELETE_OTHER_SESSIONS = "DELETE FROM console_sessions WHERE tenant_id = ?1 AND is_by_provider = 0 \
                             AND member_id IN (SELECT m.id FROM console_members m WHERE m.tenant_id = ?1 \
                             AND m.role <> 'OWNER')";
    PUT_DOMAIN = "INSERT INTO sign_on_domains (tenant_id, domain, token, proven_at) VALUES (?1, ?2, ?3, ?4) \
                  ON CONFLICT (tenant_id, domain) DO UPDATE SET proven_at = excluded.proven_at";
    DOMAINS_OF = concat!("SELECT ", domain_columns!(""), " FROM sign_on_domains WHERE tenant_id = ?1 ORDER BY domain");
    PROVEN_BY = "SELECT tenant_id FROM sign_on_domains WHERE domain = ?1 AND proven_at IS NOT NULL ORDER BY proven_at DESC LIMIT 1";
    DELETE_DOMAIN = "DELETE FROM sign_on_domains WHERE tenant_id = ?1 AND domain = ?2";
    OTHERS_WITH = "SELECT tenant_id FROM sign_on_domains WHERE domain = ?2 AND tenant_id <> ?1 ORDER BY tenant_id";
    DELETE_OF_OTHERS = "DELETE FROM sign_on_domains WHERE domain = ?2 AND tenant_id <> ?1";
}

/// The sealed part of a provider.
#[derive(Serialize)]
struct Body<'a> {
    issuer: &'a str,
    client_id: &'a str,
    client_secret: &'a str,
    role: &'static str,
    is_required: bool,
    changed_at: i64,
}

#[derive(Deserialize)]
struct OpenedBody {
    issuer: String,
    client_id: String,
    client_secret: Sensitive,
    role: String,
    is_required: bool,
    changed_at: i64,
}

fn read_domain(row: &Row<'_>) -> Result<SignOnDomain, StoreError> {
    Ok(SignOnDomain {
        tenant: parse(DOMAINS, row.str(COLUMNS.tenant_id)?)?,
        domain: row.text(COLUMNS.domain)?,
        token: row.text(COLUMNS.token)?,
        proven_at: row.opt_int(COLUMNS.proven_at)?.map(Wall::from_micros),
    })
}

resource! {
    /// The OpenID providers of tenants, with their domains.
    IdentityProviders, identity_providers
}

impl<'c, S: ReadSession<'c>> IdentityProviders<'_, S> {
    /// Returns the provider of a tenant.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, tenant: &TenantId) -> Result<Option<IdentityProvider>, StoreError> {
        let found = self.session().find(&FIND, params![tenant.as_str()], |row| row.bytes(0))?;
        let Some(sealed) = found else { return Ok(None) };
        let location = Location { table: TABLE, id: tenant.as_str() };
        let body: OpenedBody = self.0.reader().open_unscoped(location, &sealed)?;
        let role: Role = parse(TABLE, &body.role)?;
        Ok(Some(IdentityProvider {
            tenant: tenant.clone(),
            issuer: body.issuer,
            client_id: body.client_id,
            client_secret: body.client_secret,
            role,
            is_required: body.is_required,
            changed_at: Wall::from_micros(body.changed_at),
        }))
    }

    /// Returns the domains of a tenant, by name. Their number is limited.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn domains(&mut self, tenant: &TenantId) -> Result<Vec<SignOnDomain>, StoreError> {
        self.session().query(&DOMAINS_OF, params![tenant.as_str()], read_domain)
    }

    /// Returns the tenant that has proven a domain.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn find_prover(&mut self, domain: &str) -> Result<Option<TenantId>, StoreError> {
        self.session().find(&PROVEN_BY, params![domain], |row| parse(DOMAINS, row.str(0)?))
    }
}

impl IdentityProviders<'_, Tx<'_>> {
    /// Returns the other tenants that have a domain, proven or not: they lose it when this tenant proves it.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn others_with(&mut self, tenant: &TenantId, domain: &str) -> Result<Vec<TenantId>, StoreError> {
        let row = params![tenant.as_str(), domain];
        self.session().query(&OTHERS_WITH, row, |row| parse(DOMAINS, row.str(0)?))
    }

    pub(crate) fn put(&mut self, provider: &IdentityProvider) -> Result<(), StoreError> {
        let IdentityProvider { tenant, issuer, client_id, client_secret, role, is_required, changed_at } =
            provider;
        let body = Body {
            issuer,
            client_id,
            client_secret: client_secret.expose(),
            role: role.as_str(),
            is_required: *is_required,
            changed_at: changed_at.micros(),
        };
        let location = Location { table: TABLE, id: tenant.as_str() };
        let sealed = self.0.seal_unscoped(location, &body)?;
        self.session().execute_later(&PUT, params![tenant.as_str(), &sealed])
    }

    pub(crate) fn delete(&mut self, tenant: &TenantId) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE, params![tenant.as_str()])
    }

    /// Deletes the identities of a tenant, the sessions that began with its provider, and the people on their way there.
    pub(crate) fn delete_access(&mut self, tenant: &TenantId) -> Result<(), StoreError> {
        for sql in [&DELETE_IDENTITIES, &DELETE_SESSIONS, &DELETE_DEPARTURES] {
            self.session().execute_later(sql, params![tenant.as_str()])?;
        }
        Ok(())
    }

    pub(crate) fn delete_other_sessions(&mut self, tenant: &TenantId) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE_OTHER_SESSIONS, params![tenant.as_str()])
    }

    pub(crate) fn put_domain(&mut self, domain: &SignOnDomain) -> Result<(), StoreError> {
        let SignOnDomain { tenant, domain, token, proven_at } = domain;
        let row = params![tenant.as_str(), domain, token, proven_at.map(Wall::micros)];
        self.session().execute_later(&PUT_DOMAIN, row)
    }

    pub(crate) fn delete_domain(&mut self, tenant: &TenantId, domain: &str) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE_DOMAIN, params![tenant.as_str(), domain])
    }

    pub(crate) fn delete_domain_of_others(
        &mut self,
        tenant: &TenantId,
        domain: &str,
    ) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE_OF_OTHERS, params![tenant.as_str(), domain])
    }
}
