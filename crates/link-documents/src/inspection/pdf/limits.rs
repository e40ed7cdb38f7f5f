//! The limits on the streams of a file.

/// The maximum decompressed size of one stream, and of all streams together, in bytes.
pub(super) const ONE: u64 = 128_000_000;
pub(super) const ALL: u64 = 512_000_000;
/// The maximum number of filters of a stream.
pub(super) const FILTERS: usize = 4;
