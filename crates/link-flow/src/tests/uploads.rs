//! Uploads as a person sees them. `hands` plays uploads.ts and the service.

mod choosing;
mod faults;
mod hands;
mod journey;
mod photos;
mod random;
mod resume;
mod sending;
mod table;

use link_types::archive::ArchiveType;
use link_types::link::LinkSession;
use link_types::uploading::{ArchiveProgress, FileFact};

use super::fixtures;
use super::harness::{Harness, exchanging};
use crate::event::{Press, Reply};
use crate::view::Text;
use crate::view::block::{Block, FileRow};
use crate::{Effect, Event};

/// Returns a session that may upload these document kinds.
fn session(kinds: &[ArchiveType]) -> LinkSession {
    let mut session = fixtures::session();
    session.template.uploads_enabled = true;
    session.template.file_types = kinds.to_vec();
    session.attempt.place.consent = Some(fixtures::receipt());
    session
}

/// Returns the same session with an archive under way.
fn session_with(archive: ArchiveProgress) -> LinkSession {
    let mut session = session(&[]);
    session.attempt.archives = vec![archive];
    session
}

/// Returns the list of document kinds, or the page of the only one.
fn at_kinds(kinds: &[ArchiveType]) -> Harness {
    let mut harness = exchanging();
    harness.reply_session(session(kinds));
    harness.press(Press::Agree);
    harness.reply(Reply::Providers(Ok(fixtures::providers())));
    harness.choose("/upload");
    harness
}

fn at_upload(kind: ArchiveType) -> Harness {
    let mut harness = at_kinds(&[]);
    harness.choose(kind.as_str());
    tell(&mut harness, FileFact::Connection { online: true, save_data: false });
    harness
}

fn take_up(archive: ArchiveProgress) -> Harness {
    let mut harness = exchanging();
    harness.reply_session(session_with(archive));
    tell(&mut harness, FileFact::Connection { online: true, save_data: false });
    harness
}

fn tell(harness: &mut Harness, fact: FileFact) -> Vec<Effect> {
    harness.send(Event::File(fact))
}

fn reply(harness: &mut Harness, archive: ArchiveProgress) -> Vec<Effect> {
    harness.reply(Reply::Archive(Ok(Box::new(archive))))
}

fn rows(harness: &Harness) -> Vec<FileRow> {
    let rows = |block: Block| if let Block::Files { rows, .. } = block { rows } else { Vec::new() };
    harness.view().page.blocks.into_iter().flat_map(rows).collect()
}

fn detail(harness: &Harness, nth: usize) -> Text {
    rows(harness)[nth].detail.clone()
}

fn zones(harness: &Harness) -> usize {
    harness.view().page.blocks.iter().filter(|block| matches!(block, Block::DropZone { .. })).count()
}

fn may_submit(harness: &Harness) -> bool {
    harness.actions().0.state == crate::view::block::ActionState::Ready
}
