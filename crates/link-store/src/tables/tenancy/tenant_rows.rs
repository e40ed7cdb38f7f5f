//! All that is stored of a tenant, for its erasure.

use link_domain::change::Deletion;
use link_domain::change::job::JobQueue;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::scope::ErasureScope;
use link_domain::use_cases::TenantData;
use link_types::Mode;
use link_types::id::TenantId;

use super::tenants::Tenants;
use crate::reader::parse;
use crate::sql::{Sql, params, statements};
use crate::tables::lane::lanes_of;
use crate::tables::owner;
use crate::{StoreError, Tx};

const TABLE: &str = "tenants";

statements! {
    USERS = "SELECT id, tenant_id, mode FROM users WHERE tenant_id = ?1 ORDER BY mode, id LIMIT 1";
    ACCOUNTS = "SELECT id, tenant_id, mode FROM accounts WHERE tenant_id = ?1 LIMIT ?2";
    ARCHIVES = "SELECT id, tenant_id, mode FROM archives WHERE tenant_id = ?1 LIMIT ?2";
    INVITES = "SELECT id, tenant_id, mode FROM invites WHERE tenant_id = ?1 LIMIT ?2";
    FORMS = "SELECT id, tenant_id, mode FROM forms WHERE tenant_id = ?1 LIMIT ?2";
    RECORDS = "SELECT id, tenant_id, mode FROM records WHERE tenant_id = ?1 LIMIT ?2";
    SIGNALS = "SELECT id, tenant_id, mode FROM signals WHERE tenant_id = ?1 LIMIT ?2";
    MEMBERS = "SELECT id FROM console_members WHERE tenant_id = ?1 LIMIT ?2";
    WEBHOOKS = "SELECT id FROM webhooks WHERE tenant_id = ?1 LIMIT ?2";
    /// Jobs that erase the rest of a user's data, and those that end accesses at providers.
    CLEANUPS = "SELECT key FROM jobs WHERE queue = ?1 AND lane = ?2 \
                AND (key LIKE 'erase-user/%' OR key LIKE 'withdraw/%') LIMIT 1";
}

/// The tables whose rows are deleted last, and the condition of a tenant's rows. Rows that others refer to come after them.
/// Other tables have no row of a tenant, or their rows belong to an object that is erased before, or they are kept: the audit
/// log and the bill.
const LAST: [(&str, &str); 43] = [
    ("delivery_attempts", "delivery_id IN (SELECT d.id FROM deliveries d WHERE d.tenant_id = ?1)"),
    ("deliveries", OF_TENANT),
    ("webhook_breakers", OF_TENANT),
    ("events", OF_TENANT),
    ("idempotency_keys", OF_TENANT),
    ("data_points", OF_TENANT),
    ("exports", OF_TENANT),
    ("account_links", OF_TENANT),
    ("withdrawals", OF_TENANT),
    ("tasks", OF_TENANT),
    ("given_data", OF_TENANT),
    ("visits", OF_TENANT),
    ("hosted_link_accounts", "hosted_link_id IN (SELECT h.id FROM hosted_links h WHERE h.tenant_id = ?1)"),
    ("hosted_links", OF_TENANT),
    ("link_tokens", OF_TENANT),
    ("link_sessions", OF_TENANT),
    ("link_handoffs", OF_TENANT),
    ("link_attempts", OF_TENANT),
    ("login_tries", OF_TENANT),
    ("guess_counts", OF_TENANT),
    ("quota_uses", OF_TENANT),
    ("upload_uses", OF_TENANT),
    ("ui_openings", OF_TENANT),
    ("ui_events", OF_TENANT),
    ("ui_traps", OF_TENANT),
    ("surveys", OF_TENANT),
    ("funnel_days", OF_TENANT),
    ("logos", "template_id IN (SELECT t.id FROM link_templates t WHERE t.tenant_id = ?1)"),
    ("link_site_versions", OF_TENANT),
    ("link_sites", OF_TENANT),
    ("link_site_hosts", OF_TENANT),
    ("invited_rows", OF_TENANT),
    ("template_versions", OF_TENANT),
    ("invite_templates", OF_TENANT),
    ("link_templates", OF_TENANT),
    ("consent_templates", OF_TENANT),
    ("scenarios", OF_TENANT),
    ("mail_allowances", OF_TENANT),
    ("clock_advances", OF_TENANT),
    ("api_keys", OF_TENANT),
    ("identity_providers", OF_TENANT),
    ("sign_on_domains", OF_TENANT),
    ("console_departures", OF_TENANT),
];
const OF_TENANT: &str = "tenant_id = ?1";

/// The tables whose rows are erased with an object, or kept, and the condition of a tenant's rows. With [`LAST`], these are all
/// rows of a tenant.
const OTHERS: [(&str, &str); 23] = [
    ("tenants", "id = ?1"),
    ("users", OF_TENANT),
    ("accounts", OF_TENANT),
    ("archives", OF_TENANT),
    ("invites", OF_TENANT),
    ("forms", OF_TENANT),
    ("records", OF_TENANT),
    ("signals", OF_TENANT),
    ("webhooks", OF_TENANT),
    ("console_members", OF_TENANT),
    ("console_identities", OF_TENANT),
    ("console_passkeys", OF_TENANT),
    ("console_sessions", OF_TENANT),
    ("audit_chains", OF_TENANT),
    ("audit_events", OF_TENANT),
    ("audit_outbox", OF_TENANT),
    ("billing_events", OF_TENANT),
    ("jobs", OF_TENANT),
    ("console_addresses", "member_id IN (SELECT m.id FROM console_members m WHERE m.tenant_id = ?1)"),
    ("provider_files", "account_id IN (SELECT a.id FROM accounts a WHERE a.tenant_id = ?1)"),
    ("invite_accounts", "invite_id IN (SELECT i.id FROM invites i WHERE i.tenant_id = ?1)"),
    ("uploaded_files", OF_HOLDER),
    ("file_segments", OF_HOLDER),
];
const OF_HOLDER: &str = "holder_id IN (SELECT a.id FROM archives a WHERE a.tenant_id = ?1 \
                         UNION ALL SELECT f.id FROM forms f WHERE f.tenant_id = ?1)";

/// The tables about scopes of all tenants: their keys, and which were erased.
const SCOPES: [&str; 3] = ["scopes", "scope_keys", "erasures"];
/// The scopes that something of a tenant names, also erased ones.
const OF_SCOPE: &str = "scope_id IN (SELECT o.id FROM users o WHERE o.tenant_id = ?1 \
    UNION SELECT o.id FROM accounts o WHERE o.tenant_id = ?1 \
    UNION SELECT o.id FROM archives o WHERE o.tenant_id = ?1 \
    UNION SELECT o.id FROM invites o WHERE o.tenant_id = ?1 \
    UNION SELECT o.id FROM forms o WHERE o.tenant_id = ?1 \
    UNION SELECT o.id FROM records o WHERE o.tenant_id = ?1 \
    UNION SELECT o.id FROM signals o WHERE o.tenant_id = ?1 \
    UNION SELECT o.id FROM console_members o WHERE o.tenant_id = ?1 \
    UNION SELECT o.scope_id FROM data_points o WHERE o.tenant_id = ?1 \
    UNION SELECT o.scope_id FROM events o WHERE o.tenant_id = ?1 AND o.scope_id IS NOT NULL \
    UNION SELECT o.scope_id FROM idempotency_keys o WHERE o.tenant_id = ?1 AND o.scope_id IS NOT NULL \
    UNION SELECT o.subject FROM billing_events o WHERE o.tenant_id = ?1 \
    UNION SELECT 'withdrawal-' || o.account_id || '-' || CAST(o.number AS TEXT) FROM withdrawals o \
    WHERE o.tenant_id = ?1)";

/// The rows of the service that a moved tenant needs: people who want no mail from it.
pub(crate) const SUPPRESSIONS: &str = "mail_suppressions";

/// The tables whose rows a tenant leaves behind: they belong to browsers at the portal's address.
const LEFT_BEHIND: [&str; 4] =
    ["console_sessions", "console_passkeys", "console_addresses", "console_departures"];

/// Returns the condition, with `?1` for the tenant's id, of the rows of a table that move to another installation with the tenant.
/// `None` if none do.
pub(crate) fn condition_of_moved(table: &str) -> Option<&'static str> {
    if LEFT_BEHIND.contains(&table) {
        return None;
    }
    if SCOPES.contains(&table) {
        return Some(OF_SCOPE);
    }
    if table == SUPPRESSIONS {
        return Some("?1 = ?1");
    }
    LAST.iter().chain(&OTHERS).find(|(name, _)| *name == table).map(|(_, condition)| *condition)
}

/// Jobs of the tenant, except for the one that erases it and those that delete objects outside the database: these look again
/// for objects of interrupted writes for 10 minutes.
const JOBS: &str = "tenant_id = ?1 AND key NOT LIKE 'erase-tenant/%' AND key NOT LIKE 'delete-orphans/%' \
                    AND key NOT LIKE 'forget/%'";

impl Tenants<'_, Tx<'_>> {
    /// Returns and locks data of a tenant that must be erased, at most about `at_most` objects.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn data(&mut self, tenant: &TenantId, at_most: usize) -> Result<TenantData, StoreError> {
        let found = self.session().query(&USERS, params![tenant.as_str()], |row| {
            Ok((owner(TABLE, row, 1, 2)?, parse(TABLE, row.str(0)?)?))
        })?;
        if let Some((owner, user)) = found.into_iter().next() {
            let data = self.0.users().data(&owner, &user, at_most)?;
            return Ok(TenantData::User { owner, user, data });
        }
        let (mut scopes, mut deletions) = (Vec::new(), Vec::new());
        let values = params![tenant.as_str(), at_most as i64];
        macro_rules! scopes {
            ($sql:ident, $scope:path) => {
                let found = self.session().query(&$sql, values, |row| {
                    Ok((owner(TABLE, row, 1, 2)?, $scope(parse(TABLE, row.str(0)?)?)))
                })?;
                scopes.extend(found);
            };
        }
        scopes!(ACCOUNTS, ErasureScope::Account);
        scopes!(ARCHIVES, ErasureScope::Archive);
        scopes!(INVITES, ErasureScope::Invite);
        scopes!(FORMS, ErasureScope::Form);
        scopes!(RECORDS, ErasureScope::Record);
        scopes!(SIGNALS, ErasureScope::Signal);
        let members = self.session().query(&MEMBERS, values, |row| parse(TABLE, row.str(0)?))?;
        deletions.extend(members.into_iter().map(Deletion::Member));
        let webhooks = self.session().query(&WEBHOOKS, values, |row| parse(TABLE, row.str(0)?))?;
        deletions.extend(webhooks.into_iter().map(Deletion::Webhook));
        if !(scopes.is_empty() && deletions.is_empty()) {
            return Ok(TenantData::Objects { scopes, deletions });
        }
        for mode in [Mode::Sandbox, Mode::Production] {
            let (lane, _) = lanes_of(&Owner { tenant: tenant.clone(), mode });
            for queue in [JobQueue::Maintenance, JobQueue::Withdrawals] {
                let values = params![queue.as_str(), &lane];
                if !self.session().query(&CLEANUPS, values, |row| row.text(0))?.is_empty() {
                    return Ok(TenantData::Cleanups);
                }
            }
        }
        Ok(TenantData::Rows)
    }

    /// Deletes rows of a tenant whose objects are erased, at most `at_most`. Returns whether there may be more.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_rows(&mut self, tenant: &TenantId, at_most: u64) -> Result<bool, StoreError> {
        self.0.changes_callers = true;
        let place = if self.session().is_postgres() { "ctid" } else { "rowid" };
        let mut room = at_most;
        for (table, condition) in LAST.into_iter().chain([("jobs", JOBS)]) {
            let delete = format!(
                "DELETE FROM {table} WHERE {place} IN (SELECT {place} FROM {table} WHERE {condition} LIMIT ?2)"
            );
            let sql = Sql::compose("tenant_rows::DELETE", delete);
            room -= self.session().execute(&sql, params![tenant.as_str(), room as i64])?;
            if room == 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rstest::rstest;

    use super::*;
    use crate::test_support::tenants::tables_of_tenants;
    use crate::test_support::{Backend, TestDatabase};

    /// Tables without a row of a tenant: those of the service, of mailboxes and of programs that wait for a key.
    const OF_NO_TENANT: [&str; 8] = [
        "console_challenges",
        "key_requests",
        "mail_counts",
        "mail_suppressions",
        "master_keys",
        "page_links",
        "page_sessions",
        "retention_clock",
    ];

    #[test]
    fn every_table_has_a_condition_or_no_row_of_a_tenant() {
        let conditions = LAST.iter().chain(&OTHERS).map(|(table, _)| *table);
        let known: BTreeSet<&str> = conditions.chain(SCOPES).chain(OF_NO_TENANT).collect();
        let declared = crate::backup::tables_of_schema().unwrap();
        let declared: BTreeSet<&str> = declared.iter().map(String::as_str).collect();
        assert_eq!(declared, known);
    }

    #[rstest]
    #[tokio::test]
    async fn every_table_of_tenants_is_erased_or_kept_on_purpose(
        #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
    ) {
        let database = TestDatabase::new(backend);
        let store = database.open().await;
        let tables = store.read(|reader| tables_of_tenants(&mut reader.session)).await.unwrap();
        let known: BTreeSet<&str> = LAST.iter().chain(&OTHERS).map(|(table, _)| *table).collect();
        let unknown: Vec<_> = tables.iter().filter(|it| !known.contains(it.as_str())).collect();
        assert!(unknown.is_empty() && !tables.is_empty(), "{unknown:?}");
    }
}
