//! A statement for many rows: on PostgreSQL, each statement is a round trip to the server.

use super::statement::Sql;
use super::value::Param;
use super::{Row, Session};
use crate::StoreError;

/// The numbers of rows for which a statement is prepared.
const SIZES: [usize; 2] = [32, 8];

/// A statement for a fixed number of rows. SQLite, where a statement costs little, uses the statement for one row.
pub(crate) struct Many {
    sizes: [(usize, Sql); SIZES.len()],
    columns: usize,
}

impl Many {
    /// Composes the text: `before`, then `row` for each row, then `after`. In `row`, the parameters after the `shared`
    /// ones are those of the row. In `after`, `{?2}` is a list of the parameter `?2` of every row.
    pub(crate) fn new(name: &'static str, [before, row, after]: [&str; 3], shared: usize) -> Self {
        let columns = parameters(row).filter(|number| *number > shared).max().unwrap_or(shared) - shared;
        let each = |text: &str, rows: usize| {
            let rows: Vec<String> = (0..rows).map(|index| shifted(text, shared, index * columns)).collect();
            rows.join(", ")
        };
        let text = |rows: usize| {
            let end =
                match after.split_once('{').and_then(|(start, rest)| Some((start, rest.split_once('}')?))) {
                    Some((start, (listed, end))) => format!("{start}{}{end}", each(listed, rows)),
                    None => after.to_owned(),
                };
            format!("{before}{}{end}", each(row, rows))
        };
        Self { sizes: SIZES.map(|rows| (rows, Sql::composed(name, text(rows)))), columns }
    }

    /// Returns the texts, for the test that prepares every statement.
    #[cfg(test)]
    pub(crate) fn every_sql(&self) -> impl Iterator<Item = Sql> {
        self.sizes.iter().map(|(_, sql)| sql.clone())
    }
}

/// Returns the numbers of the parameters in a text.
fn parameters(text: &str) -> impl Iterator<Item = usize> {
    text.split('?').skip(1).filter_map(|rest| {
        let digits = rest.len() - rest.trim_start_matches(|it: char| it.is_ascii_digit()).len();
        rest.get(..digits)?.parse().ok()
    })
}

fn shifted(row: &str, shared: usize, by: usize) -> String {
    let mut parts = row.split('?');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|it: char| it.is_ascii_digit());
        let number: usize = part.get(..part.len() - rest.len()).and_then(|it| it.parse().ok()).unwrap_or(0);
        let number = if number > shared { number + by } else { number };
        text.push_str(&format!("?{number}{rest}"));
    }
    text
}

impl Session<'_> {
    /// Runs a statement that reads, like [`Self::query_many`]. On PostgreSQL, the last row is repeated to fill a statement,
    /// because reading a row again costs less than another round trip. So the result must not depend on repetitions.
    pub(crate) fn read_many<T>(
        &mut self,
        statement: (&Many, &Sql),
        shared: &[Param<'_>],
        mut rows: Vec<Vec<Param<'_>>>,
        read: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let [.., least] = SIZES;
        if self.is_postgres() && rows.len() > 1 {
            let missing = rows.len().next_multiple_of(least) - rows.len();
            let last = rows.last().cloned();
            rows.extend(last.into_iter().cycle().take(missing));
        }
        self.query_many(statement, shared, &rows, read)
    }

    /// Runs a statement for every row, and returns what `read` returns for the rows of all results.
    ///
    /// `one` is the statement for a single row, with the same parameters. The order of the results is not defined.
    pub(crate) fn query_many<T>(
        &mut self,
        (many, one): (&Many, &Sql),
        shared: &[Param<'_>],
        rows: &[Vec<Param<'_>>],
        mut read: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let mut found = Vec::with_capacity(rows.len());
        let mut rest = rows;
        if self.is_postgres() {
            for (size, sql) in &many.sizes {
                while rest.len() >= *size {
                    let (now, later) = rest.split_at(*size);
                    let mut values = Vec::with_capacity(shared.len() + size * many.columns);
                    values.extend_from_slice(shared);
                    now.iter().for_each(|row| values.extend_from_slice(row));
                    found.extend(self.query(sql, &values, &mut read)?);
                    rest = later;
                }
            }
        }
        for row in rest {
            let values = [shared, row].concat();
            found.extend(self.query(one, &values, &mut read)?);
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_of_each_row_follow_those_before() {
        let many = Many::new("it", ["A ?1 IN (", "(?2, ?3 + ?2, ?1)", ")"], 1);
        let text = &many.sizes[1].1.text;
        assert!(text.starts_with("A ?1 IN ((?2, ?3 + ?2, ?1), (?4, ?5 + ?4, ?1), "), "{text}");
        assert!(text.ends_with("(?16, ?17 + ?16, ?1))"), "{text}");
        assert_eq!(many.columns, 2);
    }

    #[test]
    fn parameter_of_every_row_is_listed_at_the_end() {
        let many = Many::new("it", ["A (", "(?2, ?3)", ") B IN ({?2}) C ?1"], 1);
        let text = &many.sizes[1].1.text;
        assert!(text.ends_with("(?16, ?17)) B IN (?2, ?4, ?6, ?8, ?10, ?12, ?14, ?16) C ?1"), "{text}");
    }
}
