//! The rows of a file of text: the separator, the encoding and the lines.

use csv::ReaderBuilder;
use link_domain::invitations::invite_file::RawRow;
use link_types::Sensitive;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// The separators that a first line can have.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

/// Error for a file that is not a table of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum TableError {
    /// The file is UTF-16, as some spreadsheets write it.
    #[error("the file is in UTF-16. Save it as CSV in UTF-8")]
    Utf16,
    /// The file has other bytes than UTF-8.
    #[error("line {line} is not in UTF-8. Save the file as CSV in UTF-8")]
    Encoding {
        /// The line.
        line: usize,
    },
    /// The file is of another program.
    #[error("this is not a file of text. Save the table as CSV in UTF-8")]
    Binary,
    /// A quotation mark has no end.
    #[error("a quotation mark that opens in line {line} does not close")]
    Quote {
        /// The line.
        line: usize,
    },
}

/// Reads the rows of a file. The separator is the one that the first line has most: a comma, a semicolon or a tab.
///
/// # Errors
/// [`TableError`] for a file that is not a table of text in UTF-8.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<RawRow>, TableError> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(TableError::Utf16);
    }
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    if bytes.contains(&0) {
        return Err(TableError::Binary);
    }
    if let Err(error) = std::str::from_utf8(bytes) {
        let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
        return Err(TableError::Encoding { line: 1 + before.iter().filter(|it| **it == b'\n').count() });
    }
    let first = bytes.split(|it| matches!(it, b'\n' | b'\r')).next().unwrap_or_default();
    let count = |separator: u8| first.iter().filter(|it| **it == separator).count();
    let separator = SEPARATORS.into_iter().rev().max_by_key(|it| count(*it)).unwrap_or(b',');
    let mut reader =
        ReaderBuilder::new().has_headers(false).flexible(true).delimiter(separator).from_reader(bytes);
    let mut rows = Vec::new();
    let (mut at, mut line) = (0, 1_usize);
    for record in reader.records() {
        // The bytes are UTF-8 and the rows may differ in length, so that no record is refused.
        let Ok(record) = record else { return Err(TableError::Binary) };
        let start = record.position().and_then(|it| usize::try_from(it.byte()).ok()).unwrap_or(at);
        // The library counts the second half of a line end as part of the next row.
        let ends = bytes.get(start..).unwrap_or_default().iter().take_while(|it| matches!(it, b'\n' | b'\r'));
        let start = start + ends.count();
        line += bytes.get(at..start).unwrap_or_default().iter().filter(|it| **it == b'\n').count();
        at = start;
        let cells = record.iter().map(Sensitive::new).collect();
        rows.push(RawRow { line: u32::try_from(line).unwrap_or(u32::MAX), cells });
    }
    if !has_closed_quotes(bytes, separator) {
        return Err(TableError::Quote { line });
    }
    Ok(rows)
}

/// A place in a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Start,
    Plain,
    Quoted,
    Closed,
}

/// Returns whether each cell that begins with a quotation mark ends with one. The library takes the rest of the file as
/// one cell otherwise.
fn has_closed_quotes(bytes: &[u8], separator: u8) -> bool {
    let next = |place, byte: &u8| match place {
        Place::Start | Place::Closed if *byte == b'"' => Place::Quoted,
        Place::Quoted if *byte == b'"' => Place::Closed,
        Place::Quoted => Place::Quoted,
        Place::Start | Place::Plain | Place::Closed => {
            let is_end = *byte == separator || matches!(byte, b'\n' | b'\r');
            if is_end { Place::Start } else { Place::Plain }
        }
    };
    bytes.iter().fold(Place::Start, next) != Place::Quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(bytes: &[u8]) -> Vec<(u32, Vec<String>)> {
        let rows = read(bytes).unwrap();
        let cells = |it: RawRow| it.cells.iter().map(|cell| cell.expose().to_owned()).collect();
        rows.into_iter().map(|it| (it.line, cells(it))).collect()
    }

    fn row(line: u32, cells: &[&str]) -> (u32, Vec<String>) {
        (line, cells.iter().map(|it| (*it).to_owned()).collect())
    }

    #[test]
    fn separators_line_ends_and_byte_order_marks_are_read() {
        let expected = [row(1, &["fullName", "emailAddress"]), row(2, &["Núñez, Ana", "ana@example.com"])];
        for text in [
            "fullName,emailAddress\n\"Núñez, Ana\",ana@example.com\n",
            "\u{feff}fullName;emailAddress\r\nNúñez, Ana;ana@example.com\r\n",
            "fullName\temailAddress\nNúñez, Ana\tana@example.com",
        ] {
            assert_eq!(rows(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn quoted_line_breaks_count_as_lines_and_stay_in_the_cell() {
        let text = "a,b\r\n\"one\r\ntwo\",\"say \"\"hi\"\"\"\r\nc,d\r\n";
        let found = rows(text.as_bytes());
        assert_eq!(found[1..], [row(2, &["one\r\ntwo", "say \"hi\""]), row(4, &["c", "d"])]);
    }

    #[test]
    fn other_encodings_and_files_are_named() {
        assert_eq!(read(b"\xff\xfea\0"), Err(TableError::Utf16));
        assert_eq!(read(b"name\nN\xfa\xf1ez"), Err(TableError::Encoding { line: 2 }));
        assert_eq!(read(b"PK\x03\x04\0\0"), Err(TableError::Binary));
        assert_eq!(read(b"a,b\n1,2\n\"x,3\n4,5\n"), Err(TableError::Quote { line: 3 }));
    }

    #[test]
    fn two_marks_in_quotes_are_not_an_open_quote() {
        assert!(read(b"a\n\"x\"\"\"\ny\n").is_ok());
        assert!(read(b"a\n\"x\"\"\ny\n").is_err());
        assert!(read(b"a\nx\"y\n").is_ok(), "a mark in a cell without quotes is text");
    }
}
