//! Uploads as a person lives them. `hands` plays uploads.ts and the service behind it.

mod faults;
mod hands;
mod journey;
mod random;
mod resume;
mod sending;
mod table;

use link_types::archive::ArchiveType;
use link_types::link::LinkSession;
use link_types::uploading::{ArchiveProgress, FileFact};

use super::desk::{Desk, exchanging};
use super::stock;
use crate::event::{Press, Reply};
use crate::view::Text;
use crate::view::block::{Block, FileRow};
use crate::{Effect, Event};

/// A session that may upload these kinds.
fn session(kinds: &[ArchiveType]) -> LinkSession {
    let mut session = stock::session();
    session.template.uploads_enabled = true;
    session.template.file_types = kinds.to_vec();
    session.attempt.place.consent = Some(stock::receipt());
    session
}

/// The same with an archive under way.
fn session_with(archive: ArchiveProgress) -> LinkSession {
    let mut session = session(&[]);
    session.attempt.archives = vec![archive];
    session
}

/// The page with the kinds of documents, or that of the only one.
fn at_kinds(kinds: &[ArchiveType]) -> Desk {
    let mut desk = exchanging();
    desk.reply_session(session(kinds));
    desk.press(Press::Agree);
    desk.reply(Reply::Providers(Ok(stock::providers())));
    desk.choose("/upload");
    desk
}

fn at_upload(kind: ArchiveType) -> Desk {
    let mut desk = at_kinds(&[]);
    desk.choose(kind.as_str());
    tell(&mut desk, FileFact::Connection { online: true, save_data: false });
    desk
}

fn taken_up(archive: ArchiveProgress) -> Desk {
    let mut desk = exchanging();
    desk.reply_session(session_with(archive));
    tell(&mut desk, FileFact::Connection { online: true, save_data: false });
    desk
}

fn tell(desk: &mut Desk, fact: FileFact) -> Vec<Effect> {
    desk.send(Event::File(fact))
}

fn reply(desk: &mut Desk, archive: ArchiveProgress) -> Vec<Effect> {
    desk.reply(Reply::Archive(Ok(Box::new(archive))))
}

fn rows(desk: &Desk) -> Vec<FileRow> {
    let rows = |block: Block| if let Block::Files { rows, .. } = block { rows } else { Vec::new() };
    desk.view().page.blocks.into_iter().flat_map(rows).collect()
}

fn detail(desk: &Desk, nth: usize) -> Text {
    rows(desk)[nth].detail.clone()
}

fn zones(desk: &Desk) -> usize {
    desk.view().page.blocks.iter().filter(|block| matches!(block, Block::DropZone { .. })).count()
}

fn may_submit(desk: &Desk) -> bool {
    desk.actions().0.state == crate::view::block::ActionState::Ready
}
