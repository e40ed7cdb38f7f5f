//! The responses to the requests of the page that invites people.

use link_types::Mode;

use super::request::{InvitingRequest, InvitingResponse};
use crate::core::failure::Failure;
use crate::core::page::Page;
use crate::core::state::{Loaded, State};
use crate::core::{Effect, Request};

impl State {
    /// Handles a successful response.
    pub(in crate::core) fn accept_inviting(
        &mut self,
        mode: Mode,
        sent: InvitingRequest,
        response: InvitingResponse,
    ) -> Vec<Effect> {
        if self.page != Page::Inviting(mode) {
            return Vec::new();
        }
        let inviting = &mut self.inviting;
        match (sent, response) {
            (InvitingRequest::InviteTemplates, InvitingResponse::InviteTemplates(templates)) => {
                if let (Some(first), true) = (templates.first(), inviting.draft.invite_template.is_empty()) {
                    inviting.draft.invite_template = first.id.to_string();
                }
                inviting.invite_templates = Loaded::Ready(templates);
            }
            (InvitingRequest::LinkTemplates, InvitingResponse::LinkTemplates(templates)) => {
                if let (Some(first), true) = (templates.first(), inviting.draft.link_template.is_empty()) {
                    inviting.draft.link_template = first.id.to_string();
                }
                inviting.link_templates = Loaded::Ready(templates);
            }
            (InvitingRequest::Sites, InvitingResponse::Sites(sites)) => inviting.sites = Loaded::Ready(sites),
            (InvitingRequest::Check(draft), InvitingResponse::Result(result)) => {
                inviting.is_checking = false;
                if *draft == inviting.draft {
                    inviting.checked = Some(*result);
                    return vec![Effect::Focus("#checked")];
                }
            }
            (InvitingRequest::Run(draft, from), InvitingResponse::Result(result)) => {
                let Some(run) = inviting.run.as_mut().filter(|it| it.next == Some(from)) else {
                    return Vec::new();
                };
                run.is_sending = false;
                if !result.faults.is_empty() {
                    (inviting.checked, inviting.run) = (Some(*result), None);
                    return vec![Effect::Focus("#checked")];
                }
                run.rows.extend(result.rows);
                (run.total, run.next) = (result.total, result.next);
                let Some(next) = result.next else { return self.finish_inviting() };
                run.is_sending = true;
                return vec![Effect::Send(Request::Inviting(mode, InvitingRequest::Run(draft, next)))];
            }
            _ => {}
        }
        Vec::new()
    }

    /// Handles a failed request. A run can continue where it stopped.
    pub(in crate::core) fn refuse_inviting(
        &mut self,
        mode: Mode,
        sent: &InvitingRequest,
        failure: Failure,
    ) -> Vec<Effect> {
        if self.page != Page::Inviting(mode) {
            return Vec::new();
        }
        let inviting = &mut self.inviting;
        match sent {
            InvitingRequest::InviteTemplates => inviting.invite_templates = Loaded::Failed(failure),
            InvitingRequest::LinkTemplates => inviting.link_templates = Loaded::Failed(failure),
            InvitingRequest::Sites => inviting.sites = Loaded::Failed(failure),
            InvitingRequest::Check(_) | InvitingRequest::Run(..) => {
                inviting.is_checking = false;
                if let Some(run) = &mut inviting.run {
                    run.is_sending = false;
                }
                inviting.failure = Some(failure);
                return vec![Effect::Focus("[aria-invalid=true], #failure")];
            }
        }
        Vec::new()
    }
}
