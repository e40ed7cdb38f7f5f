//! What deflated bytes unfold to, in constant memory.

use flate2::{Decompress, FlushDecompress, Status};

/// What a byte of deflated data comes to at most: two bits stand for 258 bytes.
const GROWTH: u64 = 1032;
/// Unfolded bytes that are held at a time.
const PIECE: usize = 32_768;

/// How unfolding went.
pub(super) struct Unfolded {
    /// Unfolded bytes.
    pub size: u64,
    /// Bytes of the data that were read for them.
    pub read: u64,
    /// How it ended.
    pub end: End,
}

/// How data ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// Where it says so.
    InOrder,
    /// Before it says so.
    Early,
    /// At something that is no deflated data.
    Faulty,
}

/// Whether data begins like zlib's, without a dictionary of its own.
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

/// The most that data unfolds to, however a parser takes its faults: by zlib's rules, without them, or going on past a
/// fault. Null when that is more than allowed.
pub(super) fn unfolded_bytes(data: &[u8], allowed: u64) -> Option<u64> {
    let bare = unfold(data, allowed, |_| ())?;
    let most = match data.get(2..).filter(|_| begins_like_zlib(data)) {
        Some(body) => at_most(body, &unfold(body, allowed, |_| ())?).max(bare.size),
        None => at_most(data, &bare),
    };
    (most <= allowed).then_some(most)
}

/// What it comes to when a parser goes on past a fault.
fn at_most(data: &[u8], unfolded: &Unfolded) -> u64 {
    match unfolded.end {
        End::InOrder | End::Early => unfolded.size,
        End::Faulty => unfolded.size + (data.len() as u64).saturating_sub(unfolded.read) * GROWTH,
    }
}

/// The unfolded bytes of data without a fault; null of other data, and of more than so many bytes.
pub(super) fn unfolded(data: &[u8], most: u64) -> Option<Vec<u8>> {
    let body = if begins_like_zlib(data) { data.get(2..)? } else { data };
    let mut bytes = Vec::new();
    let unfolded = unfold(body, most, |piece| bytes.extend_from_slice(piece))?;
    (unfolded.end != End::Faulty).then_some(bytes)
}

/// Unfolds data without zlib's head, piece by piece; null when it comes to more than allowed.
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
