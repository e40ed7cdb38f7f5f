//! The limits on the streams of a file.

/// The maximum decompressed size of one stream, and of all streams together, in bytes.
pub(super) const MAX_STREAM_BYTES: u64 = 128_000_000;
pub(super) const MAX_TOTAL_BYTES: u64 = 512_000_000;
/// The maximum number of filters of a stream.
pub(super) const MAX_FILTERS: usize = 4;
