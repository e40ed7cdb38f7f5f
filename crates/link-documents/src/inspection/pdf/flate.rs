//! Measures and decompresses deflate data in constant memory.

use flate2::{Decompress, FlushDecompress, Status};

/// The maximum growth of deflate data: two bits can represent 258 bytes.
const MAX_GROWTH: u64 = 1032;
/// The number of decompressed bytes that are held at a time.
const PIECE: usize = 32_768;

/// The result of decompressing.
pub(super) struct Unfolded {
    /// The number of decompressed bytes.
    pub size: u64,
    /// The number of compressed bytes that were read for them.
    pub read: u64,
    /// How it ended.
    pub end: End,
}

/// How compressed data ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// At its end marker.
    InOrder,
    /// Before its end marker.
    Early,
    /// At invalid data.
    Faulty,
}

/// Returns whether data begins with a zlib header without a preset dictionary.
pub(super) fn begins_like_zlib(data: &[u8]) -> bool {
    const DICTIONARY: u8 = 0x20;
    match data {
        [method, flags, ..] => {
            method & 0x0F == 8
                && u16::from_be_bytes([*method, *flags]).is_multiple_of(31)
                && flags & DICTIONARY == 0
        }
        [_] | [] => false,
    }
}

/// Returns the maximum decompressed size of data, whichever way a parser treats its errors: with zlib's header, without
/// it, or by continuing after an error. `None` if that exceeds `allowed`.
pub(super) fn max_unfolded_bytes(data: &[u8], allowed: u64) -> Option<u64> {
    let bare = unfold(data, allowed, |_| ())?;
    let most = match data.get(2..).filter(|_| begins_like_zlib(data)) {
        Some(body) => max_size(body, &unfold(body, allowed, |_| ())?).max(bare.size),
        None => max_size(data, &bare),
    };
    (most <= allowed).then_some(most)
}

/// Returns the maximum size if a parser continues after an error.
fn max_size(data: &[u8], unfolded: &Unfolded) -> u64 {
    match unfolded.end {
        End::InOrder | End::Early => unfolded.size,
        End::Faulty => unfolded.size + (data.len() as u64).saturating_sub(unfolded.read) * MAX_GROWTH,
    }
}

/// Returns the decompressed bytes. `None` if the data has an error or exceeds `most` bytes.
pub(super) fn decompress(data: &[u8], most: u64) -> Option<Vec<u8>> {
    let body = if begins_like_zlib(data) { data.get(2..)? } else { data };
    let mut bytes = Vec::new();
    let unfolded = unfold(body, most, |piece| bytes.extend_from_slice(piece))?;
    (unfolded.end != End::Faulty).then_some(bytes)
}

/// Decompresses data without a zlib header piece by piece. Returns `None` if it exceeds `allowed`.
pub(super) fn unfold(data: &[u8], allowed: u64, mut take: impl FnMut(&[u8])) -> Option<Unfolded> {
    let mut inflater = Decompress::new(false);
    let mut piece = vec![0; PIECE];
    loop {
        let (read, written) = (inflater.total_in(), inflater.total_out());
        let rest = usize::try_from(read).ok().and_then(|read| data.get(read..)).unwrap_or_default();
        let status = inflater.decompress(rest, &mut piece, FlushDecompress::None);
        let size = inflater.total_out();
        if size > allowed {
            return None;
        }
        let fresh = usize::try_from(size - written).unwrap_or(usize::MAX);
        take(piece.get(..fresh).unwrap_or_default());
        let stuck = (inflater.total_in(), size) == (read, written);
        let end = match status {
            Err(_) => End::Faulty,
            Ok(Status::StreamEnd) => End::InOrder,
            Ok(Status::Ok | Status::BufError) if stuck => End::Early,
            Ok(Status::Ok | Status::BufError) => continue,
        };
        return Some(Unfolded { size, read: inflater.total_in(), end });
    }
}
