//! Repeated creation of archives and repeated announcements of files.

use rstest::rstest;

use super::*;
use crate::linking::consent::GivenIn;

const SPAN: Duration = Duration::from_secs(3_600);

fn is_again(archive: &Archive, new: &NewArchive, after: Duration) -> bool {
    archive.is_begun_by(new, later(after).now().tenant(), SPAN)
}

#[test]
fn repeated_creation_is_recognized_until_a_file_is_added() {
    let mut context = fixture::context();
    let archive = begin_archive(&mut context);
    assert!(is_again(&archive, &new_archive(), SPAN));
    assert!(!is_again(&archive, &new_archive(), SPAN + Duration::from_secs(1)), "outside the time span");
    let other_kind = NewArchive { archive_type: ArchiveType::Clearance, ..new_archive() };
    let other_attempt = NewArchive { attempt_id: AttemptId::from_bytes([7; 16]), ..new_archive() };
    let mut other_consent = new_archive();
    other_consent.consent.receipt.locale = "fil".into();
    let mut on_a_phone = new_archive();
    on_a_phone.consent.given_in = Some(GivenIn { session_id: fixture::session().id, handoff: Some(1) });
    for new in [other_kind, other_attempt, other_consent, on_a_phone] {
        assert!(!is_again(&archive, &new, Duration::ZERO), "{new:?}");
    }
    let with_file = after(archive, adds(file(FileSlot::Page, 5)), &mut context);
    assert!(!is_again(&with_file, &new_archive(), Duration::ZERO));
    let ended = after(begin_archive(&mut context), ArchiveInput::Discard, &mut context);
    assert!(!is_again(&ended, &new_archive(), Duration::ZERO));
}

#[rstest]
#[case::same(file(FileSlot::Page, SIZE.into()), true)]
#[case::different_folder(NewFile { name: Sensitive::new("C:\\pay slip.pdf"), ..file(FileSlot::Page, SIZE.into()) }, true)]
#[case::different_slot(file(FileSlot::Front, SIZE.into()), false)]
#[case::different_size(file(FileSlot::Page, 5), false)]
#[case::different_name(NewFile { name: Sensitive::new("b.pdf"), ..file(FileSlot::Page, SIZE.into()) }, false)]
#[case::with_a_digest(NewFile { sha256: Some(DIGEST.into()), ..file(FileSlot::Page, SIZE.into()) }, false)]
fn repeated_announcement_is_recognized_until_bytes_arrive(#[case] again: NewFile, #[case] is_same: bool) {
    let mut context = fixture::context();
    let archive = after(begin_archive(&mut context), adds(file(FileSlot::Page, SIZE.into())), &mut context);
    let id = last_file(&archive);
    assert_eq!(archive.find_announced(&again).map(UploadingFile::id), is_same.then_some(&id));
    let touched = after(archive.clone(), receives(&archive, &id, 0, 1), &mut context);
    assert_eq!(touched.find_announced(&again), None, "the sender already knows the file's id");
}
