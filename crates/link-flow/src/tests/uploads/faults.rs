//! Every rejected file shows why, before a byte of it is sent.

use link_types::archive::{
    ArchiveType, FileFault, FileFormat, FileSlot, MAX_FILE_BYTES, MAX_FILES, MAX_PAGES, MAX_PIXELS,
};
use link_types::uploading::FileFact;

use super::hands::Hands;
use super::{at_upload, rows, tell};
use crate::event::FilePress;
use crate::generated::message::Message;

/// Returns the error of a file with these properties.
fn error_of(
    size_bytes: u32,
    format: Option<FileFormat>,
    pages: Option<u32>,
    pixels: Option<u32>,
    fault: Option<FileFault>,
) -> Option<crate::view::Text> {
    let mut harness = at_upload(ArchiveType::Payslip);
    let slot = FileSlot::Page;
    tell(
        &mut harness,
        FileFact::Picked { handle: 1, slot, name: "a".to_owned(), size_bytes, from_camera: false },
    );
    let sha256 = Some("0".to_owned());
    tell(
        &mut harness,
        FileFact::Inspected {
            handle: 1,
            size_bytes,
            format,
            pages,
            pixels,
            sha256,
            fault,
            preview: None,
            photo: None,
        },
    );
    let row = rows(&harness).remove(0);
    assert_eq!(
        row.error,
        harness.announcement().filter(|_| row.error.is_some()),
        "the error is also announced"
    );
    row.error
}

#[test]
fn rejected_file_shows_reason() {
    let pdf = Some(FileFormat::Pdf);
    let (pages, pixels) = (u32::from(MAX_PAGES), MAX_PIXELS);
    for (error, expected) in [
        (error_of(0, None, None, None, None), Message::FileEmpty),
        (error_of(10, None, None, None, None), Message::FileUnsupported),
        (error_of(10, None, None, None, Some(FileFault::Damaged)), Message::FileDamaged),
        (error_of(MAX_FILE_BYTES + 1, pdf, None, None, None), Message::FileTooLarge),
        (error_of(10, pdf, None, None, Some(FileFault::Encrypted)), Message::FileEncrypted),
        (error_of(10, pdf, None, None, Some(FileFault::Damaged)), Message::FileDamaged),
        (error_of(10, pdf, Some(pages + 1), None, None), Message::FileTooManyPages),
        (error_of(10, Some(FileFormat::Png), Some(1), Some(pixels + 1), None), Message::FileTooManyPixels),
    ] {
        assert_eq!(error, Some(expected.into()));
    }
    assert_eq!(error_of(MAX_FILE_BYTES, pdf, Some(pages), None, None), None);
    assert_eq!(error_of(10, Some(FileFormat::Tiff), None, Some(pixels), None), None);
    assert_eq!(
        error_of(10, pdf, None, None, None),
        None,
        "the service checks what the widget did not inspect"
    );
}

#[test]
fn duplicate_and_extra_files_are_rejected() {
    let mut hands = Hands::new(at_upload(ArchiveType::Payslip));
    hands.pick(FileSlot::Page, 100);
    let duplicate = hands.report_picked(FileSlot::Page, 100);
    hands.inspect(duplicate, 100, None, &format!("{:064}", 1));
    assert_eq!(rows(&hands.harness)[1].error, Some(Message::FileDuplicate.into()));
    for _ in 1..MAX_FILES {
        hands.pick(FileSlot::Page, 100);
    }
    assert_eq!(super::zones(&hands.harness), 0, "the list is full");
    let last = hands.pick(FileSlot::Page, 100);
    let row = rows(&hands.harness).into_iter().find(|row| row.handle == last).unwrap();
    assert_eq!(row.error, Some(Message::FileTooMany.into()));
    hands.press(FilePress::Remove, duplicate);
    hands.press(FilePress::Remove, last);
    hands.press(FilePress::Remove, 1);
    assert_eq!(rows(&hands.harness).len(), usize::from(MAX_FILES) - 1);
    assert_eq!(super::zones(&hands.harness), 1);
}

#[test]
fn two_pictures_fill_both_sides_of_card() {
    let mut hands = Hands::new(at_upload(ArchiveType::Identification));
    assert_eq!(super::zones(&hands.harness), 2);
    hands.pick(FileSlot::Back, 100);
    hands.pick(FileSlot::Back, 200);
    assert_eq!(super::zones(&hands.harness), 0);
    hands.pick(FileSlot::Front, 300);
    let errors: Vec<_> = rows(&hands.harness).into_iter().filter_map(|row| row.error).collect();
    assert_eq!(errors, [Message::FileTooMany.into()]);
}

#[test]
fn file_refused_by_service_can_be_removed() {
    for (fault, expected) in FileFault::ALL.iter().zip([
        Message::FileEmpty,
        Message::FileTooLarge,
        Message::FileUnsupported,
        Message::FileExtra,
        Message::FileEncrypted,
        Message::FileDamaged,
        Message::FileTooManyPages,
        Message::FileTooManyPixels,
        Message::FileTooMany,
        Message::FileQuota,
        Message::FileMismatch,
    ]) {
        let mut hands = Hands::new(at_upload(ArchiveType::Payslip));
        let handle = hands.pick(FileSlot::Page, 100);
        hands.cut(handle, 422, Some(*fault));
        assert_eq!(rows(&hands.harness)[0].error, Some(expected.into()));
        assert!(!super::may_submit(&hands.harness));
        hands.press(FilePress::Remove, handle);
        assert_eq!(rows(&hands.harness), []);
    }
}
