//! Acts of the member on the page that invites people.

use super::request::InvitingRequest;
use super::{InvitingInput, Run};
use crate::core::page::Page;
use crate::core::request::Request;
use crate::core::state::State;
use crate::core::{Effect, Text};

impl State {
    /// Handles what happened on the page that invites people.
    pub(in crate::core) fn handle_inviting(&mut self, input: InvitingInput) -> Vec<Effect> {
        let Page::Inviting(mode) = self.page else { return Vec::new() };
        let inviting = &mut self.inviting;
        if inviting.is_checking || inviting.is_running() {
            return Vec::new();
        }
        self.notice = None;
        match input {
            InvitingInput::InviteTemplateChosen(id) => inviting.choose(|it| it.invite_template = id),
            InvitingInput::LinkTemplateChosen(id) => {
                inviting.choose(|it| (it.link_template, it.site) = (id, String::new()));
            }
            InvitingInput::SiteChosen(id) => inviting.choose(|it| it.site = id),
            InvitingInput::FileChosen(name, url) => {
                inviting.choose(|it| (it.file_name, it.file) = (name, url));
            }
            InvitingInput::FileTooLarge => {
                inviting.choose(|it| (it.file_name, it.file) = Default::default());
                inviting.is_too_large = true;
            }
            InvitingInput::CheckWanted if inviting.is_ready() => {
                (inviting.is_checking, inviting.failure) = (true, None);
                (inviting.checked, inviting.run) = (None, None);
                let request = InvitingRequest::Check(Box::new(inviting.draft.clone()));
                return vec![Effect::Send(Request::Inviting(mode, request))];
            }
            InvitingInput::RunWanted if inviting.is_ready() => {
                let Some(checked) = inviting.checked.as_ref().filter(|it| it.faults.is_empty()) else {
                    return Vec::new();
                };
                let new = Run { total: checked.total, next: Some(0), ..Run::default() };
                let run = inviting.run.get_or_insert(new);
                let Some(from) = run.next else { return Vec::new() };
                run.is_sending = true;
                inviting.failure = None;
                let request = InvitingRequest::Run(Box::new(inviting.draft.clone()), from);
                // The pressed button disappears, so the focus would be lost.
                return vec![Effect::Focus("#invited"), Effect::Send(Request::Inviting(mode, request))];
            }
            InvitingInput::CheckWanted | InvitingInput::RunWanted => {}
        }
        Vec::new()
    }

    /// Shows that everyone is invited.
    pub(super) fn finish_inviting(&mut self) -> Vec<Effect> {
        self.notice = Some(Text::PeopleInvited);
        vec![Effect::Focus("#invited")]
    }
}
