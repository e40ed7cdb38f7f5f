//! The rows that a database has of a tenant.

use std::collections::BTreeMap;

use crate::sql::{Sql, params};
use crate::{Store, StoreError};

/// Returns the number of rows with the tenant's id in each table that has any.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read.
pub async fn rows_of_tenant(store: &Store, tenant: &str) -> Result<BTreeMap<String, i64>, StoreError> {
    let tenant = tenant.to_owned();
    store
        .read(move |reader| {
            let mut found = BTreeMap::new();
            for table in tables_of_tenants(&mut reader.session)? {
                let count = format!("SELECT COUNT(*) FROM {table} WHERE tenant_id = ?1");
                let sql = Sql::compose("rows_of_tenant", count);
                let rows = reader.session.find(&sql, params![&tenant], |row| row.int(0))?;
                if let Some(rows @ 1..) = rows {
                    found.insert(table, rows);
                }
            }
            Ok(found)
        })
        .await
}

/// Returns the tables whose rows have a tenant.
pub(crate) fn tables_of_tenants(session: &mut crate::sql::Session<'_>) -> Result<Vec<String>, StoreError> {
    let text = match session.is_postgres() {
        false => {
            "SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' \
             AND c.name = 'tenant_id' ORDER BY m.name"
        }
        true => {
            "SELECT table_name::text FROM information_schema.columns \
             WHERE table_schema = 'public' AND column_name = 'tenant_id' ORDER BY table_name"
        }
    };
    session.query(&Sql::compose("tables_of_tenants", text.to_owned()), params![], |row| row.text(0))
}
