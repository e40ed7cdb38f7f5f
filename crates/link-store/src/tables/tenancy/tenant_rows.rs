//! All that is stored of a tenant, for its erasure.

use link_domain::change::Deletion;
use link_domain::change::job::JobQueue;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::scope::ErasureScope;
use link_domain::tenancy::tenant::erasure::TenantData;
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
const LAST: [(&str, &str); 42] = [
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

    /// Tables whose rows are erased with an object, and those whose rows are kept.
    const OTHERS: [&str; 14] = [
        "accounts",
        "archives",
        "audit_chains",
        "audit_events",
        "audit_outbox",
        "billing_events",
        "console_identities",
        "console_members",
        "console_passkeys",
        "console_sessions",
        "forms",
        "invites",
        "jobs",
        "records",
    ];

    #[rstest]
    #[tokio::test]
    async fn every_table_of_tenants_is_erased_or_kept_on_purpose(
        #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
    ) {
        let database = TestDatabase::new(backend);
        let store = database.open().await;
        let tables = store.read(|reader| tables_of_tenants(&mut reader.session)).await.unwrap();
        let known: BTreeSet<&str> = LAST
            .iter()
            .map(|(table, _)| *table)
            .chain(OTHERS)
            .chain(["signals", "users", "webhooks"])
            .collect();
        let unknown: Vec<_> = tables.iter().filter(|it| !known.contains(it.as_str())).collect();
        assert!(unknown.is_empty() && !tables.is_empty(), "{unknown:?}");
    }
}
