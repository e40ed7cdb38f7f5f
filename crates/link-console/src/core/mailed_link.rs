//! The request of a mailed link that signs a member in, on the page without a session.

use link_types::console::SignInOptions;

use super::Effect;
use super::failure::Failure;
use super::loaded::Form;
use super::request::Request;
use super::state::{State, Visitor};

/// The request of a mailed link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailedLink {
    /// Whether the service mails links.
    pub is_offered: bool,
    /// The form with the address.
    pub form: Form<String>,
    /// Whether a link was requested. The service does not say whether a member has the address.
    pub is_requested: bool,
}

impl Default for MailedLink {
    fn default() -> Self {
        Self { is_offered: false, form: Form::new(String::new()), is_requested: false }
    }
}

impl State {
    /// Shows the page without a session, and asks how a member can sign in.
    pub(super) fn show_signed_out(&mut self) -> Vec<Effect> {
        self.visitor = Visitor::SignedOut;
        vec![Effect::Focus("h1"), Effect::Send(Request::SignInOptions)]
    }

    pub(super) fn accept_sign_in_options(&mut self, options: SignInOptions) -> Vec<Effect> {
        self.mailed_link.is_offered = options.has_mail;
        Vec::new()
    }

    /// Changes the address, unless a member is signed in. Returns whether it did.
    pub(super) fn type_own_address(&mut self, address: &str) -> bool {
        let is_signed_out = self.visitor == Visitor::SignedOut;
        if is_signed_out {
            address.clone_into(&mut self.mailed_link.form.draft);
        }
        is_signed_out
    }

    /// Requests a link. The address stays, for another one.
    pub(super) fn ask_for_link(&mut self) -> Option<Request> {
        self.mailed_link.is_requested = false;
        self.mailed_link.form.start().map(Request::MailLink)
    }

    pub(super) fn accept_link_request(&mut self, sent: String) -> Vec<Effect> {
        self.mailed_link.form.accept(&sent, sent.clone());
        self.mailed_link.is_requested = true;
        vec![Effect::Focus("#mailed")]
    }

    pub(super) fn refuse_link_request(&mut self, failure: Failure) -> Vec<Effect> {
        self.mailed_link.form.refuse(failure);
        vec![Effect::Focus("[aria-invalid=true], #failure")]
    }
}

#[cfg(test)]
mod tests {
    use super::super::request::Response;
    use super::super::tests::{signed_in, start};
    use super::super::{Event, Page};
    use super::*;

    const ADDRESS: &str = "ana@shop.example";

    fn signed_out_state(has_mail: bool) -> State {
        let mut state = State::new();
        state.handle(Event::Started(Page::Overview, false));
        let effects = state.handle(Event::respond(Request::WhoIsThere, Err(Failure::SignedOut)));
        assert_eq!(effects, [Effect::Focus("h1"), Effect::Send(Request::SignInOptions)]);
        let options = Response::SignInOptions(SignInOptions { has_mail });
        state.handle(Event::respond(Request::SignInOptions, Ok(options)));
        state
    }

    #[test]
    fn link_is_offered_if_the_service_has_a_mail_server() {
        assert!(signed_out_state(true).mailed_link.is_offered);
        assert!(!signed_out_state(false).mailed_link.is_offered);
        let mut unknown = signed_out_state(true);
        unknown.mailed_link = MailedLink::default();
        assert_eq!(unknown.handle(Event::respond(Request::SignInOptions, Err(Failure::Offline))), []);
        assert!(!unknown.mailed_link.is_offered && unknown.failure.is_none());
    }

    #[test]
    fn address_is_sent_and_stays_for_another_link() {
        let mut state = signed_out_state(true);
        state.handle(Event::EmailTyped(ADDRESS.into()));
        let request = Request::MailLink(ADDRESS.into());
        assert_eq!(state.handle(Event::Submitted), [Effect::Send(request.clone())]);
        assert_eq!(state.handle(Event::Submitted), [], "a second press");
        let effects = state.handle(Event::respond(request, Ok(Response::Done)));
        assert_eq!(effects, [Effect::Focus("#mailed")]);
        assert!(state.mailed_link.is_requested && state.mailed_link.form.draft == ADDRESS);
    }

    #[test]
    fn refused_address_says_so_and_stays() {
        let mut state = signed_out_state(true);
        state.handle(Event::EmailTyped(ADDRESS.into()));
        state.handle(Event::Submitted);
        state.handle(Event::respond(Request::MailLink(ADDRESS.into()), Err(Failure::Busy(9))));
        assert_eq!(state.mailed_link.form.failure, Some(Failure::Busy(9)));
        assert!(!state.mailed_link.is_requested && state.mailed_link.form.draft == ADDRESS);
    }

    #[test]
    fn address_of_a_new_member_is_another_form() {
        let mut state = start(Page::Members);
        state.handle(Event::EmailTyped(ADDRESS.into()));
        assert_eq!((state.member_form.draft.email.as_str(), &*state.mailed_link.form.draft), (ADDRESS, ""));
    }

    #[test]
    fn response_to_a_request_before_the_sign_in_is_late() {
        let mut state = signed_out_state(true);
        state.handle(Event::EmailTyped(ADDRESS.into()));
        state.handle(Event::Submitted);
        state.handle(Event::respond(Request::SignIn, Ok(signed_in())));
        assert_eq!(state.handle(Event::respond(Request::MailLink(ADDRESS.into()), Ok(Response::Done))), []);
    }
}
