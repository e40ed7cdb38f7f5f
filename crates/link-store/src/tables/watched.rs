//! Reads the versions of many resources that long polls wait for in one statement.

use std::collections::HashMap;

use super::small;
use crate::commit_notice::Watched;
use crate::sql::{Param, Sql, columns};
use crate::{Reader, StoreError};

/// The number of ids per statement. Shorter lists are padded, so that there is only one text to prepare.
const AT_ONCE: usize = 50;
/// The tables of resources that long polls can wait for.
const TABLES: [&str; 3] = ["accounts", "archives", "records"];

columns! {
    /// The columns that every one of these tables has.
    version_columns => struct Columns { id, version }
}
const COLUMNS: Columns = Columns::after(0);

fn sql(table: &'static str) -> Sql {
    let ids: Vec<String> = (1..=AT_ONCE).map(|number| format!("?{number}")).collect();
    Sql::compose(
        table,
        format!("SELECT {} FROM {table} WHERE id IN ({})", version_columns!(""), ids.join(", ")),
    )
}

/// Returns every statement, for the test that prepares them.
#[cfg(test)]
pub(crate) fn every_sql() -> impl Iterator<Item = Sql> {
    TABLES.into_iter().map(sql)
}

impl Watched {
    fn table(&self) -> &'static str {
        let [accounts, archives, records] = TABLES;
        match self {
            Self::Account(_) => accounts,
            Self::Archive(_) => archives,
            Self::Record(_) => records,
        }
    }

    fn id(&self) -> &str {
        match self {
            Self::Account(id) => id.as_str(),
            Self::Archive(id) => id.as_str(),
            Self::Record(id) => id.as_str(),
        }
    }
}

impl Reader<'_> {
    /// Returns the current version of each resource, in order. `None` if it does not exist.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn versions(&mut self, wanted: &[Watched]) -> Result<Vec<Option<u32>>, StoreError> {
        let mut found: HashMap<String, u32> = HashMap::with_capacity(wanted.len());
        for table in TABLES {
            let ids: Vec<&str> = wanted.iter().filter(|it| it.table() == table).map(Watched::id).collect();
            for ids in ids.chunks(AT_ONCE) {
                let mut params = vec![Param::from(""); AT_ONCE];
                for (param, id) in params.iter_mut().zip(ids) {
                    *param = Param::from(*id);
                }
                found.extend(self.session.query(&sql(table), &params, |row| {
                    Ok((row.text(COLUMNS.id)?, small(table, row.int(COLUMNS.version)?)?))
                })?);
            }
        }
        Ok(wanted.iter().map(|it| found.get(it.id()).copied()).collect())
    }
}
