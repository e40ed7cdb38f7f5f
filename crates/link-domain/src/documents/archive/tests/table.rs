//! The result of every input in every state.

use super::*;

/// Initial state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum From {
    Empty,
    Receiving,
    Uploaded,
    Analyzing,
    Analyzed,
    Failed,
    Revoked,
}

/// A kind of input. Its values are as legal as the state permits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Input {
    AddFile,
    Received,
    Completed,
    RemoveFile,
    Discard,
    Submit,
    ReadingStarted,
    Read,
    Revoke,
    Expire,
}

const STATES: [From; 7] = [
    From::Empty,
    From::Receiving,
    From::Uploaded,
    From::Analyzing,
    From::Analyzed,
    From::Failed,
    From::Revoked,
];
const INPUTS: [Input; 10] = [
    Input::AddFile,
    Input::Received,
    Input::Completed,
    Input::RemoveFile,
    Input::Discard,
    Input::Submit,
    Input::ReadingStarted,
    Input::Read,
    Input::Revoke,
    Input::Expire,
];

/// Resulting state, and the events emitted.
type Outcome = Result<(&'static str, &'static [&'static str]), IllegalArchiveTransitionError>;

const STARTED: &[&str] = &["ARCHIVE_STARTED", "TASK_STARTED"];
const FINDS: &[&str] =
    &["ARCHIVE_ANALYZED", "INCOMES_ADDED", "EINCOMES_ADDED", "INSIGHT_ADDED", "TASK_FINISHED"];
const STOPPED: &[&str] = &["TASK_FINISHED", "ARCHIVE_REVOKED"];
const REVOKED: &[&str] = &["ARCHIVE_REVOKED"];

fn expected_outcome(from: From, input: Input) -> Outcome {
    use IllegalArchiveTransitionError as No;
    match (from, input) {
        (From::Empty | From::Receiving | From::Uploaded, Input::AddFile)
        | (From::Receiving, Input::Received | Input::Completed)
        | (From::Receiving | From::Uploaded, Input::RemoveFile) => Ok(("uploading", &[])),
        (From::Empty, Input::Received | Input::Completed | Input::RemoveFile) => Err(No::UnknownFile),
        (From::Uploaded, Input::Received | Input::Completed) => Err(No::AlreadyComplete),
        (From::Empty, Input::Submit) => Err(No::NoFiles),
        (From::Receiving, Input::Submit) => Err(No::Incomplete),
        (From::Uploaded, Input::Submit) => Ok(("analyzing", STARTED)),
        (From::Empty | From::Receiving | From::Uploaded, Input::Discard | Input::Expire) => {
            Ok(("revoked", &[]))
        }
        (
            From::Empty | From::Receiving | From::Uploaded,
            Input::ReadingStarted | Input::Read | Input::Revoke,
        ) => Err(No::NotSubmitted),
        (
            From::Analyzing | From::Analyzed | From::Failed,
            Input::AddFile
            | Input::Received
            | Input::Completed
            | Input::RemoveFile
            | Input::Discard
            | Input::Submit,
        ) => Err(No::AlreadySubmitted),
        (From::Analyzing, Input::ReadingStarted) => Ok(("analyzing", &[])),
        (From::Analyzing, Input::Read) => Ok(("analyzed", FINDS)),
        (From::Analyzed | From::Failed, Input::ReadingStarted | Input::Read) => Err(No::StaleReading),
        (From::Analyzing, Input::Revoke | Input::Expire) => Ok(("revoked", STOPPED)),
        (From::Analyzed | From::Failed, Input::Revoke | Input::Expire) => Ok(("revoked", REVOKED)),
        (
            From::Revoked,
            Input::AddFile
            | Input::Received
            | Input::Completed
            | Input::RemoveFile
            | Input::Discard
            | Input::Submit
            | Input::ReadingStarted
            | Input::Read
            | Input::Revoke
            | Input::Expire,
        ) => Err(No::AlreadyRevoked),
    }
}

fn state(from: From, context: &mut Context) -> Archive {
    match from {
        From::Empty => begin_archive(context),
        From::Receiving => after(begin_archive(context), adds(file(FileSlot::Page, SIZE.into())), context),
        From::Uploaded => upload_file(context),
        From::Analyzing => submit_archive(context),
        From::Analyzed => {
            let archive = submit_archive(context);
            let input = ends_reading(&archive, read(ArchiveType::Payslip));
            after(archive, input, context)
        }
        From::Failed => {
            let archive = submit_archive(context);
            let input = ends_reading(&archive, fail_reading(ArchiveErrorCode::FileUnreadable));
            after(archive, input, context)
        }
        From::Revoked => {
            let archive = submit_archive(context);
            after(archive, ArchiveInput::Revoke { by: RevokedBy::User }, context)
        }
    }
}

/// Returns the id of the archive's file in any state, or an unknown id if it has none.
fn some_file(archive: &Archive) -> FileId {
    match &archive.state {
        ArchiveState::Uploading { files } => files.last().map(|file| file.id().clone()),
        ArchiveState::Analyzing { files, .. }
        | ArchiveState::Analyzed { files, .. }
        | ArchiveState::Failed { files, .. } => files.last().map(|file| file.id.clone()),
        ArchiveState::Revoked { .. } => None,
    }
    .unwrap_or_else(|| FileId::from_bytes([8; 16]))
}

fn input(input: Input, archive: &Archive) -> ArchiveInput<'static> {
    let id = some_file(archive);
    match input {
        Input::AddFile => adds(file(FileSlot::Page, 5)),
        Input::Received => receives(archive, &id, 0, SEGMENT_BYTES),
        Input::Completed => {
            // The file has two segments, so the completing one must have index 1.
            let whole = Segment { index: 1, ..segment(archive, &id, 1, SIZE - SEGMENT_BYTES) };
            ArchiveInput::Completed {
                bytes: ReceivedBytes { file_id: id, from: SEGMENT_BYTES, segment: whole },
                inspection: Inspection { format: FileFormat::Pdf, pages: 2, pixels: 0 },
                sha256: DIGEST.to_owned(),
            }
        }
        Input::RemoveFile => ArchiveInput::RemoveFile { file_id: id },
        Input::Discard => ArchiveInput::Discard,
        Input::Submit => ArchiveInput::Submit,
        Input::ReadingStarted => ArchiveInput::ReadingStarted { task_id: task(archive) },
        Input::Read => ends_reading(archive, read(ArchiveType::Payslip)),
        Input::Revoke => ArchiveInput::Revoke { by: RevokedBy::User },
        Input::Expire => ArchiveInput::Expire,
    }
}

fn name(archive: &Archive) -> &'static str {
    match &archive.state {
        ArchiveState::Uploading { .. } => "uploading",
        ArchiveState::Analyzing { .. } => "analyzing",
        ArchiveState::Analyzed { .. } => "analyzed",
        ArchiveState::Failed { .. } => "failed",
        ArchiveState::Revoked { .. } => "revoked",
    }
}

#[test]
fn every_input_in_every_state_matches_the_table() {
    for from in STATES {
        for kind in INPUTS {
            let mut archive = state(from, &mut fixture::context());
            if kind == Input::Completed && from == From::Receiving {
                let received = receives(&archive, &some_file(&archive), 0, SEGMENT_BYTES);
                archive = after(archive, received, &mut fixture::context());
            }
            let version = archive.version;
            // Late enough for both expiries.
            let applied = archive.clone().apply(input(kind, &archive), &mut later(RETENTION));
            match (applied, expected_outcome(from, kind)) {
                (Ok((archive, change)), Ok((to, events))) => {
                    assert_eq!(name(&archive), to, "{from:?} {kind:?}");
                    assert_eq!(types(&change.events), events, "{from:?} {kind:?}");
                    assert_eq!(archive.version, version + 1, "{from:?} {kind:?}");
                }
                (Err(error), Err(expected)) => assert_eq!(error, expected, "{from:?} {kind:?}"),
                (Ok((archive, _)), Err(expected)) => {
                    panic!("{from:?} {kind:?}: {} instead of {expected:?}", name(&archive))
                }
                (Err(error), Ok((to, _))) => panic!("{from:?} {kind:?}: {error:?} instead of {to}"),
            }
        }
    }
}
