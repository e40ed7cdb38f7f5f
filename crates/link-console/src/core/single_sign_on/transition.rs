//! How single sign-on changes the state.

use link_types::problem::FieldFault;

use super::request::{SignOnRequest, SignOnResponse, Way};
use super::{SignOn, SignOnInput};
use crate::core::failure::Failure;
use crate::core::loaded::Loaded;
use crate::core::request::Request;
use crate::core::state::State;
use crate::core::{Effect, Text};

impl State {
    pub(in crate::core) fn handle_sign_on(&mut self, input: SignOnInput) -> Vec<Effect> {
        let sign_on = &mut self.sign_on;
        let request = match input {
            SignOnInput::OrganizationTyped(text) => {
                sign_on.organization.draft = text;
                None
            }
            SignOnInput::Wanted(Way::Organization) => {
                sign_on.organization.start().map(|it| SignOnRequest::Leave(Way::Organization, it))
            }
            SignOnInput::Wanted(_) if self.is_signing => None,
            SignOnInput::Wanted(way) => {
                (self.is_signing, self.failure) = (way == Way::Invitation, None);
                Some(SignOnRequest::Leave(way, String::new()))
            }
            SignOnInput::Typed(field, text) => {
                sign_on.is_typed = true;
                if let Some(typed) = sign_on.provider.draft.texts.get_mut(field as usize) {
                    *typed = text;
                }
                None
            }
            SignOnInput::RoleChosen(role) => {
                (sign_on.is_typed, sign_on.provider.draft.role) = (true, role);
                None
            }
            SignOnInput::RequiredToggled => {
                let draft = &mut sign_on.provider.draft;
                (sign_on.is_typed, draft.is_required) = (true, !draft.is_required);
                None
            }
            SignOnInput::DomainTyped(text) => {
                sign_on.domain.draft = text;
                None
            }
            SignOnInput::DomainSubmitted => sign_on.domain.start().map(SignOnRequest::AddDomain),
            SignOnInput::ProofWanted(domain) => {
                (self.failure, self.notice) = (None, None);
                Some(SignOnRequest::Prove(domain))
            }
        };
        request.map(|it| Effect::Send(Request::SignOn(it))).into_iter().collect()
    }

    /// Configures the provider.
    pub(in crate::core) fn save_sign_on(&mut self) -> Option<Request> {
        self.sign_on.provider.start().map(|it| Request::SignOn(SignOnRequest::Save(Box::new(it))))
    }

    pub(in crate::core) fn accept_sign_on(
        &mut self,
        sent: SignOnRequest,
        response: SignOnResponse,
    ) -> Vec<Effect> {
        match (sent, response) {
            (_, SignOnResponse::Address(url)) => vec![Effect::Leave(url)],
            (SignOnRequest::Save(_), SignOnResponse::Settings(settings)) => {
                self.sign_on.provider.is_sending = false;
                self.sign_on.is_typed = false;
                self.sign_on.fill(settings);
                self.finish_sign_on(Some(Text::SignOnSaved))
            }
            (SignOnRequest::Settings, SignOnResponse::Settings(settings)) => {
                self.sign_on.fill(settings);
                Vec::new()
            }
            (SignOnRequest::Own, SignOnResponse::Own(own)) => {
                self.sign_on.own = Loaded::Ready(own);
                Vec::new()
            }
            (SignOnRequest::AddDomain(sent), _) => {
                self.sign_on.domain.accept(&sent, String::new());
                self.finish_sign_on(None)
            }
            (SignOnRequest::Prove(_), _) => self.finish_sign_on(Some(Text::DomainProven)),
            (sent, _) => {
                if sent == SignOnRequest::Remove {
                    // The present provider must not stay in the form.
                    self.sign_on = SignOn::default();
                }
                self.question.take_if(|it| it.request() == Request::SignOn(sent));
                self.finish_sign_on(None)
            }
        }
    }

    fn finish_sign_on(&mut self, notice: Option<Text>) -> Vec<Effect> {
        self.notice = notice;
        [Effect::Focus("h1")].into_iter().chain(self.load()).collect()
    }

    pub(in crate::core) fn refuse_sign_on(&mut self, sent: &SignOnRequest, failure: Failure) -> Vec<Effect> {
        const WRONG: Effect = Effect::Focus("[aria-invalid=true], #failure");
        let sign_on = &mut self.sign_on;
        match sent {
            SignOnRequest::Own => sign_on.own = Loaded::Failed(failure),
            SignOnRequest::Settings => sign_on.settings = Loaded::Failed(failure),
            SignOnRequest::Save(_) => {
                sign_on.provider.refuse(failure);
                return vec![WRONG];
            }
            SignOnRequest::AddDomain(_) => {
                sign_on.domain.refuse(failure);
                return vec![WRONG];
            }
            SignOnRequest::Leave(Way::Organization, _) => {
                sign_on.organization.refuse(failure);
                return vec![WRONG];
            }
            SignOnRequest::Leave(Way::Invitation, _) => {
                self.is_signing = false;
                // The page has no field for which the service could refuse it.
                let detail = |faults: Vec<FieldFault>| {
                    faults.into_iter().next().map(|it| it.message).unwrap_or_default()
                };
                self.failure = Some(if let Failure::Invalid(faults) = failure {
                    Failure::Refused(detail(faults))
                } else {
                    failure
                });
                return vec![Effect::Focus("#failure")];
            }
            SignOnRequest::Leave(Way::Own, _) | SignOnRequest::Prove(_) => return self.fail(failure),
            SignOnRequest::Unlink | SignOnRequest::Remove | SignOnRequest::RemoveDomain(_) => {
                let request = Request::SignOn(sent.clone());
                match self.question.as_mut().filter(|it| it.request() == request) {
                    Some(question) => (question.is_sending, question.failure) = (false, Some(failure)),
                    None => return self.fail(failure),
                }
            }
        }
        Vec::new()
    }
}
