use std::time::Duration;

use link_types::archive::FileFormat;
use link_types::form_submission::FormAnswer;
use rstest::rstest;

use super::super::definition::tests::{field, form};
use super::super::transition::SentAnswers;
use super::*;
use crate::documents::archive::{ReceivedBytes, Segment};
use crate::documents::document_reader::Inspection;
use crate::fixture;
use crate::invitations::visit::Visit;

const QUOTA: UploadQuota = UploadQuota { files: 9, bytes: 5_000 };

fn form_with(rules: FileRules) -> LinkSiteForm {
    let proof = LinkSiteField { files: Some(rules), ..field("proof", LinkSiteFieldType::File, &[]) };
    form(vec![proof, field("name", LinkSiteFieldType::Text, &[])], &[])
}

fn rules(max_files: u8) -> FileRules {
    FileRules { max_files, max_bytes: 1_000, formats: vec![FileFormat::Pdf] }
}

/// A visit with a form, and its answers so far.
struct Stage {
    form: LinkSiteForm,
    visit: Visit,
    started: Option<FormSubmission>,
    context: Context,
}

impl Stage {
    fn new(rules: FileRules) -> Self {
        let (visit, context) = (fixture::visit(), fixture::context());
        Self { form: form_with(rules), visit, started: None, context }
    }

    fn add(&mut self, size_bytes: Option<u64>) -> Result<(FileId, Change), IllegalArchiveTransitionError> {
        self.add_within(size_bytes, QUOTA)
    }

    fn add_within(
        &mut self,
        size_bytes: Option<u64>,
        quota: UploadQuota,
    ) -> Result<(FileId, Change), IllegalArchiveTransitionError> {
        let new = NewFormFile {
            field: "proof".into(),
            name: Sensitive::new("C:\\papers\\pay slip.pdf"),
            size_bytes,
            sha256: None,
        };
        let Self { form, visit, started, context } = self;
        let site = super::super::site_of(&link_types::id::LinkTemplateId::from_bytes([1; 16]));
        let of = FormOfVisit { form, site, visit, started: started.clone() };
        let (stored, id, change) =
            FormSubmission::add_file(of, &new, (UploadUsage::default(), quota), context)?;
        *started = Some(stored);
        Ok((id, change))
    }

    fn change(&mut self, input: FileInput) -> Result<Change, IllegalArchiveTransitionError> {
        let Self { form, visit, started, context } = self;
        let site = super::super::site_of(&link_types::id::LinkTemplateId::from_bytes([1; 16]));
        let of = FormOfVisit { form, site, visit, started: started.clone() };
        let (stored, change) = FormSubmission::change_file(of, input, context)?;
        *started = Some(stored);
        Ok(change)
    }

    fn complete(
        &mut self,
        file: &FileId,
        length: u32,
        format: FileFormat,
    ) -> Result<Change, IllegalArchiveTransitionError> {
        let holder = FileHolder::from(&self.answers().id);
        let segment = Segment::new(holder, file, 0, length, &mut self.context);
        self.change(FileInput::Completed {
            bytes: ReceivedBytes { file_id: file.clone(), from: 0, segment },
            inspection: Inspection { format, pages: 1, pixels: 0 },
            sha256: "ab".into(),
        })
    }

    fn submit(&mut self, sent: &SentAnswers) -> Result<Change, Vec<String>> {
        let Self { form, visit, started, context } = self;
        let site = super::super::site_of(&link_types::id::LinkTemplateId::from_bytes([1; 16]));
        let of = FormOfVisit { form, site, visit, started: started.clone() };
        let submitted = FormSubmission::submit(of, sent, context);
        let (stored, change) = submitted.map_err(|it| {
            it.faults.into_iter().map(|it| format!("{} {}", it.field, it.kind)).collect::<Vec<_>>()
        })?;
        *started = Some(stored);
        Ok(change)
    }

    fn answers(&self) -> &FormSubmission {
        self.started.as_ref().unwrap()
    }
}

fn sent_answers(name: &str) -> SentAnswers {
    let texts =
        [("name", name), ("proof", "forged.pdf")].map(|(it, text)| (it.to_owned(), vec![text.to_owned()]));
    SentAnswers { texts: texts.into(), ..SentAnswers::default() }
}

const fn refusal(fault: FileFault) -> IllegalArchiveTransitionError {
    IllegalArchiveTransitionError::Refused(fault)
}

#[test]
fn file_is_an_answer_once_it_is_complete() {
    let mut stage = Stage::new(rules(1));
    let (file, change) = stage.add(Some(400)).unwrap();
    assert!(change.rows.iter().any(|it| matches!(it, Row::UploadUse(used) if used.bytes == Some(400))));
    assert_eq!(stage.submit(&sent_answers("Ana")), Err(vec!["proof is required".to_owned()]));
    drop(stage.complete(&file, 400, FileFormat::Pdf).unwrap());
    assert_eq!(stage.submit(&sent_answers("")), Err(vec!["name is required".to_owned()]), "the file stays");
    drop(stage.submit(&sent_answers("Ana")).unwrap());
    let names = FormAnswer::Chosen(vec!["pay slip.pdf".into()]);
    assert_eq!(stage.answers().content.data["proof"], names, "texts of a browser are not files");
    assert_eq!(stage.add(Some(1)).unwrap_err(), IllegalArchiveTransitionError::AlreadySubmitted);
    let removed = stage.change(FileInput::Remove(file));
    assert_eq!(removed, Err(IllegalArchiveTransitionError::AlreadySubmitted));
}

#[rstest]
#[case::empty(Some(0), Err(FileFault::Empty))]
#[case::largest(Some(1_000), Ok(()))]
#[case::too_large(Some(1_001), Err(FileFault::TooLarge))]
#[case::beyond_any_number(Some(u64::MAX), Err(FileFault::TooLarge))]
#[case::size_unknown(None, Ok(()))]
fn size_is_bounded_by_the_field(#[case] size: Option<u64>, #[case] expected: Result<(), FileFault>) {
    let added = Stage::new(rules(1)).add(size).map(drop);
    assert_eq!(added, expected.map_err(refusal));
}

#[test]
fn size_is_bounded_by_the_quota() {
    let mut stage = Stage::new(FileRules { max_bytes: 9_000, ..rules(1) });
    assert_eq!(stage.add(Some(5_001)).unwrap_err(), refusal(FileFault::QuotaExceeded));
    let (file, _) = stage.add(None).unwrap();
    assert_eq!(stage.answers().file(&file).unwrap().size_bytes(), 5_000);
}

#[test]
fn unknown_size_is_corrected_at_the_end() {
    let mut stage = Stage::new(rules(1));
    let (file, begun) = stage.add(None).unwrap();
    let used = |change: &Change| {
        let mut uses = change.rows.iter();
        uses.find_map(|it| if let Row::UploadUse(used) = it { used.bytes } else { None })
    };
    assert_eq!(used(&begun), Some(1_000), "the largest size is reserved");
    let ended = stage.complete(&file, 300, FileFormat::Pdf).unwrap();
    assert_eq!(used(&ended), Some(300));
    assert_eq!(stage.answers().file(&file).unwrap().size_bytes(), 300);
}

#[test]
fn full_field_drops_an_idle_upload_only() {
    let mut stage = Stage::new(rules(2));
    let (first, _) = stage.add(Some(10)).unwrap();
    drop(stage.complete(&first, 10, FileFormat::Pdf).unwrap());
    let (left, _) = stage.add(Some(10)).unwrap();
    stage.context = fixture::context_after(IDLE_UPLOAD - Duration::from_secs(1));
    assert_eq!(stage.add(Some(10)).unwrap_err(), refusal(FileFault::TooManyFiles), "it may be running");
    stage.context = fixture::context_after(IDLE_UPLOAD);
    let (second, change) = stage.add(Some(10)).unwrap();
    assert_eq!(change.deletions, [Deletion::File(left)]);
    drop(stage.complete(&second, 10, FileFormat::Pdf).unwrap());
    assert_eq!(stage.add(Some(10)).unwrap_err(), refusal(FileFault::TooManyFiles));
    drop(stage.change(FileInput::Remove(first)).unwrap());
    assert!(stage.add(Some(10)).is_ok());
}

#[test]
fn content_of_another_format_is_rejected() {
    let mut stage = Stage::new(rules(1));
    let (file, _) = stage.add(Some(10)).unwrap();
    let png = stage.complete(&file, 10, FileFormat::Png);
    assert_eq!(png, Err(refusal(FileFault::UnsupportedFormat)));
}

#[test]
fn rejected_file_is_the_only_fault_of_its_field() {
    let mut stage = Stage::new(rules(1));
    let kind = super::super::AnswerErrorKind::File(FileFault::Damaged);
    let faults = vec![super::super::AnswerError { field: "proof".into(), kind }];
    let found = stage.submit(&SentAnswers { faults, ..sent_answers("Ana") });
    assert_eq!(found, Err(vec!["proof a file was rejected: DAMAGED".to_owned()]));
}

#[test]
fn submitted_form_keeps_no_unfinished_file() {
    let mut stage = Stage::new(rules(2));
    let (file, _) = stage.add(Some(10)).unwrap();
    drop(stage.complete(&file, 10, FileFormat::Pdf).unwrap());
    let (left, _) = stage.add(Some(10)).unwrap();
    let change = stage.submit(&sent_answers("Ana")).unwrap();
    assert_eq!(change.deletions, [Deletion::File(left)]);
    assert_eq!(stage.answers().file_ids(), [file]);
}

#[test]
fn unfinished_files_are_removed_after_a_day() {
    let mut stage = Stage::new(rules(2));
    let (file, begun) = stage.add(Some(10)).unwrap();
    let cleanup = begun.jobs.iter().find(|it| matches!(it.kind, JobKind::RemovePartialFiles { .. })).unwrap();
    assert_eq!(cleanup.due_at, stage.context.now().tenant() + UPLOAD_LIFE);
    let early = &mut fixture::context_after(UPLOAD_LIFE - Duration::from_secs(1));
    assert_eq!(stage.answers().clone().remove_unsubmitted_files(early), Change::default());
    let change = stage.answers().clone().remove_unsubmitted_files(&mut fixture::context_after(UPLOAD_LIFE));
    assert_eq!(change.deletions, [Deletion::File(file)]);
    assert!(change.jobs.iter().any(|it| matches!(it.kind, JobKind::DeleteOrphans { .. })));
}

#[test]
fn files_of_a_form_that_is_not_submitted_are_removed() {
    let mut stage = Stage::new(rules(1));
    let (file, _) = stage.add(Some(10)).unwrap();
    drop(stage.complete(&file, 10, FileFormat::Pdf).unwrap());
    let change = stage.answers().clone().remove_unsubmitted_files(&mut fixture::context_after(UPLOAD_LIFE));
    assert_eq!(change.deletions, [Deletion::File(file)]);
    let answers = change.rows.iter().find_map(|it| if let Row::Form(form) = it { Some(form) } else { None });
    assert_eq!(answers.unwrap().content.data["proof"], FormAnswer::Unanswered);
    drop(stage.submit(&sent_answers("Ana")).unwrap());
    let late = &mut fixture::context_after(UPLOAD_LIFE);
    assert_eq!(stage.answers().clone().remove_unsubmitted_files(late), Change::default());
}

#[test]
fn removed_upload_counts_its_received_bytes() {
    let mut stage = Stage::new(FileRules { max_bytes: 1_000_000, ..rules(1) });
    let (file, _) = stage.add_within(None, UploadQuota { files: 9, bytes: 1_000_000 }).unwrap();
    let removed = stage.change(FileInput::Remove(file)).unwrap();
    let counted =
        removed.rows.iter().find_map(|it| if let Row::UploadUse(used) = it { used.bytes } else { None });
    assert_eq!(counted, Some(SEGMENT_BYTES), "a segment may be in memory");
}

#[test]
fn erasing_answers_deletes_the_objects_of_their_files() {
    let mut stage = Stage::new(rules(1));
    let (file, _) = stage.add(Some(10)).unwrap();
    let erased = stage.answers().erase(&mut fixture::context());
    assert!(erased.jobs.iter().any(|it| matches!(it.kind, JobKind::DeleteOrphans { .. })));
    drop(stage.change(FileInput::Remove(file)).unwrap());
    assert_eq!(stage.answers().erase(&mut fixture::context()).jobs, []);
}
