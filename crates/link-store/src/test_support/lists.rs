//! Every list of the store, filled with meaningless rows: pagination is the same regardless of the contents of the rows.
//!
//! The columns come from the database's catalog, so that a new list or column needs no code here. The bodies are not
//! really sealed and are never opened.

use std::ops::Range;

use link_domain::kernel::owner::Owner;
use link_types::Mode;

use crate::cursor::{self, ListFilters};
use crate::keys::Label;
use crate::sql::{Session, Sql, columns, params};
use crate::tables::every_list::LISTS;
use crate::tables::list::{Created, List, ListQuery, binding};
use crate::{Page, PageRequest, PageSize, Reader, Store, StoreError, Tx};

/// The value of every row in the columns that the list requires in addition to the owner.
const SAME: &str = "same";
/// The maximum number of rows that one statement inserts.
const MAX_BATCH: u64 = 50_000;
/// The number of distinct values in a column that is not the last of a unique index.
const VALUES: u64 = 10;

/// A list of the store.
#[derive(Clone, Copy)]
pub struct AnyList(&'static List);

/// Where a page begins.
#[derive(Debug, Clone)]
pub enum Start {
    /// At the newest item.
    Newest,
    /// After the row with this number.
    Row(u64),
    /// After this cursor.
    Cursor(String),
}

impl AnyList {
    /// Returns every list.
    pub fn all() -> impl Iterator<Item = AnyList> {
        LISTS.into_iter().map(AnyList)
    }

    /// Returns the list's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Returns the conditions of the list's filters.
    #[must_use]
    pub fn filters(self) -> &'static [&'static str] {
        self.0.filters
    }

    /// Returns the id of the row with this number and suffix.
    #[must_use]
    pub fn id(number: u64, suffix: &str) -> String {
        format!("x-{number:012x}{suffix}")
    }

    /// Inserts the rows with these numbers.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database rejects them.
    pub async fn fill(self, store: &Store, numbers: Range<u64>) -> Result<(), StoreError> {
        for start in numbers.clone().step_by(MAX_BATCH as usize) {
            let part = start..numbers.end.min(start + MAX_BATCH);
            store.write(move |tx| self.insert(tx, &part, "")).await?;
        }
        Ok(())
    }

    /// Deletes the row with one number and inserts others, in one unit.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub async fn exchange(
        self,
        store: &Store,
        gone: u64,
        new: Vec<(u64, &'static str)>,
    ) -> Result<(), StoreError> {
        let remove = format!("DELETE FROM {} WHERE id = ?1", self.table());
        let (remove, id) = (Sql::compose("remove", remove), Self::id(gone, ""));
        store
            .write(move |tx| {
                tx.session.execute(&remove, params![&id])?;
                new.iter().try_for_each(|(number, suffix)| self.insert(tx, &(*number..*number + 1), suffix))
            })
            .await
    }

    /// Returns a page of ids, unfiltered or with a value for the filter at an index of [`AnyList::filters`].
    ///
    /// # Errors
    ///
    /// [`StoreError`], like the list's own method.
    pub async fn page(
        self,
        store: &Store,
        filter: Option<(usize, &'static str)>,
        from: Start,
        size: PageSize,
    ) -> Result<Page<String>, StoreError> {
        store.read(move |reader| self.read_page(reader, filter, &from, size)).await
    }

    fn read_page(
        self,
        reader: &mut Reader<'_>,
        filter: Option<(usize, &'static str)>,
        from: &Start,
        size: PageSize,
    ) -> Result<Page<String>, StoreError> {
        let List { filters, .. } = self.0;
        let always = vec![SAME; self.always_named().count()];
        let values: Vec<Option<&str>> = (0..filters.len())
            .map(|index| filter.filter(|(wanted, _)| *wanted == index).map(|(_, value)| value))
            .collect();
        let (owner, mut request) = (owner(), PageRequest::first(size));
        let query = ListQuery {
            owner: &owner,
            always: &always,
            filters: &values,
            created: Created::default(),
            prefix: "x-",
            request: &request.clone(),
        };
        request.cursor = match from {
            Start::Newest => None,
            Start::Row(number) => {
                let position = Self::id(*number, "");
                Some(cursor::sign(
                    reader.keys.tree.key(Label::Cursor),
                    &binding(self.0, &query),
                    &position,
                    &ListFilters::default(),
                ))
            }
            Start::Cursor(cursor) => Some(cursor.clone()),
        };
        let query = ListQuery { request: &request, ..query };
        reader.page(self.0, &query, |row| row.text(self.0.position), |_, id| Ok(id))
    }

    #[cfg(test)]
    pub(crate) fn list(self) -> &'static List {
        self.0
    }

    pub(crate) fn table(self) -> &'static str {
        let (_, from) = self.0.select.split_once(" FROM ").unwrap_or_default();
        from.split(' ').next().unwrap_or_default()
    }

    /// Returns the columns that every query names in addition to the owner's.
    fn always_named(self) -> impl Iterator<Item = &'static str> {
        self.0.always.iter().skip(2).filter(|condition| condition.contains('?')).map(|it| column(it))
    }

    fn insert(self, tx: &mut Tx<'_>, numbers: &Range<u64>, suffix: &str) -> Result<(), StoreError> {
        let table = self.table();
        let postgres = tx.session.is_postgres();
        let distinct = distinct_columns(&mut tx.session, table)?;
        let id = if postgres { "lpad(to_hex(i), 12, '0')" } else { "printf('%012x', i)" };
        let id = format!("'x-' || {id} || '{suffix}'");
        let blob = |bytes: usize| match postgres {
            true => format!("decode(repeat('ab', {bytes}), 'hex')"),
            false => format!("CAST(printf('%.{bytes}c', 'b') AS BLOB)"),
        };
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for (name, kind) in columns_of(&mut tx.session, table)? {
            values.push(match (name.as_str(), kind.as_str()) {
                ("id" | "scope_id", _) => id.clone(),
                ("tenant_id" | "mode", _) => {
                    let owner = owner();
                    let word = if name == "mode" { owner.mode.as_str() } else { owner.tenant.as_str() };
                    format!("'{word}'")
                }
                (name, _) if self.always_named().any(|always| always == name) => format!("'{SAME}'"),
                (name, "TEXT") if distinct.iter().any(|it| it == name) => format!("'v' || i || '{suffix}'"),
                (_, "TEXT") => format!("'v' || (i % {VALUES})"),
                (name, "BLOB") if distinct.iter().any(|it| it == name) => {
                    if postgres {
                        format!("convert_to({id}, 'UTF8')")
                    } else {
                        format!("CAST({id} AS BLOB)")
                    }
                }
                (_, "BLOB") => blob(250),
                (_, _) => "0".to_owned(),
            });
            names.push(name);
        }
        let Range { start, end } = numbers;
        let counted = format!(
            "WITH RECURSIVE n(i) AS (SELECT CAST({start} AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {end})"
        );
        let (names, values) = (names.join(", "), values.join(", "));
        let mut rows = format!("INSERT INTO {table} ({names}) {counted} SELECT {values} FROM n");
        rows.push_str(if numbers.is_empty() { " WHERE 1 = 0" } else { "" });
        tx.session.script(&rows)?;
        if self.0.select.contains("JOIN scope_keys") {
            let wrapped = blob(72);
            let keys = "INSERT INTO scope_keys (scope_id, day, wrapped)";
            // Lists of one database share the table. SQLite needs a condition before `ON CONFLICT`.
            let once = "WHERE i >= 0 ON CONFLICT (scope_id) DO NOTHING";
            tx.session.script(&format!("{keys} {counted} SELECT {id}, 0, {wrapped} FROM n {once}"))?;
        }
        Ok(())
    }
}

fn owner() -> Owner {
    #[expect(clippy::expect_used, reason = "an invalid tenant id would fail every test")]
    let tenant = "demo".parse().expect("a tenant's id");
    Owner { tenant, mode: Mode::Sandbox }
}

/// Returns the column that a condition compares. Of an expression, returns its first column.
pub(crate) fn column(condition: &'static str) -> &'static str {
    let name = condition.rsplit_once('(').map_or(condition, |(_, inner)| inner);
    let name = name.split([' ', ',']).next().unwrap_or_default();
    name.rsplit('.').next().unwrap_or_default()
}

columns! {
    /// A column in a catalog, as `columns_of` selects it from each.
    catalog_columns => struct CatalogColumns { name, data_type }
}

fn columns_of(session: &mut Session<'_>, table: &str) -> Result<Vec<(String, String)>, StoreError> {
    let text = match session.is_postgres() {
        false => "SELECT name, type AS data_type FROM pragma_table_info(?1)",
        true => {
            "SELECT column_name::text AS name, \
             CASE data_type WHEN 'bigint' THEN 'INTEGER' WHEN 'bytea' THEN 'BLOB' \
             ELSE 'TEXT' END AS data_type FROM information_schema.columns \
             WHERE table_schema = 'public' AND table_name = ?1"
        }
    };
    let sql = Sql::compose("columns", format!("SELECT {} FROM ({text}) c", catalog_columns!("c.")));
    let at = CatalogColumns::after(0);
    session.query(&sql, params![table], |row| Ok((row.text(at.name)?, row.text(at.data_type)?)))
}

/// Returns the last columns of the table's unique indexes.
fn distinct_columns(session: &mut Session<'_>, table: &str) -> Result<Vec<String>, StoreError> {
    let text = match session.is_postgres() {
        false => {
            "SELECT (SELECT c.name FROM pragma_index_info(i.name) c ORDER BY c.seqno DESC LIMIT 1) \
             FROM pragma_index_list(?1) i WHERE i.\"unique\" = 1"
        }
        true => {
            "SELECT a.attname::text FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid \
             JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = x.indkey[x.indnkeyatts - 1] \
             WHERE t.relname = ?1 AND x.indisunique"
        }
    };
    session.query(&Sql::compose("distinct columns", text.to_owned()), params![table], |row| row.text(0))
}
