//! Tests that prepare every statement on both databases and compare their schemas.

use std::collections::BTreeSet;

use rstest::rstest;

use super::console::{addresses, identities, identity_providers, members, passkeys, sessions};
use super::data::{data_points, provider_files, tasks};
use super::documents::{archives, file_segments};
use super::invitations::{forms, hosted_links, invited_rows, invites, link_site_hosts, link_sites, visits};
use super::kernel::{erasure_replay, master_keys, retention_clock, scheduled_backups, scope_keys, scopes};
use super::linking::{
    account_links, accounts, exports, funnel, guess_counts, link_attempts, link_handoffs, link_sessions,
    link_tokens, login_tries, surveys, ui_events, withdrawals,
};
use super::lookups::{records, signals};
use super::notifications::delivery::{
    breakers, claims, deliveries, delivery_attempts, loads, new_deliveries, outcomes, waiting_hooks,
};
use super::notifications::{event_feed, events, mails, page_links, webhooks};
use super::person_page::{given_data, page_sessions};
use super::tenancy::{
    api_keys, audit_events, billing, clock_advances, idempotency, key_requests, logos, quota_uses, scenarios,
    template_versions, templates, tenant_rows, tenants, upload_uses, user_data, users,
};
use super::*;
use crate::sql::connection::is_read;
use crate::sql::{Session, Sql, columns, params};
use crate::test_support::{Backend, TestDatabase};
use crate::{Reader, Store, StoreError};

fn every_statement() -> Vec<Sql> {
    let lists = every_list::LISTS.into_iter().flat_map(list::List::every_sql);
    fixed_statements().into_iter().chain(lists).collect()
}

/// Returns every statement that is not composed for the filters of a list.
pub(super) fn fixed_statements() -> Vec<Sql> {
    let fixed = [
        account_links::ALL,
        accounts::ALL,
        api_keys::ALL,
        key_requests::ALL,
        archives::ALL,
        audit_events::ALL,
        backlog::ALL,
        user_data::ALL,
        billing::ALL,
        breakers::ALL,
        claims::ALL,
        clock_advances::ALL,
        addresses::ALL,
        identities::ALL,
        identity_providers::ALL,
        members::ALL,
        passkeys::ALL,
        sessions::ALL,
        data_points::ALL,
        deliveries::ALL,
        delivery_attempts::ALL,
        event_feed::ALL,
        erasure_replay::ALL,
        events::ALL,
        exports::ALL,
        file_segments::ALL,
        funnel::ALL,
        guess_counts::ALL,
        idempotency::ALL,
        jobs::ALL,
        link_attempts::ALL,
        link_handoffs::ALL,
        link_sessions::ALL,
        link_tokens::ALL,
        loads::ALL,
        login_tries::ALL,
        logos::ALL,
        mails::ALL,
        master_keys::ALL,
        new_deliveries::ALL,
        outcomes::ALL,
        probes::ALL,
        provider_files::ALL,
        quota_uses::ALL,
        records::ALL,
        retention_clock::ALL,
        scenarios::ALL,
        scheduled_backups::ALL,
        scope_keys::ALL,
        scopes::ALL,
        signals::ALL,
        surveys::ALL,
        withdrawals::ALL,
        tasks::ALL,
        given_data::ALL,
        page_links::ALL,
        page_sessions::ALL,
        forms::ALL,
        hosted_links::ALL,
        invited_rows::ALL,
        invites::ALL,
        link_site_hosts::ALL,
        link_sites::ALL,
        visits::ALL,
        waiting_hooks::ALL,
        template_versions::ALL,
        templates::ALL,
        templates::invite_templates::ALL,
        templates::consent_templates::ALL,
        templates::link_templates::ALL,
        tenant_rows::ALL,
        tenants::ALL,
        upload_uses::ALL,
        ui_events::ALL,
        users::ALL,
        webhooks::ALL,
        crate::migrations::ALL,
    ];
    let fixed = fixed.into_iter().flatten().map(|sql| (*sql).clone());
    fixed.chain(watched::every_sql()).collect()
}

/// Returns the statements for many rows, which only PostgreSQL runs.
fn batches() -> impl Iterator<Item = Sql> {
    let batches = [
        &audit_events::CHAIN_BATCH,
        &breakers::EXISTING,
        &loads::LOAD_MANY,
        &new_deliveries::FIND_ALL_BEFORE,
        &new_deliveries::INSERT_ALL,
        &outcomes::LOG,
        &outcomes::RECORD,
        &outcomes::UNBLOCK_NEXT,
        &scope_keys::FIND_KEYS,
    ];
    batches.into_iter().map(|batch| batch.many.clone())
}

/// Runs on the store's own connection.
async fn with_session<T: Send + 'static>(
    store: &Store,
    run: impl FnOnce(&mut Session<'_>) -> Result<T, StoreError> + Send + 'static,
) -> T {
    store.read(|reader: &mut Reader<'_>| run(&mut reader.session)).await.unwrap()
}

#[test]
fn statement_that_begins_with_select_writes_nothing() {
    const WRITES: [&str; 7] =
        ["INSERT ", "UPDATE ", "DELETE ", "nextval", "setval", "pg_notify", "set_config"];
    for sql in every_statement().iter().filter(|sql| is_read(sql)) {
        let found = WRITES.iter().find(|word| sql.text.contains(*word));
        assert_eq!(found, None, "{}: {}", sql.name, sql.text);
    }
}

#[rstest]
#[tokio::test]
async fn every_statement_prepares(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let database = TestDatabase::new(backend);
    let store = database.open().await;
    with_session(&store, move |session| {
        let batches = batches().filter(|_| session.is_postgres()).collect::<Vec<_>>();
        for sql in every_statement().into_iter().chain(batches) {
            let prepared = session.prepare(&sql);
            assert!(prepared.is_ok(), "{backend:?} {}: {:?}\n{}", sql.name, prepared.err(), sql.text);
        }
        Ok(())
    })
    .await;
}

#[test]
fn every_file_with_statements_is_registered() {
    // `link_store::tables::tenancy::users::FIND`: the statement is after its file.
    let registered: BTreeSet<String> =
        every_statement().iter().filter_map(|sql| sql.name.rsplit("::").nth(1).map(str::to_owned)).collect();
    let mut folders = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tables")];
    let mut found = 0;
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            if name != "registry" && std::fs::read_to_string(&path).unwrap().contains("statements! {") {
                assert!(registered.contains(&name), "{name} is not in every_statement()");
                found += 1;
            }
        }
    }
    assert!(found > 40, "{found} files");
}

columns! {
    /// A column in a catalog, as `columns` selects it from each.
    catalog_columns => struct CatalogColumns { table_name, column_name, data_type, is_required }
}
columns! {
    /// An index in a catalog, as `indexes` selects it from each.
    index_columns => struct IndexColumns { table_name, index_name }
}

/// Table, column, type, and whether it is NOT NULL.
type Column = (String, String, String, bool);

async fn columns(backend: Backend, store: &Store) -> BTreeSet<Column> {
    let text = match backend {
        Backend::Sqlite => {
            "SELECT m.name AS table_name, c.name AS column_name, c.type AS data_type, \
             c.\"notnull\" AS is_required FROM sqlite_schema m, pragma_table_info(m.name) c \
             WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'"
        }
        Backend::Postgres => {
            "SELECT table_name::text AS table_name, column_name::text AS column_name, \
             CASE data_type WHEN 'bigint' THEN 'INTEGER' WHEN 'bytea' THEN 'BLOB' WHEN 'text' THEN CASE WHEN collation_name = 'C' THEN 'TEXT' \
             ELSE 'text in a language''s order' END ELSE data_type END AS data_type, \
             CASE is_nullable WHEN 'NO' THEN 1::bigint ELSE 0::bigint END AS is_required \
             FROM information_schema.columns WHERE table_schema = 'public'"
        }
    };
    let text = format!("SELECT {} FROM ({text}) c", catalog_columns!("c."));
    let at = CatalogColumns::after(0);
    with_session(store, move |session| {
        session.query(&Sql::compose("columns", text), params![], |row| {
            let (table, column) = (row.text(at.table_name)?, row.text(at.column_name)?);
            Ok((table, column, row.text(at.data_type)?, row.flag(at.is_required)?))
        })
    })
    .await
    .into_iter()
    // One statement creates this table in both, and SQLite keeps the words of its types.
    .filter(|(table, ..)| table != "schema_versions")
    // A primary key of one BIGINT is NOT NULL on both, but only PostgreSQL's catalog says so.
    .filter(|(table, column, _, _)| (table.as_str(), column.as_str()) != ("retention_clock", "slot"))
    .filter(|(table, column, _, _)| (table.as_str(), column.as_str()) != ("scheduled_backups", "slot"))
    // SQLite overwrites erased keys in place and has no buckets.
    .filter(|(table, column, _, _)| {
        !table.ends_with("_buckets") && !table.starts_with("key_buckets_") && column != "bucket"
    })
    .collect()
}

async fn indexes(backend: Backend, store: &Store) -> BTreeSet<(String, String)> {
    let text = match backend {
        Backend::Sqlite => {
            "SELECT tbl_name AS table_name, name AS index_name FROM sqlite_schema \
             WHERE type = 'index' AND sql IS NOT NULL"
        }
        Backend::Postgres => {
            "SELECT tablename::text AS table_name, indexname::text AS index_name FROM pg_indexes \
             WHERE schemaname = 'public' AND indexname NOT LIKE '%\\_pkey'"
        }
    };
    let text = format!("SELECT {} FROM ({text}) i", index_columns!("i."));
    let at = IndexColumns::after(0);
    with_session(store, move |session| {
        session.query(&Sql::compose("indexes", text), params![], |row| {
            Ok((row.text(at.table_name)?, row.text(at.index_name)?))
        })
    })
    .await
    .into_iter()
    .collect()
}

#[tokio::test]
async fn both_databases_have_the_same_schema() {
    let [sqlite, postgres] = Backend::ALL.map(TestDatabase::new);
    let (sqlite, postgres) = (sqlite.open().await, postgres.open().await);
    let found = columns(Backend::Sqlite, &sqlite).await;
    assert!(found.len() > 100, "the catalogue was read");
    assert_eq!(found, columns(Backend::Postgres, &postgres).await);
    let mut found = indexes(Backend::Sqlite, &sqlite).await;
    assert!(found.len() > 20, "the catalogue was read");
    // For the start on SQLite, which ends all leases. On PostgreSQL, claims must not change an index.
    assert!(found.remove(&("deliveries".to_owned(), "deliveries_lease".to_owned())));
    assert_eq!(found, indexes(Backend::Postgres, &postgres).await);
}
