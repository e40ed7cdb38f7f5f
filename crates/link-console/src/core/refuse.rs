//! How a failed request changes the state.

use super::Effect;
use super::ceremony::PasskeyRequest;
use super::failure::Failure;
use super::page::Page;
use super::request::Request;
use super::state::{Loaded, State, Visitor};

impl State {
    pub(super) fn refuse(&mut self, request: &Request, failure: Failure) -> Vec<Effect> {
        match request {
            _ if failure == Failure::Unconfirmed => self.ask_confirmation(request),
            // The code of the address was refused. Another one may have been pasted since.
            Request::SignIn if self.is_signing => {
                (self.is_signing, self.failure) = (false, Some(failure));
                vec![Effect::Focus("#failure")]
            }
            Request::SignIn => Vec::new(),
            Request::WhoIsThere if failure == Failure::SignedOut => self.show_signed_out(),
            Request::WhoIsThere => {
                self.visitor = Visitor::Failed(failure);
                Vec::new()
            }
            Request::SignInOptions => Vec::new(),
            Request::MailLink(_) => self.refuse_link_request(failure),
            Request::SignOut if failure == Failure::SignedOut => self.sign_out(),
            _ if failure == Failure::SignedOut => self.end(),
            Request::Rest(mode, sent) => self.refuse_rest(*mode, sent, failure),
            Request::Site(mode, sent) => self.refuse_site(*mode, sent, failure),
            Request::Template(mode, sent) => self.refuse_template(*mode, sent, failure),
            Request::Inviting(mode, sent) => self.refuse_inviting(*mode, sent, failure),
            Request::People(mode, sent) => self.refuse_people(*mode, sent, failure),
            Request::Insight(mode, sent) => self.refuse_insight(*mode, sent, failure),
            Request::ListKeys(mode) => {
                if self.page == Page::Keys(*mode) {
                    self.keys = Loaded::Failed(failure);
                }
                Vec::new()
            }
            Request::ListMembers => {
                self.members = Loaded::Failed(failure);
                Vec::new()
            }
            Request::ListAudit(filters, cursor) => {
                match self.audit.refuse(filters, cursor.as_deref(), failure) {
                    Some(failure) => {
                        self.failure = Some(failure);
                        vec![Effect::Focus("#failure")]
                    }
                    None => Vec::new(),
                }
            }
            Request::ListSessions => {
                self.sessions = Loaded::Failed(failure);
                Vec::new()
            }
            Request::CreateKey(mode, _) => {
                self.key_form_mut(*mode).refuse(failure);
                vec![Effect::Focus("[aria-invalid=true], #failure")]
            }
            Request::InviteMember(_) => {
                self.member_form.refuse(failure);
                vec![Effect::Focus("[aria-invalid=true], #failure")]
            }
            Request::RotateKey(..)
            | Request::RevokeKey(..)
            | Request::RemoveMember(_)
            | Request::EndSession(_)
            | Request::Passkey(PasskeyRequest::Remove(_)) => {
                match self.question.as_mut().filter(|it| it.request() == *request) {
                    Some(question) => (question.is_sending, question.failure) = (false, Some(failure)),
                    None => self.failure = Some(failure),
                }
                Vec::new()
            }
            Request::SignOut => {
                self.is_signing = false;
                self.fail(failure)
            }
            Request::CreateAddress(_) => {
                self.is_creating_address = false;
                self.fail(failure)
            }
            Request::ChangeRole(..) => self.fail(failure),
            Request::Passkey(request) => self.refuse_passkey(request, failure),
            Request::SignOn(request) => self.refuse_sign_on(request, failure),
        }
    }

    /// Marks everything as not under way, because a request waits for a confirmation.
    pub(super) fn stop_sending(&mut self) {
        (self.sandbox_form.is_sending, self.production_form.is_sending) = (false, false);
        (self.member_form.is_sending, self.is_creating_address) = (false, false);
        self.developer.production_webhook.is_sending = false;
        self.is_adding_passkey = false;
        self.sign_on.stop_sending();
        self.people.acting = None;
        if let Some(question) = &mut self.question {
            question.is_sending = false;
        }
    }

    /// Reports the failure of an act without a form. The list shows what is true, not what was chosen.
    pub(super) fn fail(&mut self, failure: Failure) -> Vec<Effect> {
        self.failure = Some(failure);
        self.load().into_iter().chain([Effect::Focus("#failure")]).collect()
    }
}
