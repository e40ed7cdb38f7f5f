//! Lists. Each has one description, from which the statement for any set of filters is built.
//!
//! All lists run newest first by id. An id contains its creation time, so one index serves pages, the order of creation
//! and date ranges.

use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::owner::Owner;

use crate::cursor::{self, Binding};
use crate::keys::Label;
use crate::sql::{Param, Row, Sql};
use crate::{Page, PageRequest, Reader, StoreError};

/// A span of creation times. A missing bound is open.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Created {
    /// The first time inside the span.
    pub from: Option<TenantTime>,
    /// The first time after the span.
    pub until: Option<TenantTime>,
}

/// The description of a list.
pub(crate) struct List {
    /// Names the statement and is part of the binding of cursors.
    pub(crate) name: &'static str,
    /// `SELECT … FROM …`.
    pub(crate) select: &'static str,
    /// The column of the id.
    pub(crate) id: &'static str,
    /// The position of the id among the selected columns.
    pub(crate) position: usize,
    /// The conditions of every query. `?` is the parameter, if there is one.
    pub(crate) always: &'static [&'static str],
    /// The conditions of the optional filters.
    pub(crate) filters: &'static [&'static str],
}

/// The values of one query of a list.
pub(crate) struct ListQuery<'a> {
    pub(crate) owner: &'a Owner,
    /// One value for each further parameter of `always`.
    pub(crate) always: &'a [&'a str],
    /// One value for each of `filters`. `None` leaves the condition out.
    pub(crate) filters: &'a [Option<&'a str>],
    pub(crate) created: Created,
    /// The prefix of the list's ids.
    pub(crate) prefix: &'a str,
    pub(crate) request: &'a PageRequest,
}

impl List {
    /// Returns the statement for the filters in use. `bounds` of the id: after a cursor, created from, created until.
    pub(crate) fn sql(&self, in_use: &[bool], bounds: [bool; 3]) -> Sql {
        let mut text = self.select.to_owned();
        let mut parameter = 0;
        let mut word = " WHERE ";
        let mut add = |condition: &str| {
            parameter += usize::from(condition.contains('?'));
            text.push_str(word);
            word = " AND ";
            text.push_str(&condition.replace('?', &format!("?{parameter}")));
        };
        let filters = self.filters.iter().zip(in_use).filter(|(_, used)| **used).map(|(filter, _)| filter);
        self.always.iter().chain(filters).for_each(|condition| add(condition));
        for (used, comparison) in bounds.into_iter().zip(["<", ">=", "<"]) {
            if used {
                add(&format!("{} {comparison} ?", self.id));
            }
        }
        text.push_str(&format!(" ORDER BY {} DESC LIMIT ?{}", self.id, parameter + 1));
        Sql::compose(self.name, text)
    }

    /// Returns every statement that this list can use.
    #[cfg(test)]
    pub(crate) fn every_sql(&self) -> Vec<Sql> {
        let filters = self.filters.len();
        (0..1_u32 << (filters + 3))
            .map(|mask| {
                let bit = |position: usize| mask & (1 << position) != 0;
                let in_use: Vec<bool> = (0..filters).map(bit).collect();
                self.sql(&in_use, [bit(filters), bit(filters + 1), bit(filters + 2)])
            })
            .collect()
    }
}

impl Reader<'_> {
    /// Returns one page. `read` extracts a value from each row, and `finish` opens it.
    pub(crate) fn page<R, T>(
        &mut self,
        list: &List,
        query: &ListQuery<'_>,
        mut read: impl FnMut(&Row<'_>) -> Result<R, StoreError>,
        mut finish: impl FnMut(&mut Self, R) -> Result<T, StoreError>,
    ) -> Result<Page<T>, StoreError> {
        let binding = binding(list, query);
        let after = match &query.request.cursor {
            Some(cursor) => Some(cursor::verify(self.keys.tree.key(Label::Cursor), &binding, cursor)?),
            None => None,
        };
        let from = query.created.from.map(|from| first_id(query.prefix, from));
        let until = query.created.until.map(|until| first_id(query.prefix, until));
        let in_use: Vec<bool> = query.filters.iter().map(Option::is_some).collect();
        let sql = list.sql(&in_use, [after.is_some(), from.is_some(), until.is_some()]);

        let size = query.request.size.get();
        let mode = query.owner.mode.as_str();
        let mut values: Vec<Param<'_>> = vec![query.owner.tenant.as_str().into(), mode.into()];
        values.extend(query.always.iter().map(|value| Param::from(*value)));
        values.extend(query.filters.iter().flatten().map(|value| Param::from(*value)));
        values.extend([&after, &from, &until].into_iter().flatten().map(Param::from));
        // One more row than requested shows whether there is a next page.
        values.push(Param::Int(size as i64 + 1));

        let (mut count, mut last) = (0, None);
        let mut rows = self.session.query(&sql, &values, |row| {
            count += 1;
            if count == size {
                last = Some(row.text(list.position)?);
            }
            read(row)
        })?;
        rows.truncate(size);
        let next_cursor = last
            .filter(|_| count > size)
            .map(|id| cursor::sign(self.keys.tree.key(Label::Cursor), &binding, &id, &query.request.filters));
        let mut items = Vec::with_capacity(rows.len());
        for row in rows {
            match finish(self, row) {
                Ok(item) => items.push(item),
                Err(StoreError::Erased) => {} // Its last day has ended, and the row will be deleted soon.
                Err(error) => return Err(error),
            }
        }
        Ok(Page { items, next_cursor })
    }
}

pub(crate) fn binding(list: &List, query: &ListQuery<'_>) -> Binding {
    let bound = |time: Option<TenantTime>| time.map(|time| time.micros().to_string());
    let mut binding = Binding::of_list(list.name)
        .with(Some(query.owner.tenant.as_str()))
        .with(Some(query.owner.mode.as_str()));
    for value in query.always {
        binding = binding.with(Some(value));
    }
    for value in query.filters {
        binding = binding.with(*value);
    }
    binding.with(bound(query.created.from).as_deref()).with(bound(query.created.until).as_deref())
}

/// Returns an id that sorts before every id created in that millisecond or later.
pub(crate) fn first_id(prefix: &str, time: TenantTime) -> String {
    // Rounded up to the first whole millisecond that is not before the time.
    let millis = time.micros().max(0).saturating_add(999) / 1_000;
    format!("{prefix}{millis:012x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: List = List {
        name: "accounts",
        select: "SELECT id FROM accounts",
        id: "id",
        position: 0,
        always: &["tenant_id = ?", "mode = ?"],
        filters: &["user_id = ?", "provider_id = ?"],
    };

    #[test]
    fn statement_has_numbered_conditions_of_the_used_filters() {
        assert_eq!(
            LIST.sql(&[false, true], [true, false, false]).text,
            "SELECT id FROM accounts WHERE tenant_id = ?1 AND mode = ?2 AND provider_id = ?3 AND id < ?4 \
             ORDER BY id DESC LIMIT ?5"
        );
        assert_eq!(LIST.every_sql().len(), 32);
    }

    #[test]
    fn first_id_sorts_between_earlier_and_later_ids() {
        let bound = first_id("a-", TenantTime::from_micros(1_700_000_000_000_001));
        assert_eq!(bound, format!("a-{:012x}", 1_700_000_000_001_u64));
        assert!(bound < format!("a-{:012x}7fff", 1_700_000_000_001_u64));
        assert!(bound > format!("a-{:012x}7fff", 1_700_000_000_000_u64));
    }
}
