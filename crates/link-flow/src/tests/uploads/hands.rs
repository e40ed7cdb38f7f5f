//! Plays uploads.ts and the service: stores what arrives, and fails the test if the flow breaks a promise.

use std::collections::VecDeque;

use link_types::archive::{FileFault, FileFormat, FileSlot};
use link_types::id::FileId;
use link_types::uploading::{AnalyzeStep, ArchivePhase, FileFact, FileOrder, UploadFile};

use super::fixtures;
use crate::effect::ArchiveAsk;
use crate::event::{FilePress, PhotoPress, Press, Reply, TimerId};
use crate::tests::harness::Harness;
use crate::{Effect, Event, Secrets};

/// A file on the device, and what the service has of it.
#[derive(Clone, Debug)]
pub(super) struct Held {
    pub(super) handle: u32,
    pub(super) size: u32,
    pub(super) received: u32,
    pub(super) file_id: Option<FileId>,
}

/// A person's device and the service.
pub(super) struct Hands {
    pub(super) harness: Harness,
    pub(super) held: Vec<Held>,
    pub(super) sending: Vec<u32>,
    pub(super) timers: Vec<TimerId>,
    pub(super) submitted: bool,
    pub(super) online: bool,
    pub(super) most: usize,
    /// Whether the service replies to requests about the archive.
    pub(super) answers: bool,
    session_is_open: bool,
    facts: VecDeque<FileFact>,
    asked: Option<ArchiveAsk>,
    handles: u32,
    ids: u8,
}

impl Hands {
    pub(super) fn new(harness: Harness) -> Self {
        Self {
            harness,
            held: Vec::new(),
            sending: Vec::new(),
            timers: Vec::new(),
            submitted: false,
            online: true,
            most: 2,
            answers: true,
            session_is_open: true,
            facts: VecDeque::new(),
            asked: None,
            handles: 0,
            ids: 0,
        }
    }

    pub(super) fn send(&mut self, event: Event) {
        let effects = self.harness.send(event);
        self.run(effects);
    }

    fn run(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            if let Effect::File(order) = effect {
                self.order(order);
            } else if let Effect::StartTimer { timer, .. } = effect {
                self.timers.push(timer);
            } else if let Effect::Archive { ask, .. } = effect {
                self.asked = Some(ask);
            }
        }
        if self.answers
            && let Some(ask) = self.asked.take()
        {
            self.answer(ask);
        }
        while let Some(fact) = self.facts.pop_front() {
            self.send(Event::File(fact));
        }
    }

    /// Replies to the request about the archive.
    pub(super) fn answer_now(&mut self) {
        if let Some(ask) = self.asked.take() {
            self.answer(ask);
        }
    }

    fn answer(&mut self, ask: ArchiveAsk) {
        let phase = match ask {
            ArchiveAsk::Create(_) => ArchivePhase::Uploading {},
            ArchiveAsk::Submit(..) => {
                let at_service: Vec<&Held> = self.held.iter().filter(|it| it.file_id.is_some()).collect();
                assert!(!at_service.is_empty(), "an archive without files is submitted");
                assert!(at_service.iter().all(|it| it.received == it.size), "{at_service:?}");
                self.submitted = true;
                ArchivePhase::Analyzing { step: AnalyzeStep::Queued }
            }
            ArchiveAsk::Poll { .. } => return,
            ArchiveAsk::Remove(_) => {
                let effects = self.harness.reply(Reply::Done(Ok(())));
                return self.run(effects);
            }
        };
        let archive = fixtures::archive(1, phase, Vec::new());
        let effects = self.harness.reply(Reply::Archive(Ok(Box::new(archive))));
        self.run(effects);
    }

    fn order(&mut self, order: FileOrder) {
        match order {
            // The test reports the edited photo itself.
            FileOrder::Open {} | FileOrder::Turn { .. } | FileOrder::Crop { .. } => {}
            FileOrder::Close {} => {
                self.sending.clear();
                self.held.clear();
            }
            FileOrder::Stop { handle } => self.sending.retain(|it| *it != handle),
            FileOrder::Drop { handle, file_id } => {
                self.sending.retain(|it| *it != handle);
                if self.online {
                    self.held
                        .retain(|it| it.handle != handle && (file_id.is_none() || it.file_id != file_id));
                    self.facts.push_back(FileFact::Dropped { handle });
                } else {
                    self.facts.push_back(FileFact::Cut {
                        handle,
                        status: 0,
                        file_fault: None,
                        retry_in_ms: 0,
                    });
                }
            }
            FileOrder::Prepare {} | FileOrder::Play { .. } | FileOrder::Silence {} => {
                panic!("an upload has no recording")
            }
            FileOrder::Send { handle, file_id, .. } => {
                assert!(!self.sending.contains(&handle), "a file is sent twice at once");
                assert!(self.sending.len() < self.most, "too many files are sent at once");
                assert!(
                    self.online && self.session_is_open,
                    "a file is sent without a connection or session"
                );
                let held = self.held.iter_mut().find(|it| it.handle == handle).expect("a picked file");
                assert_eq!(held.file_id, file_id, "an acknowledged file is sent again");
                if held.file_id.is_none() {
                    self.ids += 1;
                    held.file_id = Some(FileId::from_bytes([self.ids; 16]));
                }
                let file_id = held.file_id.clone().unwrap();
                self.sending.push(handle);
                self.facts.push_back(FileFact::Sending { handle, file_id, offset: held.received });
            }
        }
    }

    // Actions of the person and events of files.

    pub(super) fn pick(&mut self, slot: FileSlot, size: u32) -> u32 {
        let handle = self.report_picked(slot, size);
        self.inspect(handle, size, None, &format!("{handle:064}"));
        handle
    }

    /// Chooses files together. Then inspects those that the flow added, all but `bad` of them accepted.
    pub(super) fn choose(&mut self, slot: FileSlot, count: u32, bad: &[u32]) -> Vec<u32> {
        self.send(Event::File(FileFact::Chosen { count }));
        let handles: Vec<u32> = (0..count).map(|_| self.report_picked(slot, 100)).collect();
        for handle in &handles {
            if self.held.iter().any(|held| held.handle == *handle) {
                let fault = bad.contains(handle).then_some(FileFault::Damaged);
                self.inspect(*handle, 100, fault, &format!("{handle:064}"));
            }
        }
        handles
    }

    pub(super) fn report_picked(&mut self, slot: FileSlot, size: u32) -> u32 {
        self.handles += 1;
        let handle = self.handles;
        self.held.push(Held { handle, size, received: 0, file_id: None });
        let name = format!("page-{handle}.pdf");
        self.send(Event::File(FileFact::Picked { handle, slot, name, size_bytes: size, from_camera: false }));
        handle
    }

    pub(super) fn inspect(&mut self, handle: u32, size: u32, fault: Option<FileFault>, sha256: &str) {
        self.send(Event::File(FileFact::Inspected {
            handle,
            size_bytes: size,
            format: Some(FileFormat::Pdf),
            pages: Some(1),
            pixels: None,
            sha256: Some(sha256.to_owned()),
            fault,
            preview: None,
            photo: None,
        }));
    }

    /// Delivers some bytes to the service.
    pub(super) fn arrive(&mut self, handle: u32, bytes: u32) {
        if !self.sending.contains(&handle) {
            return;
        }
        let held = self.held.iter_mut().find(|it| it.handle == handle).unwrap();
        held.received = held.size.min(held.received + bytes);
        let (file_id, offset) = (held.file_id.clone().unwrap(), held.received);
        let whole = held.received == held.size;
        self.send(Event::File(FileFact::Sending { handle, file_id, offset }));
        if whole {
            self.sending.retain(|it| *it != handle);
            self.send(Event::File(FileFact::Sent { handle }));
        }
    }

    /// Breaks the connection, or rejects the file as the service does.
    pub(super) fn cut(&mut self, handle: u32, status: u16, file_fault: Option<FileFault>) {
        if !self.sending.contains(&handle) {
            return;
        }
        self.sending.retain(|it| *it != handle);
        if matches!(status, 404 | 410) || file_fault.is_some() {
            let held = self.held.iter_mut().find(|it| it.handle == handle).unwrap();
            held.file_id = None;
            held.received = 0;
        }
        self.send(Event::File(FileFact::Cut { handle, status, file_fault, retry_in_ms: 0 }));
    }

    pub(super) fn connection(&mut self, online: bool, save_data: bool) {
        // Files under way continue; no more are started.
        self.most = if save_data { 1 } else { 2 };
        self.online = online;
        if !online {
            // The flow stops them itself.
            let facts = FileFact::Connection { online, save_data };
            self.send(Event::File(facts));
            assert!(self.sending.is_empty(), "files are sent without a connection");
            return;
        }
        self.send(Event::File(FileFact::Connection { online, save_data }));
    }

    pub(super) fn press(&mut self, press: FilePress, handle: u32) {
        self.send(Event::Pressed(Press::File(press, handle)));
    }

    pub(super) fn look(&mut self, press: PhotoPress, handle: u32) {
        self.send(Event::Pressed(Press::Photo(press, handle)));
    }

    pub(super) fn submit(&mut self) {
        self.send(Event::Submitted(Secrets::none()));
    }

    /// Fires every timer.
    pub(super) fn wait(&mut self) {
        for timer in core::mem::take(&mut self.timers) {
            self.send(Event::TimerFired { timer, elapsed_ms: 60_000 });
        }
    }

    /// Ends the session and sets a new token, as the host page does.
    pub(super) fn renew(&mut self) {
        self.session_is_open = false;
        let effects = self.harness.session_ends();
        self.run(effects);
        assert!(self.sending.is_empty(), "files are sent without a session");
        self.session_is_open = true;
        let token = crate::tests::harness::token("next");
        let effects = self.harness.send(Event::TokenSet { token });
        self.run(effects);
        let archive = fixtures::archive(1, ArchivePhase::Uploading {}, self.known_files());
        let effects = self.harness.reply_session(super::session_with(archive));
        self.run(effects);
    }

    /// Returns the files as the service knows them.
    pub(super) fn known_files(&self) -> Vec<UploadFile> {
        let known = |held: &Held| {
            Some(UploadFile {
                file_id: held.file_id.clone()?,
                name: format!("page-{}.pdf", held.handle),
                slot: FileSlot::Page,
                format: None,
                size_bytes: held.size,
                sha256: Some(format!("{:064}", held.handle)),
                received_bytes: held.received,
            })
        };
        self.held.iter().filter_map(known).collect()
    }
}
