//! The tables and columns of a portable backup, as a version of the schema declares them.

use link_types::id::TenantId;
use rusqlite::Connection;

use crate::keys::buckets::TABLES;
use crate::sql::Session;
use crate::tables::tenancy::tenant_rows::condition_of_moved;
use crate::{StoreError, migrations};

/// Tables that belong to one database: the version of its schema, its backups, and work of its vacuum and its readiness
/// check.
const LEFT_OUT: [&str; 4] = ["pending_vacuums", "probes", "scheduled_backups", "schema_versions"];
/// The keys of buckets on PostgreSQL, which are in several tables there.
pub(super) const KEY_BUCKETS: &str = "key_buckets";
/// The table of scope keys.
pub(super) const SCOPE_KEYS: &str = "scope_keys";

/// The table of an export that holds the pieces of files.
pub(super) const FILE_OBJECTS: &str = "file_objects";

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Int,
    Text,
    Bytes,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) kind: Kind,
}

/// A table and its columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) name: String,
    pub(super) columns: Vec<Column>,
    /// The columns of the primary key, by which rows are sorted. Both databases compare them byte by byte.
    key: Vec<String>,
    /// The condition of the rows that are read. `None` for all.
    condition: Option<String>,
}

impl Table {
    /// Returns the names of the columns for a statement.
    pub(super) fn columns_text(&self) -> String {
        self.columns.iter().map(|it| it.name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Returns the names of the columns for the file.
    pub(super) fn column_names(&self) -> Vec<String> {
        self.columns.iter().map(|it| it.name.clone()).collect()
    }

    /// Returns the position of a column.
    pub(super) fn position_of(&self, column: &str) -> Option<usize> {
        self.columns.iter().position(|it| it.name == column)
    }

    /// Returns a query of the rows in the order of the primary key.
    pub(super) fn select(&self) -> String {
        let (columns, order) = (self.columns_text(), self.key.join(", "));
        if self.name != KEY_BUCKETS {
            let only = self.condition.as_ref().map(|it| format!(" WHERE {it}")).unwrap_or_default();
            return format!("SELECT {columns} FROM {}{only} ORDER BY {order}", self.name);
        }
        let parts: Vec<_> =
            (0..TABLES).map(|number| format!("SELECT {columns} FROM {}", bucket_table(number))).collect();
        format!("SELECT {columns} FROM ({}) b ORDER BY {order}", parts.join(" UNION ALL "))
    }
}

/// Returns the name of a table of bucket keys.
pub(super) fn bucket_table(number: i64) -> String {
    format!("key_buckets_{number:02}")
}

/// Returns the tables of a version of the schema: the keys of buckets first if the database is PostgreSQL, and the keys of
/// scopes last, because only then the rows that need them are known.
pub(super) fn tables(version: i64, is_postgres: bool) -> Result<Vec<Table>, StoreError> {
    let schema = Connection::open_in_memory()?;
    migrations::migrate_to(&mut Session::Sqlite(&schema), version)?;
    let mut names = schema.prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )?;
    let names: Vec<String> = names.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut found = Vec::new();
    if is_postgres {
        let column = |name: &str, kind| Column { name: name.to_owned(), kind };
        let columns =
            vec![column("bucket", Kind::Int), column("day", Kind::Int), column("wrapped", Kind::Bytes)];
        found.push(Table {
            name: KEY_BUCKETS.to_owned(),
            columns,
            key: vec!["bucket".to_owned()],
            condition: None,
        });
    }
    for name in names.into_iter().filter(|it| !LEFT_OUT.contains(&it.as_str())) {
        found.push(read_table(&schema, name)?);
    }
    // Stable, so the others keep their order.
    found.sort_by_key(|it| it.name == SCOPE_KEYS);
    Ok(found)
}

fn read_table(schema: &Connection, name: String) -> Result<Table, StoreError> {
    let mut statement = schema.prepare("SELECT name, type, pk FROM pragma_table_info(?1) ORDER BY cid")?;
    let (mut columns, mut key) = (Vec::new(), Vec::new());
    let mut rows = statement.query([&name])?;
    while let Some(row) = rows.next()? {
        let (column, kind, position): (String, String, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        if position > 0 {
            key.push((position, column.clone()));
        }
        let kind = match kind.as_str() {
            "INTEGER" => Kind::Int,
            "TEXT" => Kind::Text,
            _ => Kind::Bytes,
        };
        columns.push(Column { name: column, kind });
    }
    key.sort();
    let key = key.into_iter().map(|(_, column)| column).collect();
    Ok(Table { name, columns, key, condition: None })
}

/// Returns the tables of a version of the schema that have rows of a tenant, and read only those that move with it.
pub(super) fn tables_of_tenant(version: i64, tenant: &TenantId) -> Result<Vec<Table>, StoreError> {
    let of_tenant = |table: Table| {
        // An id has only lower-case letters and digits, and `COPY` takes no parameters.
        let condition = condition_of_moved(&table.name)?.replace("?1", &format!("'{tenant}'"));
        Some(Table { condition: Some(condition), ..table })
    };
    Ok(tables(version, false)?.into_iter().filter_map(of_tenant).collect())
}

/// Returns the table of an export with the sealed pieces of files, which are outside the database.
pub(super) fn file_objects() -> Table {
    let column = |name: &str, kind| Column { name: name.to_owned(), kind };
    let columns = vec![column("object", Kind::Text), column("content", Kind::Bytes)];
    Table { name: FILE_OBJECTS.to_owned(), columns, key: vec!["object".to_owned()], condition: None }
}

/// Returns the table of key buckets.
pub(super) fn key_buckets(version: i64) -> Result<Option<Table>, StoreError> {
    Ok(tables(version, true)?.into_iter().find(|it| it.name == KEY_BUCKETS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_those_of_the_schema() {
        let found = tables(migrations::newest_version(), false).unwrap();
        let names: Vec<_> = found.iter().map(|it| it.name.as_str()).collect();
        assert!(names.contains(&"accounts") && !names.contains(&"probes"), "{names:?}");
        assert_eq!(names.last(), Some(&SCOPE_KEYS));
        assert!(found.iter().all(|it| !it.key.is_empty()), "rows are sorted by a primary key");
        let accounts = found.iter().find(|it| it.name == "accounts").unwrap();
        let body = &accounts.columns[accounts.position_of("body").unwrap()];
        assert_eq!(body.kind, Kind::Bytes);
        let login_tries = found.iter().find(|it| it.name == "login_tries").unwrap();
        assert!(
            login_tries.select().ends_with("ORDER BY tenant_id, mode, user_id, provider_id, login_hash"),
            "{}",
            login_tries.select()
        );
        let postgres = tables(migrations::newest_version(), true).unwrap();
        assert_eq!(postgres[0].name, KEY_BUCKETS);
        assert_eq!(postgres.len(), found.len() + 1);
    }
}
