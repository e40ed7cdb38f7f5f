//! Files with people to invite: the rules of their rows. A row is invited once, however often its file is sent.

use std::collections::BTreeMap;

use link_types::Sensitive;
use link_types::id::InviteId;

use crate::kernel::digest::Digest32;
use crate::kernel::languages::is_tag;
use crate::kernel::owner::Owner;
use crate::notifications::mail::{is_mailbox, row_hash};

/// Maximum number of people in a file.
pub const MAX_ROWS: usize = 5_000;
/// Maximum number of faults that are reported.
pub const MAX_FAULTS: usize = 200;
/// Maximum number of characters of a name.
const MAX_NAME: usize = 200;
/// Maximum number of characters of an address.
const MAX_ADDRESS: usize = 254;
/// Maximum number of characters of a key.
const MAX_KEY: usize = 200;

/// A row of a file before its cells are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawRow {
    /// Line on which the row begins, from 1.
    pub line: u32,
    /// Cells, in order.
    pub cells: Vec<Sensitive>,
}

/// A person to invite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitee {
    /// Line on which the row begins.
    pub line: u32,
    /// Identifies the row in the tenant's environment, however often it is sent.
    pub key: Sensitive,
    /// Name of the person.
    pub full_name: Sensitive,
    /// Given names.
    pub first_name: Option<Sensitive>,
    /// Family names.
    pub last_name: Option<Sensitive>,
    /// Address of the mail.
    pub email_address: Sensitive,
    /// Language, as a BCP 47 tag.
    pub locale: Option<String>,
}

/// A row that was invited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvitedRow {
    /// Tenant and environment of the invitation.
    pub owner: Owner,
    /// Key of the row.
    pub key: Sensitive,
    /// The invitation.
    pub invite_id: InviteId,
}

/// A fault of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowError {
    /// Line on which the row begins.
    pub line: u32,
    /// Name of the column, its number from 1 if it has no known name, or empty.
    pub column: String,
    /// Reason.
    pub reason: RowErrorKind,
}

/// Reason why a row is not accepted. It never repeats the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RowErrorKind {
    /// The first line lacks a column.
    #[error("the first line must name this column")]
    MissingColumn,
    /// The first line has an unknown column.
    #[error("not a column: use fullName, emailAddress, firstName, lastName, locale or key")]
    UnknownColumn,
    /// The first line names a column twice.
    #[error("the first line names this column twice")]
    RepeatedColumn,
    /// The row has another number of cells than the first line.
    #[error("the row has {found} cells, and the first line {expected}")]
    CellCount {
        /// Cells of the row.
        found: usize,
        /// Cells of the first line.
        expected: usize,
    },
    /// The text is missing or too long.
    #[error("must have {min} to {max} characters")]
    Length {
        /// Minimum number of characters.
        min: usize,
        /// Maximum number of characters.
        max: usize,
    },
    /// The address is not one.
    #[error("must be an e-mail address, like name@example.com")]
    Address,
    /// The language is not one.
    #[error("must be a language, like es-MX")]
    Locale,
    /// The row repeats another one.
    #[error("the same as line {line}")]
    Repeated {
        /// Line of the other row.
        line: u32,
    },
    /// The file has no person.
    #[error("the file has no row below its first line")]
    NoRows,
    /// The file has too many people.
    #[error("a file has at most {MAX_ROWS} people")]
    TooManyRows,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Column {
    FullName,
    EmailAddress,
    FirstName,
    LastName,
    Locale,
    Key,
}

impl Column {
    const ALL: [Self; 6] =
        [Self::FullName, Self::EmailAddress, Self::FirstName, Self::LastName, Self::Locale, Self::Key];

    const fn as_str(self) -> &'static str {
        match self {
            Self::FullName => "fullName",
            Self::EmailAddress => "emailAddress",
            Self::FirstName => "firstName",
            Self::LastName => "lastName",
            Self::Locale => "locale",
            Self::Key => "key",
        }
    }

    /// Returns the column that a heading names. Case, spaces, dashes and underscores do not matter.
    fn from_heading(heading: &str) -> Option<Self> {
        let plain: String = heading.chars().filter(|it| it.is_alphanumeric()).collect();
        Self::ALL.into_iter().find(|it| it.as_str().eq_ignore_ascii_case(&plain))
    }

    /// Returns how many characters a cell may have.
    const fn lengths(self) -> (usize, usize) {
        match self {
            Self::FullName => (1, MAX_NAME),
            Self::EmailAddress => (3, MAX_ADDRESS),
            Self::FirstName | Self::LastName => (0, MAX_NAME),
            Self::Locale => (0, 35),
            Self::Key => (0, MAX_KEY),
        }
    }
}

/// The faults that are found, of which the first ones are reported.
#[derive(Default)]
struct Faults(Vec<RowError>);

impl Faults {
    fn add(&mut self, line: u32, column: &str, reason: RowErrorKind) {
        if self.0.len() < MAX_FAULTS {
            self.0.push(RowError { line, column: column.to_owned(), reason });
        }
    }
}

/// Reads the rows of a file, the first of which has the headings. `scope` distinguishes the keys of rows: with
/// another scope, the same row is invited again.
///
/// # Errors
/// The first faults.
pub fn read_rows(rows: Vec<RawRow>, scope: &str) -> Result<Vec<Invitee>, Vec<RowError>> {
    let mut faults = Faults::default();
    let mut rows = rows.into_iter();
    let headings = rows.next().unwrap_or(RawRow { line: 1, cells: Vec::new() });
    let columns = read_headings(&headings, &mut faults);
    if !faults.0.is_empty() {
        return Err(faults.0);
    }
    let rows: Vec<RawRow> =
        rows.filter(|it| it.cells.iter().any(|cell| !cell.expose().trim().is_empty())).collect();
    if rows.is_empty() {
        faults.add(headings.line, "", RowErrorKind::NoRows);
    }
    if let Some(first) = rows.get(MAX_ROWS) {
        faults.add(first.line, "", RowErrorKind::TooManyRows);
        return Err(faults.0);
    }
    let mut lines: BTreeMap<String, u32> = BTreeMap::new();
    let mut people = Vec::with_capacity(rows.len());
    for row in &rows {
        let Some(person) = read_row(row, &columns, scope, &mut faults) else { continue };
        match lines.get(person.key.expose()) {
            Some(line) => faults.add(row.line, "", RowErrorKind::Repeated { line: *line }),
            None => {
                lines.insert(person.key.expose().to_owned(), row.line);
                people.push(person);
            }
        }
    }
    if faults.0.is_empty() { Ok(people) } else { Err(faults.0) }
}

fn read_headings(row: &RawRow, faults: &mut Faults) -> Vec<Column> {
    let mut columns = Vec::new();
    for (number, heading) in (1_usize..).zip(&row.cells) {
        match Column::from_heading(heading.expose().trim()) {
            // A file without headings has a person in this line, so the cell is not repeated.
            None => faults.add(row.line, &number.to_string(), RowErrorKind::UnknownColumn),
            Some(column) if columns.contains(&column) => {
                faults.add(row.line, column.as_str(), RowErrorKind::RepeatedColumn);
            }
            Some(column) => columns.push(column),
        }
    }
    for column in [Column::FullName, Column::EmailAddress] {
        if !columns.contains(&column) {
            faults.add(row.line, column.as_str(), RowErrorKind::MissingColumn);
        }
    }
    columns
}

fn read_row(row: &RawRow, columns: &[Column], scope: &str, faults: &mut Faults) -> Option<Invitee> {
    if row.cells.len() != columns.len() {
        let reason = RowErrorKind::CellCount { found: row.cells.len(), expected: columns.len() };
        faults.add(row.line, "", reason);
        return None;
    }
    let before = faults.0.len();
    let cell = |wanted: Column| {
        let place = columns.iter().position(|it| *it == wanted)?;
        row.cells.get(place).map(|it| it.expose().trim()).filter(|it| !it.is_empty())
    };
    for column in columns {
        let text = cell(*column).unwrap_or_default();
        let (min, max) = column.lengths();
        let is_wrong = |reason| faults_of(text, reason);
        let length = text.chars().count();
        if length < min || length > max {
            faults.add(row.line, column.as_str(), RowErrorKind::Length { min, max });
        } else if let Some(reason) = is_wrong(*column) {
            faults.add(row.line, column.as_str(), reason);
        }
    }
    if faults.0.len() > before {
        return None;
    }
    let (full_name, email_address) = (cell(Column::FullName)?, cell(Column::EmailAddress)?);
    let key = match cell(Column::Key) {
        Some(key) => format!("key\n{scope}\n{key}"),
        None => format!("mail\n{scope}\n{}", email_address.to_lowercase()),
    };
    Some(Invitee {
        line: row.line,
        key: Sensitive::new(key),
        full_name: Sensitive::new(full_name),
        first_name: cell(Column::FirstName).map(Sensitive::new),
        last_name: cell(Column::LastName).map(Sensitive::new),
        email_address: Sensitive::new(email_address),
        locale: cell(Column::Locale).map(str::to_owned),
    })
}

/// Returns the fault of a cell whose length is right.
fn faults_of(text: &str, column: Column) -> Option<RowErrorKind> {
    match column {
        Column::EmailAddress => (!is_mailbox(text)).then_some(RowErrorKind::Address),
        Column::Locale => (!text.is_empty() && !is_tag(text)).then_some(RowErrorKind::Locale),
        Column::FullName | Column::FirstName | Column::LastName | Column::Key => None,
    }
}

impl InvitedRow {
    /// Returns the keyed hash by which the row is found.
    pub fn hash(secret: &[u8; 32], owner: &Owner, key: &Sensitive) -> Digest32 {
        row_hash(secret, &format!("{}\n{}\n{}", owner.tenant, owner.mode, key.expose()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(lines: &[&str]) -> Vec<RawRow> {
        let cells = |line: &str| line.split(',').map(Sensitive::new).collect();
        (1..).zip(lines).map(|(line, text)| RawRow { line, cells: cells(text) }).collect()
    }

    fn faults(lines: &[&str]) -> Vec<(u32, String, RowErrorKind)> {
        let faults = read_rows(raw(lines), "one").unwrap_err();
        faults.into_iter().map(|it| (it.line, it.column, it.reason)).collect()
    }

    #[test]
    fn rows_are_read_by_their_headings() {
        let people = read_rows(
            raw(&[
                "E-mail Address,full_name,LOCALE,First Name,lastName",
                "ana@example.com, Ana Ruiz ,es-MX,Ana,Ruiz",
            ]),
            "one",
        );
        let [ana] = <[Invitee; 1]>::try_from(people.unwrap()).unwrap();
        assert_eq!(
            (ana.line, ana.full_name.expose(), ana.email_address.expose()),
            (2, "Ana Ruiz", "ana@example.com")
        );
        assert_eq!((ana.locale.as_deref(), ana.first_name.unwrap().expose()), (Some("es-MX"), "Ana"));
    }

    #[test]
    fn each_fault_has_its_line_and_column() {
        let found = faults(&[
            "fullName,emailAddress,locale",
            ",ana@example.com,en",
            "Bo,bo@,x_y",
            "Cy,cy@example.com",
        ]);
        let reason = |line: u32, column: &str, reason| (line, column.to_owned(), reason);
        assert_eq!(
            found,
            [
                reason(2, "fullName", RowErrorKind::Length { min: 1, max: 200 }),
                reason(3, "emailAddress", RowErrorKind::Address),
                reason(3, "locale", RowErrorKind::Locale),
                reason(4, "", RowErrorKind::CellCount { found: 2, expected: 3 }),
            ]
        );
    }

    #[test]
    fn headings_are_checked_before_rows() {
        let found = faults(&["fullName,name,fullName", "a,b,c"]);
        let columns: Vec<&str> = found.iter().map(|(_, column, _)| column.as_str()).collect();
        assert_eq!(columns, ["2", "fullName", "emailAddress"]);
    }

    #[test]
    fn file_without_people_or_with_too_many_is_refused() {
        assert_eq!(faults(&["fullName,emailAddress", ","])[0].2, RowErrorKind::NoRows);
        let mut lines = vec!["fullName,emailAddress".to_owned()];
        lines.extend((0..=MAX_ROWS).map(|it| format!("A,a{it}@example.com")));
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        assert_eq!(faults(&lines), [(MAX_ROWS as u32 + 2, String::new(), RowErrorKind::TooManyRows)]);
        assert_eq!(read_rows(raw(&lines[..=MAX_ROWS]), "one").unwrap().len(), MAX_ROWS);
    }

    #[test]
    fn row_that_repeats_another_is_refused() {
        let found = faults(&["fullName,emailAddress", "Ana,ana@example.com", "Ana R,ANA@example.com"]);
        assert_eq!(found, [(3, String::new(), RowErrorKind::Repeated { line: 2 })]);
    }

    #[test]
    fn key_is_that_of_the_row_or_its_address() {
        let lines = ["fullName,emailAddress,key", "Ana,ana@example.com,7", "Bo,Bo@example.com,"];
        let keys = |scope: &str| {
            let people = read_rows(raw(&lines), scope).unwrap();
            people.into_iter().map(|it| it.key.expose().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(keys("one"), ["key\none\n7", "mail\none\nbo@example.com"]);
        assert!(keys("one").iter().zip(keys("two")).all(|(one, two)| *one != two));
    }

    #[test]
    fn reported_faults_are_limited() {
        let mut lines = vec!["fullName,emailAddress"];
        lines.extend(std::iter::repeat_n("Ana,x", MAX_FAULTS + 1));
        assert_eq!(faults(&lines).len(), MAX_FAULTS);
    }
}
