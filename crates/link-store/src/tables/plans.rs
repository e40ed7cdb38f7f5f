//! Tests the query plans of every list on both databases: an index must serve the filter, in the list's order.

use super::list::List;
use super::registry::fixed_statements;
use rstest::rstest;

use crate::Store;
use crate::sql::{Session, Sql, params};
use crate::test_support::lists::{AnyList, column};
use crate::test_support::{Backend, TestDatabase};

/// Enough rows that PostgreSQL prefers an index over a full scan.
const ROWS: u64 = 3_000;

/// Returns a statement's query plan for any parameters, line by line. `number` names it on PostgreSQL.
fn plan(session: &mut Session<'_>, sql: &Sql, number: usize) -> Vec<String> {
    let parameters = (1..).take_while(|number| sql.text.contains(&format!("?{number}"))).count();
    if let Session::Sqlite(connection) = session {
        let mut ask = connection.prepare(&format!("EXPLAIN QUERY PLAN {}", sql.text)).unwrap();
        let lines = ask.query_map(rusqlite::params_from_iter(vec!["v3"; parameters]), |row| row.get(3));
        return lines.unwrap().map(Result::unwrap).collect();
    }
    let text = crate::sql::statement::render_postgres(&sql.text);
    session.script(&format!("PREPARE plan_{number} AS {text}")).unwrap();
    let values = match parameters {
        0 => String::new(),
        count => format!("({})", vec!["NULL"; count].join(", ")),
    };
    let ask = Sql::compose("explain", format!("EXPLAIN EXECUTE plan_{number}{values}"));
    session.query(&ask, params![], |row| row.text(0)).unwrap()
}

/// Returns what is wrong with a page's plan, if anything. `definition` returns an index's own statement.
fn fault(
    list: &List,
    filter: Option<&'static str>,
    plan: &[String],
    mut definition: impl FnMut(&str) -> String,
) -> Option<String> {
    let table = plan.iter().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let using = words.iter().position(|word| *word == "using" || *word == "INDEX")?;
        Some(words[using + 1].to_owned())
    });
    let Some(index) = table else {
        return Some("no index is used".to_owned());
    };
    let definition = definition(&index);
    let is_unique = definition.contains("UNIQUE");
    let conditions: Vec<&String> =
        plan.iter().filter(|line| line.contains("SEARCH") || line.contains("Index Cond")).take(1).collect();
    let [condition] = conditions.as_slice() else {
        return Some(format!("all of {index} is read"));
    };
    let sorts = plan.iter().any(|line| line.contains("TEMP B-TREE") || line.contains("Sort"));
    if sorts && !is_unique {
        return Some(format!("{index} is not in the list's order"));
    }
    // A range filter cannot use the order of ids. The list's own index can, until the page is full.
    let wanted = filter.filter(|filter| filter.ends_with(" = ?"));
    let served = wanted.into_iter().chain(list.always.iter().copied());
    for each in served.filter(|each| each.contains('?')) {
        let named = condition.contains(&format!("{}=?", column(each)))
            || condition.contains(column(each))
            || (each.contains('(') && condition.contains("<expr>=?"));
        if !named {
            return Some(format!("{index} does not serve {each}"));
        }
    }
    let fixed = list.always.iter().filter(|each| !each.contains('?'));
    fixed.map(|each| each.rsplit('.').next().unwrap_or(each)).find_map(|each| {
        let held = definition.replace(['(', ')'], "").contains(each);
        (!held).then(|| format!("{index} holds what is not {each}"))
    })
}

fn definition(session: &mut Session<'_>, index: &str) -> String {
    let text = match session.is_postgres() {
        false => "SELECT sql FROM sqlite_schema WHERE name = ?1",
        true => "SELECT indexdef::text FROM pg_indexes WHERE indexname = ?1",
    };
    let found =
        session.find(&Sql::compose("definition", text.to_owned()), params![index], |row| row.opt_text(0));
    found.unwrap().flatten().unwrap_or_default()
}

async fn faults(store: &Store) -> Vec<String> {
    for list in AnyList::all() {
        list.fill(store, 0..ROWS).await.unwrap();
        // Give most rows to other tenants. Otherwise an index without the owner would do as well.
        let table = list.table();
        let spread = format!(
            "UPDATE {table} SET tenant_id = 'other-' || substr(id, 13, 2) WHERE substr(id, 13, 2) <> '00'"
        );
        let spread: Result<(), crate::StoreError> = store.write(move |tx| tx.session.script(&spread)).await;
        spread.unwrap();
    }
    let found: Result<_, crate::StoreError> = store
        .read(|reader| {
            let session = &mut reader.session;
            if session.is_postgres() {
                // A plan for any parameters.
                session.script("ANALYZE; SET plan_cache_mode = force_generic_plan")?;
            }
            let mut faults = Vec::new();
            for (number, list) in AnyList::all().enumerate() {
                let list = list.list();
                for index in 0..=list.filters.len() {
                    for after in [false, true] {
                        let mut in_use = vec![false; list.filters.len()];
                        let filter = list.filters.get(index).copied();
                        if let Some(used) = in_use.get_mut(index) {
                            *used = true;
                        }
                        let sql = list.sql(&in_use, [after, false, false]);
                        let lines = plan(session, &sql, number * 100 + index * 2 + usize::from(after));
                        if let Some(fault) = fault(list, filter, &lines, |index| definition(session, index)) {
                            faults.push(format!(
                                "{} by {filter:?}: {fault}\n    {}",
                                list.name,
                                lines.join("\n    ")
                            ));
                        }
                    }
                }
            }
            Ok(faults)
        })
        .await;
    found.unwrap()
}

#[rstest]
#[tokio::test]
async fn every_list_filter_uses_an_index_in_list_order(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let database = TestDatabase::new(backend);
    let faults = faults(&database.open().await).await;
    assert!(faults.is_empty(), "{backend:?}:\n{}", faults.join("\n"));
}

/// Names that statements may read completely: tables and indexes with few rows, and subqueries.
const FEW: [&str; 40] = [
    "api_keys",
    // With a limit: the first event of a tenant.
    "audit_events_chain",
    "audit_outbox",
    "sqlite_autoindex_audit_chains_1",
    "clock_advances",
    "consent_templates",
    "console_members_tenant",
    // Rows that end with the provider of a tenant: people on their way, identities of members, and sessions.
    "console_departures_tenant",
    "console_identities_tenant",
    "console_sessions_tenant",
    // One provider and 10 domains of a tenant.
    "identity_providers",
    "sign_on_domains",
    // At most 1,000 rows, for metrics.
    "counted",
    "due",
    "ended",
    "hooks",
    "invite_templates",
    "jobs_lease",
    "l",
    "lanes",
    "link_sites",
    // 10 of each tenant. Each process reads all that are proven at most once in 30 seconds.
    "link_site_hosts",
    "link_templates",
    "link_templates_owner",
    // At most 10,000 rows.
    "sqlite_autoindex_key_requests_1",
    "mail_allowances",
    "mail_suppressions",
    // One row for each rotation.
    "master_keys",
    "parked",
    "pending",
    "q",
    "queues",
    "scenarios",
    // One row for each migration.
    "schema_versions",
    "tenants",
    "tenants_advanced",
    "tenants_stopped",
    "waiting",
    // Webhooks that fail.
    "webhook_breakers",
    "webhooks_owner",
];

/// Returns whether a line of SQLite's plan reads all rows of a table, or all that an owner has in it.
fn reads_many(line: &str) -> bool {
    let bounds = line.rsplit_once('(').map_or("", |(_, bounds)| bounds);
    // A condition on the kind of the rows leaves nearly as many.
    let of_owner = ["tenant_id=?", "mode=?", "kind=?"];
    let by_owner = bounds.split(" AND ").all(|it| of_owner.iter().any(|column| it.starts_with(column)));
    let reads_all = line.starts_with("SCAN") || (line.starts_with("SEARCH") && by_owner);
    let table = line.split_whitespace().nth(1);
    let index = line.split_once(" INDEX ").and_then(|(_, rest)| rest.split_whitespace().next());
    let has_few = [table, index].into_iter().flatten().any(|name| FEW.contains(&name));
    reads_all && !has_few && !line.contains("CONSTANT ROW")
}

#[tokio::test]
async fn only_statements_about_few_rows_read_all_of_them() {
    let database = TestDatabase::new(Backend::Sqlite);
    let store = database.open().await;
    let found: Result<Vec<String>, crate::StoreError> = store
        .read(|reader| {
            // The erasure of a tenant reads all that the tenant has, a little at a time.
            let is_of_many = |sql: &Sql| !sql.name.contains("tenancy::tenant_rows::");
            let found = fixed_statements().into_iter().filter(is_of_many).flat_map(|sql| {
                let lines = plan(&mut reader.session, &sql, 0).into_iter().filter(|line| reads_many(line));
                lines.map(|line| format!("{}: {line}", sql.name)).collect::<Vec<_>>()
            });
            Ok(found.collect())
        })
        .await;
    assert_eq!(found.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn claim_changes_no_index_on_postgresql() {
    let database = TestDatabase::new(Backend::Postgres);
    let store = database.open().await;
    let list = AnyList::all().find(|it| it.list().name == "deliveries").unwrap();
    list.fill(&store, 0..500).await.unwrap();
    let found: Result<_, crate::StoreError> = store
        .write(|tx| {
            let claim = "UPDATE deliveries SET lease_owner = 'w', lease_until = 1, fence = fence + 1";
            tx.session.script(claim)?;
            // The versions that stayed on their page, without an entry in any index.
            let stayed = "SELECT pg_stat_get_xact_tuples_hot_updated('deliveries'::regclass)";
            tx.session.find(&Sql::compose("stayed", stayed.to_owned()), params![], |row| row.int(0))
        })
        .await;
    assert_eq!(found.unwrap(), Some(500));
}
