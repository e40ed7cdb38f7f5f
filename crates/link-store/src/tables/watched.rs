//! Reads the versions of many resources that long polls wait for in one statement.

use std::collections::HashMap;

use link_domain::kernel::owner::Owner;

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

/// Where the version of a watched resource is.
enum Place<'a> {
    Row(&'static str, &'a str),
    Events(&'a Owner),
}

impl Watched {
    /// Returns the table and id of a resource, or the owner of a list.
    fn place(&self) -> Place<'_> {
        let [accounts, archives, records] = TABLES;
        match self {
            Self::Account(id) => Place::Row(accounts, id.as_str()),
            Self::Archive(id) => Place::Row(archives, id.as_str()),
            Self::Record(id) => Place::Row(records, id.as_str()),
            Self::Events(owner) => Place::Events(owner),
        }
    }
}

impl Reader<'_> {
    /// Returns the current version of each resource, in order. `None` if it does not exist. The version of a list is
    /// another number after another item became its newest.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn versions(&mut self, wanted: &[Watched]) -> Result<Vec<Option<u32>>, StoreError> {
        let mut found: HashMap<String, u32> = HashMap::with_capacity(wanted.len());
        for table in TABLES {
            let here = |it: &'_ Watched| match it.place() {
                Place::Row(of, id) if of == table => Some(id.to_owned()),
                Place::Row(..) | Place::Events(_) => None,
            };
            let ids: Vec<String> = wanted.iter().filter_map(here).collect();
            for ids in ids.chunks(AT_ONCE) {
                let mut params = vec![Param::from(""); AT_ONCE];
                for (param, id) in params.iter_mut().zip(ids) {
                    *param = Param::from(id);
                }
                found.extend(self.session.query(&sql(table), &params, |row| {
                    Ok((row.text(COLUMNS.id)?, small(table, row.int(COLUMNS.version)?)?))
                })?);
            }
        }
        wanted
            .iter()
            .map(|it| match it.place() {
                Place::Row(_, id) => Ok(found.get(id).copied()),
                Place::Events(owner) => self.events().version(owner).map(Some),
            })
            .collect()
    }
}
