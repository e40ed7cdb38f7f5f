//! Rows of a portable backup: tuples of PostgreSQL's binary `COPY`, which the server reads and writes as they are.

use bytes::{Buf, BufMut, Bytes, BytesMut};

/// The start of a binary `COPY`: a signature, then flags and the length of an extension, both 0.
pub(super) const COPY_HEADER: &[u8; 19] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
/// The end of a binary `COPY`.
pub(super) const COPY_TRAILER: &[u8; 2] = b"\xff\xff";

/// Writes a tuple field by field.
pub(super) struct RowBuilder(BytesMut);

impl RowBuilder {
    /// Begins a tuple with this number of fields.
    pub(super) fn new(fields: usize) -> RowBuilder {
        let mut bytes = BytesMut::new();
        bytes.put_i16(i16::try_from(fields).unwrap_or(i16::MAX));
        RowBuilder(bytes)
    }

    pub(super) fn push_null(&mut self) {
        self.0.put_i32(-1);
    }

    pub(super) fn push_int(&mut self, value: i64) {
        self.push_bytes(&value.to_be_bytes());
    }

    /// Adds a text or bytes. SQLite's limit of a value is below 2 GiB, and so is PostgreSQL's.
    pub(super) fn push_bytes(&mut self, value: &[u8]) {
        self.0.put_i32(i32::try_from(value.len()).unwrap_or(i32::MAX));
        self.0.put_slice(value);
    }

    pub(super) fn push(&mut self, value: Option<&[u8]>) {
        match value {
            Some(value) => self.push_bytes(value),
            None => self.push_null(),
        }
    }

    pub(super) fn finish(self) -> Bytes {
        self.0.freeze()
    }
}

/// Returns the length of the first tuple, or `None` if the bytes end before it does.
fn length_of_first(bytes: &[u8]) -> Option<usize> {
    let (count, mut rest) = bytes.split_first_chunk::<2>()?;
    for _ in 0..i16::from_be_bytes(*count).max(0) {
        let (length, after) = rest.split_first_chunk::<4>()?;
        let length = usize::try_from(i32::from_be_bytes(*length)).unwrap_or(0);
        rest = after.get(length..)?;
    }
    Some(bytes.len() - rest.len())
}

/// Takes the first tuple off the bytes.
pub(super) fn split_row(bytes: &mut Bytes) -> Option<Bytes> {
    length_of_first(bytes).map(|length| bytes.split_to(length))
}

/// Returns the fields of a tuple. `None` if it does not have this number of fields.
pub(super) fn fields_of(row: &[u8], count: usize) -> Option<Vec<Option<&[u8]>>> {
    let (found, mut rest) = row.split_first_chunk::<2>()?;
    if usize::try_from(i16::from_be_bytes(*found)) != Ok(count) {
        return None;
    }
    let mut fields = Vec::with_capacity(count);
    for _ in 0..count {
        let (length, after) = rest.split_first_chunk::<4>()?;
        let Ok(length) = usize::try_from(i32::from_be_bytes(*length)) else {
            fields.push(None);
            rest = after;
            continue;
        };
        let (field, after) = after.split_at_checked(length)?;
        fields.push(Some(field));
        rest = after;
    }
    rest.is_empty().then_some(fields)
}

/// Returns the value of a BIGINT field.
pub(super) fn int_of(field: Option<&[u8]>) -> Option<i64> {
    field?.try_into().ok().map(i64::from_be_bytes)
}

/// Returns the value of a TEXT field.
pub(super) fn text_of(field: Option<&[u8]>) -> Option<&str> {
    std::str::from_utf8(field?).ok()
}

/// Finds the tuples in the pieces of a binary `COPY`.
#[derive(Default)]
pub(super) struct CopyRows {
    buffer: BytesMut,
    began: bool,
}

impl CopyRows {
    /// Adds a piece.
    pub(super) fn push(&mut self, piece: &[u8]) {
        self.buffer.extend_from_slice(piece);
    }

    /// Returns the next complete tuple.
    pub(super) fn next_row(&mut self) -> Option<Bytes> {
        if !self.began {
            let extension = self.buffer.get(15..COPY_HEADER.len())?.try_into().ok()?;
            let header = COPY_HEADER.len() + u32::from_be_bytes(extension) as usize;
            if self.buffer.len() < header {
                return None;
            }
            self.buffer.advance(header);
            self.began = true;
        }
        if self.buffer.starts_with(COPY_TRAILER) {
            return None;
        }
        let length = length_of_first(&self.buffer)?;
        Some(self.buffer.split_to(length).freeze())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> Bytes {
        let mut row = RowBuilder::new(3);
        row.push_int(-7);
        row.push_null();
        row.push_bytes(b"text");
        row.finish()
    }

    #[test]
    fn fields_of_a_row_are_read_back() {
        let row = row();
        let fields = fields_of(&row, 3).unwrap();
        assert_eq!(int_of(fields[0]), Some(-7));
        assert_eq!(fields[1], None);
        assert_eq!(text_of(fields[2]), Some("text"));
        assert!(fields_of(&row, 2).is_none());
        assert!(fields_of(&row[..row.len() - 1], 3).is_none());
    }

    #[test]
    fn rows_of_a_copy_are_found_in_any_pieces() {
        let copy = [COPY_HEADER.as_slice(), &row(), &row(), COPY_TRAILER].concat();
        for size in [1, 5, copy.len()] {
            let (mut rows, mut found) = (CopyRows::default(), Vec::new());
            for piece in copy.chunks(size) {
                rows.push(piece);
                found.extend(std::iter::from_fn(|| rows.next_row()));
            }
            assert_eq!(found, [row(), row()], "{size}");
        }
    }
}
