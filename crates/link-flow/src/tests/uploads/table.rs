//! The result of every event in every stage of a file. No wildcard: a new stage must be added here.

use core::any::Any;

use link_types::archive::{ArchiveType, FileFault, FileSlot};
use link_types::id::FileId;
use link_types::uploading::{ArchivePhase, FileFact, PhotoFacts};

use super::at_upload;
use super::fixtures;
use super::hands::{Hands, Held};
use crate::event::{FilePress, PhotoPress, Press};

use crate::Event;
use crate::screen::deferred::uploads::{Uploads, UploadsPage};
use crate::uploads::FileStage;

/// A stage without its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileState {
    Inspecting,
    Review,
    Framing,
    Turning,
    Cropping,
    Missing,
    Ready,
    Sending,
    BackingOff,
    Paused,
    Failed,
    Sent,
    Refused,
    Dropping,
    Gone,
}
use FileState::{
    BackingOff, Cropping, Dropping, Failed, Framing, Gone, Inspecting, Missing, Paused, Ready, Refused,
    Review, Sending, Sent, Turning,
};

/// Everything that can happen to a file.
#[derive(Clone, Copy, Debug)]
enum Happens {
    LookedAt,
    Blurred,
    FoundBad,
    Accept,
    Turn,
    Frame,
    Crop,
    Unframe,
    Progress,
    Whole,
    CutOff,
    Forgotten,
    TurnedDown,
    RefusedByService,
    Dropped,
    TimerFired,
    Offline,
    Online,
    Pause,
    Continue,
    Remove,
    SessionRenewed,
}
use Happens::*;

const ALL: [Happens; 22] = [
    LookedAt,
    Blurred,
    FoundBad,
    Accept,
    Turn,
    Frame,
    Crop,
    Unframe,
    Progress,
    Whole,
    CutOff,
    Forgotten,
    TurnedDown,
    RefusedByService,
    Happens::Dropped,
    TimerFired,
    Offline,
    Online,
    Pause,
    Continue,
    Remove,
    SessionRenewed,
];

fn expected_state(place: FileState, happens: Happens) -> FileState {
    match (place, happens) {
        (Inspecting, LookedAt) => Ready, // The archive is being created.
        (Inspecting | Turning | Cropping, FoundBad) => Refused,
        (Inspecting, Blurred) | (Turning | Cropping, LookedAt | Blurred) => Review,
        (Review, Accept) => Sending,
        (Review, Turn) => Turning,
        (Framing, Crop) => Cropping,
        (Review, Frame) => Framing,
        (Framing, Unframe) => Review,
        (Sending, Whole) => Sent,
        (Sending, CutOff | Forgotten) => BackingOff,
        (Sending, TurnedDown) => Failed,
        (Sending, RefusedByService) => Refused,
        (Sending, Offline) => Ready,
        (BackingOff, TimerFired | Online | Continue | SessionRenewed) => Sending,
        (Ready, Online) => Sending, // It waited for the connection.
        (Sending | BackingOff | Ready, Pause) => Paused,
        (Paused | Failed, Continue) => Sending,
        (
            Inspecting | Review | Framing | Turning | Cropping | Missing | Ready | Sending | BackingOff
            | Paused | Failed | Sent | Refused,
            Remove,
        ) => Dropping,
        (_, Happens::Dropped) | (Dropping, SessionRenewed) => Gone,
        (
            Inspecting | Review | Framing | Turning | Cropping | Missing | Ready | Sending | BackingOff
            | Paused | Failed | Sent | Refused | Dropping | Gone,
            LookedAt | Blurred | FoundBad | Accept | Turn | Frame | Crop | Unframe | Progress | Whole
            | CutOff | Forgotten | TurnedDown | RefusedByService | TimerFired | Offline | Online | Pause
            | Continue | Remove | SessionRenewed,
        ) => place,
    }
}

fn state_of(hands: &mut Hands, handle: u32) -> FileState {
    let screen: &mut dyn Any = hands.harness.flow.state.deferred_mut().expect("an upload");
    let uploads = screen.downcast_mut::<Uploads>().expect("an upload");
    let UploadsPage::Upload(upload) = &uploads.page else { panic!("{uploads:?}") };
    let Some(file) = upload.batch.files.iter().find(|file| file.handle == handle) else { return Gone };
    match file.stage {
        FileStage::Inspecting => Inspecting,
        FileStage::Review => Review,
        FileStage::Framing => Framing,
        FileStage::Turning => Turning,
        FileStage::Cropping => Cropping,
        FileStage::Missing => Missing,
        FileStage::Ready => Ready,
        FileStage::Sending => Sending,
        FileStage::BackingOff(_) => BackingOff,
        FileStage::Paused => Paused,
        FileStage::Failed => Failed,
        FileStage::Sent => Sent,
        FileStage::Refused(_) => Refused,
        FileStage::Dropping(_) => Dropping,
    }
}

/// Returns a file in that stage, with its handle.
fn at(place: FileState) -> (Hands, u32) {
    let mut hands = Hands::new(at_upload(ArchiveType::Payslip));
    let handle = match place {
        Inspecting => hands.report_picked(FileSlot::Page, 100),
        Review | Framing | Turning | Cropping => {
            let handle = hands.report_picked(FileSlot::Page, 100);
            happen(&mut hands, handle, Blurred);
            handle
        }
        Missing => {
            let file = link_types::uploading::UploadFile {
                file_id: FileId::from_bytes([1; 16]),
                name: "a".to_owned(),
                slot: FileSlot::Page,
                format: None,
                size_bytes: 100,
                sha256: None,
                received_bytes: 10,
            };
            hands = Hands::new(super::take_up(fixtures::archive(1, ArchivePhase::Uploading {}, vec![file])));
            let file_id = Some(FileId::from_bytes([1; 16]));
            hands.held.push(Held { handle: u32::MAX - 1, size: 100, received: 10, file_id });
            u32::MAX - 1
        }
        Ready => {
            let handle = hands.pick(FileSlot::Page, 100);
            hands.connection(false, false);
            handle
        }
        Sending | BackingOff | Paused | Failed | Sent | Refused | Dropping | Gone => {
            hands.pick(FileSlot::Page, 100)
        }
    };
    match place {
        Inspecting | Review | Missing | Ready | Sending => {}
        Framing => hands.look(PhotoPress::Frame, handle),
        Turning => hands.look(PhotoPress::Turn, handle),
        Cropping => {
            hands.look(PhotoPress::Frame, handle);
            hands.look(PhotoPress::Crop, handle);
        }
        BackingOff => hands.cut(handle, 0, None),
        Paused => hands.press(FilePress::Pause, handle),
        Failed => hands.cut(handle, 403, None),
        Sent => hands.arrive(handle, 100),
        Refused => hands.cut(handle, 422, Some(FileFault::Damaged)),
        Dropping => {
            hands.harness.send(Event::Pressed(Press::File(FilePress::Remove, handle)));
            hands.sending.clear();
        }
        Gone => hands.press(FilePress::Remove, handle),
    }
    assert_eq!(state_of(&mut hands, handle), place);
    (hands, handle)
}

fn happen(hands: &mut Hands, handle: u32, happens: Happens) {
    let cut = |status, file_fault| Event::File(FileFact::Cut { handle, status, file_fault, retry_in_ms: 0 });
    let looked = |fault, sharpness| {
        Event::File(FileFact::Inspected {
            handle,
            size_bytes: 100,
            format: Some(link_types::archive::FileFormat::Pdf),
            pages: None,
            pixels: None,
            sha256: Some("f".repeat(64)),
            fault,
            preview: None,
            photo: Some(PhotoFacts { view: "blob:1".to_owned(), sharpness, brightness: 60 }),
        })
    };
    let file_id = FileId::from_bytes([1; 16]);
    let event = match happens {
        LookedAt => looked(None, None),
        Blurred => looked(None, Some(5)),
        FoundBad => looked(Some(FileFault::Encrypted), None),
        Accept => return hands.look(PhotoPress::Accept, handle),
        Turn => return hands.look(PhotoPress::Turn, handle),
        Frame => return hands.look(PhotoPress::Frame, handle),
        Crop => return hands.look(PhotoPress::Crop, handle),
        Unframe => return hands.look(PhotoPress::Unframe, handle),
        Progress => Event::File(FileFact::Sending { handle, file_id, offset: 50 }),
        Whole => Event::File(FileFact::Sent { handle }),
        CutOff => cut(0, None),
        Forgotten => cut(404, None),
        TurnedDown => cut(403, None),
        RefusedByService => cut(422, Some(FileFault::Damaged)),
        Happens::Dropped => Event::File(FileFact::Dropped { handle }),
        TimerFired => return hands.wait(),
        Offline => Event::File(FileFact::Connection { online: false, save_data: false }),
        Online => return hands.connection(true, false),
        Pause => Event::Pressed(Press::File(FilePress::Pause, handle)),
        Continue => Event::Pressed(Press::File(FilePress::Continue, handle)),
        Remove => Event::Pressed(Press::File(FilePress::Remove, handle)),
        SessionRenewed => return hands.renew(),
    };
    hands.harness.send(event);
    hands.sending.clear();
}

#[test]
fn file_stage_table_is_complete() {
    let mut wrong = Vec::new();
    for place in
        [Inspecting, Missing, Ready, Sending, BackingOff, Paused, Failed, Sent, Refused, Dropping, Gone]
    {
        for happens in ALL {
            let (mut hands, handle) = at(place);
            happen(&mut hands, handle, happens);
            let (done, expected) = (state_of(&mut hands, handle), expected_state(place, happens));
            if done != expected {
                wrong.push(format!("{place:?} + {happens:?}: {done:?} instead of {expected:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
