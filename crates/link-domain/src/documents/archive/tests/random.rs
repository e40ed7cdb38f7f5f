//! Invariants that hold after any sequence of inputs.

use proptest::prelude::*;

use super::*;
use crate::change::Row;

#[derive(Clone, Debug)]
enum Act {
    Add(FileSlot, u64),
    Send(usize, u32),
    Remove(usize),
    Discard,
    Submit,
    Start,
    Read(bool),
    Revoke,
    Expire(u64),
}

fn act() -> impl Strategy<Value = Act> {
    let slot = prop_oneof![Just(FileSlot::Front), Just(FileSlot::Page)];
    prop_oneof![
        4 => (slot, 0_u64..1_200_000).prop_map(|(slot, size)| Act::Add(slot, size)),
        12 => (0_usize..4, 1_u32..=SEGMENT_BYTES).prop_map(|(file, length)| Act::Send(file, length)),
        1 => (0_usize..4).prop_map(Act::Remove),
        1 => Just(Act::Discard),
        3 => Just(Act::Submit),
        1 => Just(Act::Start),
        2 => any::<bool>().prop_map(Act::Read),
        1 => Just(Act::Revoke),
        1 => (0_u64..70).prop_map(Act::Expire),
    ]
}

/// Sends the next bytes of a file, whether or not the archive accepts them.
fn sends(archive: &Archive, file: usize, length: u32) -> ArchiveInput<'static> {
    let ArchiveState::Uploading { files } = &archive.state else { return ArchiveInput::Submit };
    let Some(file) = files.get(file) else { return ArchiveInput::Submit };
    let from = file.received_bytes();
    let begins = from / SEGMENT_BYTES * SEGMENT_BYTES;
    let length = (from - begins + length).min(SEGMENT_BYTES).min(file.size_bytes() - begins);
    if begins + length == file.size_bytes() {
        completes(archive, file.id(), from, length)
    } else {
        receives(archive, file.id(), from, length)
    }
}

fn id_of(archive: &Archive, file: usize) -> FileId {
    let ArchiveState::Uploading { files } = &archive.state else { return FileId::from_bytes([8; 16]) };
    files.get(file).map_or(FileId::from_bytes([8; 16]), |file| file.id().clone())
}

proptest! {
    #[test]
    fn archive_invariants_hold_after_random_inputs(acts in prop::collection::vec(act(), 1..60)) {
        let mut context = fixture::context();
        let mut archive = begin_archive(&mut context);
        let (mut events, mut ended) = (Vec::new(), false);
        for act in acts {
            let input = match act {
                Act::Add(slot, size) => adds(file(slot, size)),
                Act::Send(file, length) => sends(&archive, file, length),
                Act::Remove(file) => ArchiveInput::RemoveFile { file_id: id_of(&archive, file) },
                Act::Discard => ArchiveInput::Discard,
                Act::Submit => ArchiveInput::Submit,
                Act::Start => ArchiveInput::ReadingStarted { task_id: task(&archive) },
                Act::Read(true) => ends_reading(&archive, read(ArchiveType::Payslip)),
                Act::Read(false) => ends_reading(&archive, fail_reading(ArchiveErrorCode::SystemError)),
                Act::Revoke => ArchiveInput::Revoke { by: RevokedBy::User },
                Act::Expire(days) => {
                    context = later(Duration::from_secs(days * 86_400));
                    ArchiveInput::Expire
                }
            };
            let Ok((next, change)) = archive.clone().apply(input, &mut context) else { continue };
            prop_assert!(!ended, "a tombstone changed");
            prop_assert_eq!(next.version, archive.version + 1);
            ended = matches!(next.state, ArchiveState::Revoked { .. });
            if ended {
                prop_assert_eq!(change.erasures.len() + change.deletions.len(), 1, "an ended archive is erased");
            }
            for row in &change.rows {
                if let Row::Segment(segment) = row {
                    let file = next.uploading(&segment.file_id).unwrap();
                    prop_assert_eq!(file.received_bytes(), segment.ends_at(), "row matches the durable bytes");
                }
            }
            events.extend(change.events);
            archive = next;
        }
        let sequences: Vec<u64> = events.iter().map(|event| event.sequence).collect();
        prop_assert_eq!(sequences, (1..=events.len() as u64).collect::<Vec<_>>());
        let types = types(&events);
        let count = |wanted: &str| types.iter().filter(|it| **it == wanted).count();
        prop_assert!(count("ARCHIVE_STARTED") <= 1);
        prop_assert_eq!(count("ARCHIVE_STARTED"), count("TASK_STARTED"));
        prop_assert!(count("TASK_FINISHED") <= count("TASK_STARTED"));
        prop_assert!(count("ARCHIVE_ANALYZED") + count("ARCHIVE_FAILED") <= count("ARCHIVE_STARTED"));
    }
}
