//! Examples from the life cycle of an archive.

use link_types::TaskErrorCode;
use link_types::archive::{ArchiveStatus, ExtractedField, FileFault, MAX_FILE_BYTES, MAX_FILES};
use link_types::data::DataPointKind;
use link_types::event::EventType;
use link_types::link::DataChoice;
use link_types::uploading::ArchivePhase;
use rstest::rstest;

use super::*;
use crate::change::job::JobKind;
use crate::change::{Deletion, Row};
use crate::kernel::scope::ErasureScope;

fn refusal(archive: &Archive, file: NewFile, usage: UploadUsage) -> Option<IllegalArchiveTransitionError> {
    let input = ArchiveInput::AddFile { file, usage, quota: QUOTA };
    archive.clone().apply(input, &mut fixture::context()).err()
}

#[rstest]
#[case::empty(0, Some(FileFault::Empty))]
#[case::one_byte(1, None)]
#[case::maximum(u64::from(MAX_FILE_BYTES), None)]
#[case::one_byte_over(u64::from(MAX_FILE_BYTES) + 1, Some(FileFault::TooLarge))]
#[case::u64_max(u64::MAX, Some(FileFault::TooLarge))]
fn file_of_unacceptable_announced_size_is_rejected(#[case] size: u64, #[case] fault: Option<FileFault>) {
    let archive = begin_archive(&mut fixture::context());
    let error = refusal(&archive, file(FileSlot::Page, size), UploadUsage::default());
    assert_eq!(error, fault.map(IllegalArchiveTransitionError::Refused));
}

#[test]
fn second_front_and_eleventh_file_are_rejected() {
    let mut context = fixture::context();
    let mut archive = after(begin_archive(&mut context), adds(file(FileSlot::Front, 5)), &mut context);
    let taken = Some(IllegalArchiveTransitionError::Refused(FileFault::TooManyFiles));
    assert_eq!(refusal(&archive, file(FileSlot::Front, 5), UploadUsage::default()), taken);
    for _ in 1..MAX_FILES {
        archive = after(archive, adds(file(FileSlot::Page, 5)), &mut context);
    }
    assert_eq!(refusal(&archive, file(FileSlot::Back, 5), UploadUsage::default()), taken);
}

#[rstest]
#[case::too_many_files(UploadUsage { archives: 1, files: QUOTA.files, bytes: 0 }, false)]
#[case::too_many_bytes(UploadUsage { archives: 1, files: 1, bytes: QUOTA.bytes - 4 }, false)]
#[case::just_enough(UploadUsage { archives: 1, files: QUOTA.files - 1, bytes: QUOTA.bytes - 5 }, true)]
fn file_over_the_user_quota_is_rejected(#[case] usage: UploadUsage, #[case] admitted: bool) {
    let archive = begin_archive(&mut fixture::context());
    let error = refusal(&archive, file(FileSlot::Page, 5), usage);
    let fault = (!admitted).then_some(IllegalArchiveTransitionError::Refused(FileFault::QuotaExceeded));
    assert_eq!(error, fault);
}

#[test]
fn archive_over_the_user_quota_is_rejected() {
    let mut context = fixture::context();
    let usage = UploadUsage { archives: QUOTA.files, files: 0, bytes: 0 };
    let error = Archive::begin(new_archive(), usage, QUOTA, &mut context).unwrap_err();
    assert_eq!(error, IllegalArchiveTransitionError::QuotaExceeded);
    let (archive, change) =
        Archive::begin(new_archive(), UploadUsage::default(), QUOTA, &mut context).unwrap();
    let counted = |rows: &[Row]| -> Vec<Option<u32>> {
        rows.iter()
            .filter_map(|row| if let Row::UploadUse(it) = row { Some(it.bytes) } else { None })
            .collect()
    };
    assert_eq!(counted(&change.rows), [None]);
    let (_, change) = archive.apply(adds(file(FileSlot::Page, 5)), &mut context).unwrap();
    assert_eq!(counted(&change.rows), [Some(5)]);
}

#[rstest]
#[case::from_the_start_again(0, SEGMENT_BYTES)]
#[case::with_a_gap(SEGMENT_BYTES * 2, 1)]
#[case::no_new_bytes(SEGMENT_BYTES + 100, 100)]
#[case::last_bytes_without_inspection(SEGMENT_BYTES + 100, SIZE - SEGMENT_BYTES)]
#[case::beyond_the_end(SEGMENT_BYTES + 100, SEGMENT_BYTES)]
fn bytes_at_the_wrong_offset_are_rejected(#[case] from: u32, #[case] length: u32) {
    let mut context = fixture::context();
    let archive = after(begin_archive(&mut context), adds(file(FileSlot::Page, SIZE.into())), &mut context);
    let id = last_file(&archive);
    let input = receives(&archive, &id, 0, SEGMENT_BYTES);
    let archive = after(archive, input, &mut context);
    let input = receives(&archive, &id, SEGMENT_BYTES, 100);
    let archive = after(archive, input, &mut context);
    let error = archive.clone().apply(receives(&archive, &id, from, length), &mut context).unwrap_err();
    assert_eq!(error, IllegalArchiveTransitionError::StaleOffset { received: SEGMENT_BYTES + 100 });
}

#[test]
fn short_segment_is_replaced_by_a_longer_one() {
    let mut context = fixture::context();
    let archive = after(begin_archive(&mut context), adds(file(FileSlot::Page, SIZE.into())), &mut context);
    let id = last_file(&archive);
    let input = receives(&archive, &id, 0, 700);
    let archive = after(archive, input, &mut context);
    let longer = segment(&archive, &id, 0, SEGMENT_BYTES);
    let input =
        ArchiveInput::Received(ReceivedBytes { file_id: id.clone(), from: 700, segment: longer.clone() });
    let (archive, change) = archive.apply(input, &mut context).unwrap();
    assert_eq!(archive.uploading(&id).unwrap().received_bytes(), SEGMENT_BYTES);
    assert!(change.rows.contains(&Row::Segment(longer)));
}

#[test]
fn file_not_matching_its_announced_digest_is_rejected() {
    let mut context = fixture::context();
    let announced = NewFile { sha256: Some("cd".into()), ..file(FileSlot::Page, 5) };
    let archive = after(begin_archive(&mut context), adds(announced), &mut context);
    let input = completes(&archive, &last_file(&archive), 0, 5);
    let error = archive.apply(input, &mut context).unwrap_err();
    assert_eq!(error, IllegalArchiveTransitionError::Refused(FileFault::HashMismatch));
}

#[test]
fn file_name_is_sanitized_and_hidden_from_debug() {
    let mut context = fixture::context();
    let named =
        NewFile { name: Sensitive::new("C:\\scans/..\\my\u{0} slip\n.pdf"), ..file(FileSlot::Page, 5) };
    let archive = after(begin_archive(&mut context), adds(named), &mut context);
    assert_eq!(archive.progress(later(Duration::ZERO).now().tenant()).files[0].name, "my slip.pdf");
    assert!(!format!("{archive:?}").contains("my slip"));
}

#[test]
fn removed_file_deletes_its_rows_and_schedules_orphan_deletion() {
    let mut context = fixture::context();
    let archive = upload_file(&mut context);
    let id = last_file(&archive);
    let (archive, change) =
        archive.apply(ArchiveInput::RemoveFile { file_id: id.clone() }, &mut context).unwrap();
    assert_eq!(change.deletions, [Deletion::File(id)]);
    assert!(change.jobs.iter().any(
        |job| matches!(&job.kind, JobKind::DeleteOrphans { holder, .. } if *holder == (&archive.id).into())
    ));
}

#[test]
fn discarded_archive_is_deleted_without_events() {
    let mut context = fixture::context();
    let archive = upload_file(&mut context);
    let (archive, change) = archive.apply(ArchiveInput::Discard, &mut context).unwrap();
    assert_eq!(types(&change.events), [""; 0]);
    assert_eq!(change.deletions, [Deletion::Archive(archive.id)]);
}

#[test]
fn submit_schedules_reading_and_expiry_after_60_days() {
    let mut context = fixture::context();
    let archive = upload_file(&mut context);
    let (archive, change) = archive.apply(ArchiveInput::Submit, &mut context).unwrap();
    let due = |wanted: &JobKind| change.jobs.iter().find(|job| job.kind == *wanted).map(|job| job.due_at);
    let archive_id = archive.id.clone();
    let analyze = JobKind::AnalyzeArchive { archive_id: archive_id.clone(), task_id: task(&archive) };
    assert_eq!(due(&analyze), Some(context.now().tenant()));
    assert_eq!(due(&JobKind::ExpireArchive { archive_id }), Some(archive.created_at + RETENTION));
}

#[test]
fn document_of_the_wrong_kind_fails_the_archive() {
    let mut context = fixture::context();
    let archive = submit_archive(&mut context);
    let input = ends_reading(&archive, read(ArchiveType::BankStatement));
    let (archive, change) = archive.apply(input, &mut context).unwrap();
    assert_eq!(archive.status(), Some(ArchiveStatus::Unsupported));
    assert_eq!(types(&change.events), ["ARCHIVE_FAILED", "TASK_FINISHED"]);
    let body = |wanted: EventType| -> serde_json::Value {
        let event = change.events.iter().find(|event| event.event_type == wanted).unwrap();
        serde_json::from_slice(event.body(true)).unwrap()
    };
    let event = body(EventType::ArchiveFailed);
    assert_eq!(event["data"]["errorCode"], "FILE_WRONG_TYPE");
    assert_eq!(event["data"]["errorMessage"], ArchiveErrorCode::FileWrongType.message());
    let task = body(EventType::TaskFinished);
    assert_eq!(task["data"]["taskType"], "ANALYZE_ARCHIVE");
    assert_eq!(task["data"]["sourceType"], "ARCHIVE");
    assert_eq!(task["data"]["status"], "FAILED");
    assert_eq!(task["data"]["errorCode"], "FILE_WRONG_TYPE");
    let stored = change
        .rows
        .iter()
        .find_map(|row| if let Row::Task(task) = row { task.view().error_code } else { None });
    assert_eq!(stored, Some(TaskErrorCode::FileWrongType));
    assert!(!change.rows.iter().any(|row| matches!(row, Row::DataPoint(_))));
}

#[rstest]
#[case::all_pages(false, "SUCCEEDED")]
#[case::some_pages(true, "PARTIAL")]
fn task_status_reports_whether_every_page_was_read(#[case] in_part: bool, #[case] status: &str) {
    let mut context = fixture::context();
    let archive = submit_archive(&mut context);
    let mut reading = read(ArchiveType::Payslip);
    if in_part && let DocumentReading::Read { extracted, batch } = reading {
        reading = DocumentReading::ReadInPart { extracted, batch };
    }
    let input = ends_reading(&archive, reading);
    let (archive, change) = archive.apply(input, &mut context).unwrap();
    assert_eq!(archive.status(), Some(ArchiveStatus::Analyzed));
    let event = change.events.iter().find(|event| event.event_type == EventType::TaskFinished).unwrap();
    let event: serde_json::Value = serde_json::from_slice(event.body(false)).unwrap();
    assert_eq!(
        (&event["data"]["status"], &event["data"]["errorCode"]),
        (&status.into(), &serde_json::Value::Null)
    );
}

#[test]
fn archive_data_points_name_the_archive_as_source() {
    let mut context = fixture::context();
    let archive = submit_archive(&mut context);
    let input = ends_reading(&archive, read(ArchiveType::Payslip));
    let (archive, change) = archive.apply(input, &mut context).unwrap();
    let rows: Vec<_> = change
        .rows
        .iter()
        .filter_map(|row| if let Row::DataPoint(it) = row { Some(it.as_ref()) } else { None })
        .collect();
    assert_eq!(rows.len(), 3, "an income, its estimate and its insight");
    for row in rows {
        let metadata = row.metadata();
        assert_eq!(metadata.source_id, archive.id.to_string());
        assert_eq!(metadata.account_id, archive.id.to_string());
        assert_eq!(metadata.source_type.as_str(), "ARCHIVE");
        assert_eq!(metadata.provider_id.as_str(), "user-provided");
        assert_eq!(row.scope, ErasureScope::Archive(archive.id.clone()));
    }
    let added = change.events.iter().find(|event| event.event_type == EventType::IncomesAdded).unwrap();
    let added: serde_json::Value = serde_json::from_slice(added.body(false)).unwrap();
    assert_eq!(added["data"]["accountId"], archive.id.to_string());
    assert_eq!(added["data"]["providers"], serde_json::json!(["user-provided"]));
}

#[test]
fn revoked_archive_erases_everything_but_a_tombstone() {
    let mut context = fixture::context();
    let archive = submit_archive(&mut context);
    let input = ends_reading(&archive, read(ArchiveType::Payslip));
    let archive = after(archive, input, &mut context);
    let (archive, change) =
        archive.apply(ArchiveInput::Revoke { by: RevokedBy::User }, &mut context).unwrap();
    assert_eq!(change.erasures, [ErasureScope::Archive(archive.id.clone())]);
    assert!(change.jobs.iter().any(
        |job| matches!(&job.kind, JobKind::DeleteOrphans { holder, .. } if *holder == (&archive.id).into())
    ));
    let view = archive.view(|_| panic!("a tombstone has no files")).unwrap();
    assert_eq!(view.state.status, ArchiveStatus::Revoked);
    assert_eq!((view.files.len(), view.extraction, archive.consent), (0, None, None));
}

#[test]
fn uploads_expire_after_1_day_and_archives_after_60() {
    let mut context = fixture::context();
    let archive = upload_file(&mut context);
    let begun_at = archive.created_at;
    let early = archive.clone().apply(ArchiveInput::Expire, &mut later(UPLOAD_LIFE - Duration::from_secs(1)));
    assert_eq!(early.unwrap_err(), IllegalArchiveTransitionError::NotDue { due_at: begun_at + UPLOAD_LIFE });
    let archive = after(archive, ArchiveInput::Submit, &mut context);
    let early = archive.clone().apply(ArchiveInput::Expire, &mut later(RETENTION - Duration::from_secs(1)));
    assert_eq!(early.unwrap_err(), IllegalArchiveTransitionError::NotDue { due_at: begun_at + RETENTION });
    let (archive, _) = archive.apply(ArchiveInput::Expire, &mut later(RETENTION)).unwrap();
    assert_eq!(archive.status(), Some(ArchiveStatus::Revoked));
}

#[test]
fn archive_says_who_ended_the_access() {
    let mut context = fixture::context();
    let archive = submit_archive(&mut context);
    let input = ends_reading(&archive, read(ArchiveType::Payslip));
    let archive = after(archive, input, &mut context);
    for (input, reason) in [
        (ArchiveInput::Revoke { by: RevokedBy::User }, "USER"),
        (ArchiveInput::Revoke { by: RevokedBy::Tenant }, "TENANT"),
        (ArchiveInput::Expire, "EXPIRED"),
    ] {
        let (_, change) = archive.clone().apply(input, &mut later(RETENTION)).unwrap();
        let [event] = change.events.as_slice() else { panic!("{change:?}") };
        let body: serde_json::Value = serde_json::from_slice(event.body(true)).unwrap();
        assert_eq!((&body["type"], &body["data"]["reason"]), (&"ARCHIVE_REVOKED".into(), &reason.into()));
    }
}

#[test]
fn unsubmitted_archive_is_visible_only_to_the_widget() {
    let mut context = fixture::context();
    let archive = after(begin_archive(&mut context), adds(file(FileSlot::Page, SIZE.into())), &mut context);
    let id = last_file(&archive);
    let input = receives(&archive, &id, 0, 700);
    let archive = after(archive, input, &mut context);
    let shown = archive.progress(later(Duration::from_secs(3 * 86_400)).now().tenant());
    assert_eq!((shown.phase, shown.added_days_ago), (ArchivePhase::Uploading {}, 3));
    assert_eq!((shown.files[0].received_bytes, shown.files[0].format), (700, None));
    assert_eq!(archive.view(|_| String::new()), None);
}

#[test]
fn archive_state_round_trips() {
    let mut context = fixture::context();
    let archive = submit_archive(&mut context);
    let input = ends_reading(&archive, read(ArchiveType::Payslip));
    for archive in [upload_file(&mut context), archive.clone(), after(archive, input, &mut context)] {
        let written = serde_json::to_vec(&archive.state).unwrap();
        assert_eq!(serde_json::from_slice::<ArchiveState>(&written).unwrap(), archive.state);
    }
}

#[test]
fn task_stored_before_archives_existed_still_parses() {
    let mut context = fixture::context();
    let archive = submit_archive(&mut context);
    let ArchiveState::Analyzing { task, .. } = &archive.state else { panic!("{archive:?}") };
    let mut written = serde_json::to_value(task).unwrap();
    let body = written.as_object_mut().unwrap();
    assert_eq!(body.remove("archiveId"), Some(serde_json::json!(archive.id)));
    body.insert("accountId".into(), serde_json::json!("a-0192f0c1a2b37c4d8e5f60718293a4b5"));
    let task: Task = serde_json::from_value(written).unwrap();
    assert_eq!(task.source.source_type().as_str(), "ACCOUNT");
}

#[test]
fn tenant_upload_has_source_type_upload_throughout() {
    let mut context = fixture::context();
    let new = TenantArchive {
        owner: fixture::owner(),
        user_id: fixture::user_id(),
        archive_type: ArchiveType::Payslip,
    };
    let (archive, _) = Archive::begin_for_tenant(new, UploadUsage::default(), QUOTA, &mut context).unwrap();
    assert_eq!((archive.attempt_id.as_ref(), archive.consent.as_ref()), (None, None));
    let small = 1_000;
    let archive = after(archive, adds(file(FileSlot::Page, small.into())), &mut context);
    let last = completes(&archive, &last_file(&archive), 0, small);
    let archive = after(archive, last, &mut context);
    let (archive, started) = archive.apply(ArchiveInput::Submit, &mut context).unwrap();
    let input = ends_reading(&archive, read(ArchiveType::Payslip));
    let (archive, read) = archive.apply(input, &mut context).unwrap();
    for event in started.events.iter().chain(&read.events) {
        let data: serde_json::Value = serde_json::from_slice(event.body(false)).unwrap();
        let event = &data["data"];
        for (field, expected) in [("sourceType", "UPLOAD"), ("sourceId", archive.id.as_str())] {
            assert!(event.get(field).is_none_or(|it| it == expected), "{event}");
        }
        let providers = serde_json::json!(["tenant-provided"]);
        assert!(event.get("providers").is_none_or(|it| *it == providers), "{event}");
    }
    let points =
        read.rows.iter().filter_map(|row| if let Row::DataPoint(it) = row { Some(it) } else { None });
    assert!(points.clone().count() > 0);
    for point in points {
        assert_eq!(point.metadata().source_type.as_str(), "UPLOAD");
        assert_eq!(point.metadata().provider_id.as_str(), "tenant-provided");
        assert_eq!(point.scope, ErasureScope::Archive(archive.id.clone()));
    }
    assert_eq!(archive.view(|_| String::new()).unwrap().provider_id, "tenant-provided");
}

#[test]
fn declined_kinds_of_a_document_are_not_stored() {
    let mut context = fixture::context();
    let mut archive = submit_archive(&mut context);
    let declined = vec![DataPointKind::Incomes];
    let choice = DataChoice { optional: declined.clone(), declined };
    archive.consent.iter_mut().for_each(|it| it.receipt.data_choice = Some(choice.clone()));
    let DocumentReading::Read { mut extracted, batch } = read(ArchiveType::Payslip) else { panic!() };
    let (name, value) = ("grossAmount".to_owned(), "10000.00".to_owned());
    extracted.first.fields.push(ExtractedField { name, value, confidence: 1.0, page: 1, area: None });
    let input = ends_reading(&archive, DocumentReading::Read { extracted, batch });
    let (archive, change) = archive.apply(input, &mut context).unwrap();
    assert!(!change.rows.iter().any(|row| matches!(row, Row::DataPoint(_))), "{change:?}");
    assert_eq!(types(&change.events), ["ARCHIVE_ANALYZED", "TASK_FINISHED"]);
    let ArchiveState::Analyzed { extracted, .. } = archive.state else { panic!("{archive:?}") };
    assert_eq!(extracted.first.fields, [], "the values would show the pay");
}
