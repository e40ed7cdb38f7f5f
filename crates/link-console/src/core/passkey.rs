//! Passkeys: how a member adds, uses and removes one, and confirms an act. The browser asks the member; the shell only passes
//! its response on.

use link_types::console::PasskeyResponse;

use super::Effect;
use super::ceremony::{Ceremony, PasskeyEvent, PasskeyRequest};
use super::failure::Failure;
use super::request::{Request, Response};
use super::state::{Loaded, State, Unconfirmed, Visitor};
use super::texts::Text;

impl State {
    pub(super) fn handle_passkey(&mut self, event: PasskeyEvent) -> Vec<Effect> {
        match event {
            PasskeyEvent::Wanted(_) if self.is_asking() => Vec::new(),
            PasskeyEvent::Wanted(ceremony) => {
                (self.failure, self.notice) = (None, None);
                self.set_asking(ceremony, true);
                vec![send(PasskeyRequest::Challenge(ceremony))]
            }
            PasskeyEvent::Asked { ceremony, challenge, response: Ok(credential) } => {
                let response = PasskeyResponse { challenge, credential };
                vec![send(PasskeyRequest::Respond(ceremony, response))]
            }
            PasskeyEvent::Asked { ceremony, response: Err(error), .. } => {
                self.fail_ceremony(ceremony, Failure::Browser(error))
            }
            PasskeyEvent::Declined => {
                self.unconfirmed = None;
                vec![Effect::Focus("h1")]
            }
        }
    }

    /// Handles the successful response to a request about passkeys.
    pub(super) fn accept_passkey(&mut self, request: PasskeyRequest, response: Response) -> Vec<Effect> {
        match (request, response) {
            (PasskeyRequest::Challenge(ceremony), Response::Challenge(challenge)) => {
                vec![Effect::AskBrowser(ceremony, challenge)]
            }
            (PasskeyRequest::List, Response::Passkeys(passkeys)) => {
                self.passkeys = Loaded::Ready(passkeys);
                Vec::new()
            }
            (PasskeyRequest::Respond(Ceremony::Add, _), _) => {
                self.set_asking(Ceremony::Add, false);
                self.notice = Some(Text::PasskeyAdded);
                self.load()
            }
            (PasskeyRequest::Respond(Ceremony::Confirm, _), _) => {
                // The act that waited for the confirmation.
                self.unconfirmed.take().map(|it| Effect::Send(it.request)).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Handles the refusal of a request about passkeys.
    pub(super) fn refuse_passkey(&mut self, request: &PasskeyRequest, failure: Failure) -> Vec<Effect> {
        match request {
            PasskeyRequest::List => {
                self.passkeys = Loaded::Failed(failure);
                Vec::new()
            }
            PasskeyRequest::Challenge(ceremony) | PasskeyRequest::Respond(ceremony, _) => {
                self.fail_ceremony(*ceremony, failure)
            }
            // A removal has a question, as other acts.
            PasskeyRequest::Remove(_) => self.fail(failure),
        }
    }

    /// Asks the member to confirm a request that the service refused until then. Forms keep their text.
    pub(super) fn ask_confirmation(&mut self, request: &Request) -> Vec<Effect> {
        self.stop_sending();
        let unconfirmed = Unconfirmed { request: request.clone(), is_asking: false, failure: None };
        self.unconfirmed = Some(unconfirmed);
        vec![Effect::Focus("#confirmation")]
    }

    /// Returns whether a ceremony is under way. There is at most one.
    pub fn is_asking(&self) -> bool {
        let is_confirming = self.unconfirmed.as_ref().is_some_and(|it| it.is_asking);
        is_confirming || self.is_adding_passkey || self.is_signing
    }

    fn set_asking(&mut self, ceremony: Ceremony, is_asking: bool) {
        match (ceremony, &mut self.unconfirmed) {
            (Ceremony::Add, _) => self.is_adding_passkey = is_asking,
            (Ceremony::SignIn, _) => self.is_signing = is_asking,
            (Ceremony::Confirm, Some(unconfirmed)) => {
                (unconfirmed.is_asking, unconfirmed.failure) = (is_asking, None);
            }
            (Ceremony::Confirm, None) => {}
        }
    }

    fn fail_ceremony(&mut self, ceremony: Ceremony, failure: Failure) -> Vec<Effect> {
        self.set_asking(ceremony, false);
        match (ceremony, &mut self.unconfirmed) {
            (Ceremony::Confirm, Some(unconfirmed)) => unconfirmed.failure = Some(failure),
            (Ceremony::Confirm, None) => {}
            (Ceremony::Add | Ceremony::SignIn, _) => self.failure = Some(failure),
        }
        vec![Effect::Focus("#failure")]
    }

    /// Returns whether the portal's address allows passkeys. It is not known before a member has signed in.
    pub fn has_passkeys(&self) -> bool {
        match &self.visitor {
            Visitor::SignedIn(signed_in) => signed_in.has_passkeys,
            Visitor::Unknown | Visitor::SignedOut | Visitor::Failed(_) => true,
        }
    }
}

const fn send(request: PasskeyRequest) -> Effect {
    Effect::Send(Request::Passkey(request))
}

#[cfg(test)]
mod tests {
    use link_types::Mode;
    use link_types::console::PasskeyChallenge;

    use super::super::failure::BrowserError;
    use super::super::tests::{PRODUCTION, signed_in, start};
    use super::super::{Event, Page};
    use super::*;

    fn challenge() -> PasskeyChallenge {
        PasskeyChallenge { challenge: "c1".into(), options: "{}".into() }
    }

    /// Wants a ceremony, and lets the browser return a credential. Returns the response that is sent.
    fn perform(state: &mut State, ceremony: Ceremony) -> Request {
        let wanted = state.handle(Event::Passkey(PasskeyEvent::Wanted(ceremony)));
        let request = Request::Passkey(PasskeyRequest::Challenge(ceremony));
        assert_eq!(wanted, [Effect::Send(request.clone())]);
        assert!(state.handle(Event::Passkey(PasskeyEvent::Wanted(ceremony))).is_empty(), "one at a time");
        let asked = state.handle(Event::respond(request, Ok(Response::Challenge(challenge()))));
        assert_eq!(asked, [Effect::AskBrowser(ceremony, challenge())]);
        let response = Ok("credential".to_owned());
        let event = PasskeyEvent::Asked { ceremony, challenge: "c1".into(), response };
        let body = PasskeyResponse { challenge: "c1".into(), credential: "credential".into() };
        let request = Request::Passkey(PasskeyRequest::Respond(ceremony, body));
        assert_eq!(state.handle(Event::Passkey(event)), [Effect::Send(request.clone())]);
        request
    }

    #[test]
    fn passkey_signs_in() {
        let mut state = State::new();
        state.handle(Event::Started(Page::Overview, false));
        state.handle(Event::respond(Request::WhoIsThere, Err(Failure::SignedOut)));
        let request = perform(&mut state, Ceremony::SignIn);
        let effects = state.handle(Event::respond(request, Ok(signed_in())));
        assert_eq!(effects, [Effect::GoTo(Page::Overview)]);
        assert!(!state.is_signing);
    }

    #[test]
    fn act_that_needs_a_confirmation_is_repeated_after_it() {
        let mut state = start(PRODUCTION);
        state.handle(Event::NameTyped("Payroll".into()));
        state.handle(Event::Submitted);
        let create = Request::CreateKey(Mode::Production, state.production_form.draft.clone());
        let effects = state.handle(Event::respond(create.clone(), Err(Failure::Unconfirmed)));
        assert_eq!(effects, [Effect::Focus("#confirmation")]);
        assert_eq!(state.production_form.draft.name, "Payroll");
        assert!(!state.production_form.is_sending && state.production_form.failure.is_none());
        let request = perform(&mut state, Ceremony::Confirm);
        let effects = state.handle(Event::respond(request, Ok(Response::Done)));
        assert_eq!(effects, [Effect::Send(create)]);
        assert_eq!(state.unconfirmed, None);
    }

    #[test]
    fn cancelled_ceremony_says_so_and_can_be_repeated() {
        let mut state = start(Page::Passkeys);
        state.handle(Event::Passkey(PasskeyEvent::Wanted(Ceremony::Add)));
        let event = PasskeyEvent::Asked {
            ceremony: Ceremony::Add,
            challenge: "c1".into(),
            response: Err(BrowserError::NotAllowed),
        };
        assert_eq!(state.handle(Event::Passkey(event)), [Effect::Focus("#failure")]);
        assert_eq!(state.failure, Some(Failure::Browser(BrowserError::NotAllowed)));
        let request = perform(&mut state, Ceremony::Add);
        let effects = state.handle(Event::respond(request, Ok(Response::Done)));
        assert_eq!(effects, [send(PasskeyRequest::List)]);
        assert_eq!(state.notice, Some(Text::PasskeyAdded));
    }

    #[test]
    fn declined_confirmation_changes_nothing() {
        let mut state = start(Page::Members);
        state.ask_confirmation(&Request::RemoveMember(super::super::tests::member().id));
        assert_eq!(state.handle(Event::Passkey(PasskeyEvent::Declined)), [Effect::Focus("h1")]);
        assert_eq!(state.unconfirmed, None);
    }
}
