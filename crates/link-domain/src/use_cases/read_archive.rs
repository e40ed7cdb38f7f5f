//! When the files of an archive are read again.

use link_types::archive::ArchiveErrorCode;

use crate::documents::document_reader::DocumentReading;

/// The number of attempts before an archive fails with SERVICE_UNAVAILABLE because the reader is unavailable. The wait
/// starts at 2 seconds and doubles each time.
const ATTEMPTS: u32 = 4;

/// Returns whether the files must be read again, because the reader is unavailable. `attempts` includes the one with
/// this result.
pub fn must_read_again(reading: &DocumentReading, attempts: u32) -> bool {
    let unavailable = DocumentReading::Failed { code: ArchiveErrorCode::ServiceUnavailable };
    *reading == unavailable && attempts < ATTEMPTS
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::third_attempt(ArchiveErrorCode::ServiceUnavailable, 3, true)]
    #[case::last_attempt(ArchiveErrorCode::ServiceUnavailable, 4, false)]
    #[case::unreadable_file(ArchiveErrorCode::FileUnreadable, 1, false)]
    fn files_are_read_four_times_while_the_reader_is_unavailable(
        #[case] code: ArchiveErrorCode,
        #[case] attempts: u32,
        #[case] expected: bool,
    ) {
        assert_eq!(must_read_again(&DocumentReading::Failed { code }, attempts), expected);
    }
}
