//! The login form, built from the provider's field schema.

mod edit;
mod fields;
mod form;

pub(crate) use form::Form;

use link_types::host::UiEventName;
use link_types::id::AccountId;
use link_types::link::AccountProgress;
use link_types::provider::{FieldSchema, Provider};

use super::{Footer, Input, Sheet};
use crate::call::{Ask, Call, Trouble};
use crate::context::Context;
use crate::effect::Effect;
use crate::event::{Press, Refusal, Reply, RequestId, TimerId};
use crate::fault::Fault;
use crate::generated::message::Message;
use crate::linking::Linking;
use crate::screen::consent::{AfterConsent, Consent};
use crate::screen::login_options::LoginOptions;
use crate::screen::providers::Providers;
use crate::secrets::Secrets;
use crate::state::State;
use crate::tell;
use crate::view::{FocusTarget, Text};
use crate::wait::Wait;
use crate::{place, rest};

/// The login page.
#[derive(Debug)]
pub(crate) struct Login {
    provider: Provider,
    form: Form,
    faults: Vec<(String, Fault)>,
    stray_spaces: Vec<String>,
    filled_secrets: Vec<String>,
    /// The account of an earlier try here.
    known: Option<AccountId>,
    remark: Option<Remark>,
    /// Until the service accepts another try.
    wait: Option<Wait>,
    work: Work,
}

/// What is under way on the page.
#[derive(Debug)]
enum Work {
    /// The person types.
    Editing,
    /// The login is on its way.
    Sending(RequestId),
    /// Its answer was lost: ask where the attempt stands.
    Asking(Call),
}

/// What is said above the fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remark {
    /// The password is asked for again, because it was not kept.
    Again,
    /// The login did not reach the service.
    NotSent,
    /// Too many logins failed.
    TooManyTries,
    /// The service did not take it.
    Trouble(Trouble),
}

impl Login {
    /// The empty form of one of the provider's login options.
    pub(crate) fn enter(provider: Provider, option: usize, context: &mut Context) -> State {
        let form = Form::of_option(option);
        let id = form.option_id(&provider);
        // A provider with one way to sign in has nothing to remember but itself.
        let id = id.filter(|_| provider.login_options.len() > 1);
        place::at_provider(Some(&provider.id), id.as_deref(), context);
        Box::new(Self::with(provider, form, None, None)).reenter(context)
    }

    /// The form after a failed try: the open fields as they were, the secret ones empty.
    pub(crate) fn again(linking: Linking, context: &mut Context) -> State {
        let Linking { provider, account, form, .. } = linking;
        let asks_secret = form.visible(&provider).iter().any(|field| field.is_secret());
        let remark = asks_secret.then_some(Remark::Again);
        let login = Box::new(Self::with(provider, form, Some(account), remark));
        if context.consent.is_none() {
            return Consent::enter(AfterConsent::Login(login), context);
        }
        login.reenter(context)
    }

    fn with(provider: Provider, form: Form, known: Option<AccountId>, remark: Option<Remark>) -> Self {
        Self {
            provider,
            form,
            faults: Vec::new(),
            stray_spaces: Vec::new(),
            filled_secrets: Vec::new(),
            known,
            remark,
            wait: None,
            work: Work::Editing,
        }
    }

    /// Shows the page.
    pub(crate) fn reenter(self: Box<Self>, context: &mut Context) -> State {
        context.turn_page();
        rest::prefetch(context);
        tell::ui_event(UiEventName::LoginPageOpened, None, context);
        State::Login(self)
    }

    /// Goes on after a pause: what was on its way either arrived or is asked for again.
    pub(crate) fn resume(
        mut self: Box<Self>,
        progress: Option<AccountProgress>,
        context: &mut Context,
    ) -> State {
        match self.work {
            Work::Editing => {
                self.wait = self.wait.and_then(|wait| wait.resume(context));
                State::Login(self)
            }
            Work::Sending(_) | Work::Asking(_) => self.settle(progress, context),
        }
    }

    pub(crate) fn awaits_reply(&self, request: RequestId) -> bool {
        match &self.work {
            Work::Editing => false,
            Work::Sending(sent) => *sent == request,
            Work::Asking(call) => call.request() == Some(request),
        }
    }

    pub(crate) fn awaits_timer(&self, timer: TimerId) -> bool {
        match &self.work {
            Work::Editing => self.wait.as_ref().is_some_and(|wait| wait.timer() == timer),
            Work::Sending(_) => false,
            Work::Asking(call) => call.timer() == Some(timer),
        }
    }

    /// What leaving would lose.
    pub(crate) fn loss(&self) -> Option<Message> {
        match self.work {
            Work::Editing if self.form.is_blank() && self.filled_secrets.is_empty() => None,
            Work::Editing => Some(Message::LeaveTyped),
            Work::Sending(_) | Work::Asking(_) => Some(Message::LeaveConnecting),
        }
    }

    pub(crate) fn handle(self: Box<Self>, input: Input, context: &mut Context) -> State {
        match (&self.work, input) {
            (Work::Editing, Input::Edited { field, text }) => self.edited(&field, text),
            (Work::Editing, Input::Left { field }) => self.left(&field),
            (Work::Editing, Input::SecretLeft { field, empty, stray_space }) => {
                self.secret_left(field, empty, stray_space)
            }
            (Work::Editing, Input::Submitted(secrets)) if self.wait.is_none() => {
                self.submit(secrets, context)
            }
            (Work::Editing, Input::Pressed(Press::Back)) => self.back(context),
            (Work::Editing, Input::Pressed(Press::ChooseAnother)) if self.may_choose_another(context) => {
                Providers::enter(context)
            }
            (Work::Sending(_), Input::Replied(Reply::Account(reply))) => match reply {
                Ok(progress) => self.started(*progress, context),
                Err(refusal) => self.not_started(&refusal, context),
            },
            (Work::Asking(_), Input::Replied(Reply::Session(reply))) => match reply {
                Ok(session) => self.settle(session.attempt.account, context),
                Err(refusal) => self.asked_in_vain(&refusal, context),
            },
            (Work::Asking(_), Input::TimerFired { elapsed_ms, .. }) => self.ask_again(elapsed_ms, context),
            (Work::Editing, Input::TimerFired { elapsed_ms, .. }) => self.tick(elapsed_ms, context),
            (Work::Editing | Work::Sending(_) | Work::Asking(_), Input::Replied(_))
            | (Work::Sending(_), Input::TimerFired { .. })
            | (Work::Editing, Input::Submitted(_))
            | (Work::Editing | Work::Sending(_) | Work::Asking(_), Input::Pressed(_))
            | (
                Work::Sending(_) | Work::Asking(_),
                Input::Edited { .. } | Input::Left { .. } | Input::SecretLeft { .. } | Input::Submitted(_),
            )
            | (_, Input::Chosen { .. } | Input::Searched { .. } | Input::Filtered { .. }) => {
                State::Login(self)
            }
        }
    }

    fn submit(mut self: Box<Self>, mut secrets: Secrets, context: &mut Context) -> State {
        let Some(consent) = context.receipt() else {
            return Consent::enter(AfterConsent::Login(self), context);
        };
        let credentials = match self.form.collect(&self.provider, &mut secrets) {
            Ok(credentials) => credentials,
            Err(faults) => return self.faulty(faults, context),
        };
        let request = context.new_request();
        let body = crate::submission::LoginSubmission {
            provider_id: self.provider.id.clone(),
            login_option: self.form.option_id(&self.provider),
            login_name: self.form.login_name(&self.provider),
            credentials,
            consent,
        };
        context.effect(Effect::StartLink { request, body: Box::new(body) });
        tell::ui_event(UiEventName::LoginSubmitted, None, context);
        context.announce(Message::LoginSubmitting);
        self.faults.clear();
        self.remark = None;
        self.work = Work::Sending(request);
        State::Login(self)
    }

    /// Shows the faults: the first gets the focus, and their number is said.
    fn faulty(mut self: Box<Self>, faults: Vec<(String, Fault)>, context: &mut Context) -> State {
        if let Some((field, _)) = faults.first() {
            context.focus(FocusTarget::Field(field.clone()));
        }
        let count = u32::try_from(faults.len()).unwrap_or(u32::MAX);
        context.announce(Text::with(Message::FormErrors, vec![count.into()]));
        self.faults = faults;
        self.remark = None;
        self.work = Work::Editing;
        State::Login(self)
    }

    fn started(self: Box<Self>, progress: AccountProgress, context: &mut Context) -> State {
        let is_new = self.known.as_ref() != Some(&progress.account_id);
        let AccountProgress { account_id, version, phase, .. } = progress;
        let linking = Linking { provider: self.provider, account: account_id, version, form: self.form };
        if is_new {
            linking.announce_created(context);
        }
        linking.follow(phase, context)
    }

    fn not_started(mut self: Box<Self>, refusal: &Refusal, context: &mut Context) -> State {
        let faults = self.refused_fields(refusal);
        if !faults.is_empty() {
            return self.faulty(faults, context);
        }
        let is_conflict = matches!(refusal, Refusal::Problem(problem) if problem.status == 409);
        match Trouble::of(refusal) {
            Trouble::Offline | Trouble::Unavailable | Trouble::Unreadable => {}
            Trouble::Refused if is_conflict => {}
            trouble @ (Trouble::Busy(_) | Trouble::Refused) => {
                if let Trouble::Busy(retry_in_ms) = trouble {
                    self.wait = Wait::start(retry_in_ms, context);
                }
                let is_guessing = matches!(refusal, Refusal::LoginLimited { .. });
                let remark = if is_guessing { Remark::TooManyTries } else { Remark::Trouble(trouble) };
                return self.edit_again(remark, context);
            }
        }
        self.work = Work::Asking(Call::send(Ask::Session, context));
        State::Login(self)
    }

    /// The visible fields that a problem document names.
    fn refused_fields(&self, refusal: &Refusal) -> Vec<(String, Fault)> {
        let Refusal::Problem(problem) = refusal else { return Vec::new() };
        let is_named = |field: &FieldSchema| {
            problem.errors.iter().any(|fault| fault.field.strip_prefix("credentials.") == Some(&field.name))
        };
        let visible = self.form.visible(&self.provider).into_iter();
        visible.filter(|field| is_named(field)).map(|field| (field.name.clone(), Fault::Refused)).collect()
    }

    /// The answer was lost: the attempt tells whether the login arrived.
    fn settle(self: Box<Self>, progress: Option<AccountProgress>, context: &mut Context) -> State {
        let is_news = |progress: &AccountProgress| {
            progress.provider_id == self.provider.id && context.is_news(progress)
        };
        match progress.filter(is_news) {
            Some(progress) => self.started(progress, context),
            None => self.edit_again(Remark::NotSent, context),
        }
    }

    fn asked_in_vain(mut self: Box<Self>, refusal: &Refusal, context: &mut Context) -> State {
        let Work::Asking(call) = &mut self.work else { return State::Login(self) };
        call.refused(refusal, context);
        if call.trouble().is_some() {
            return self.edit_again(Remark::NotSent, context);
        }
        State::Login(self)
    }

    fn ask_again(mut self: Box<Self>, elapsed_ms: u32, context: &mut Context) -> State {
        if let Work::Asking(call) = &mut self.work {
            call.rested(elapsed_ms, context);
        }
        State::Login(self)
    }

    fn tick(mut self: Box<Self>, elapsed_ms: u32, context: &mut Context) -> State {
        self.wait = self.wait.and_then(|wait| wait.tick(elapsed_ms, context));
        if self.wait.is_none() {
            self.remark = None;
        }
        State::Login(self)
    }

    /// Back to typing, on the same page: what stands in the secret inputs is still there.
    fn edit_again(mut self: Box<Self>, remark: Remark, context: &mut Context) -> State {
        context.announce(fields::remark_title(remark));
        self.remark = Some(remark);
        self.work = Work::Editing;
        State::Login(self)
    }

    /// A wait may last for a day: the page then offers another provider.
    fn may_choose_another(&self, context: &Context) -> bool {
        self.remark == Some(Remark::TooManyTries) && context.preferences.provider.is_none()
    }

    fn back(self: Box<Self>, context: &mut Context) -> State {
        if self.provider.login_options.len() > 1 {
            return LoginOptions::enter(self.provider, context);
        }
        if context.preferences.provider.is_none() { Providers::enter(context) } else { State::Login(self) }
    }

    pub(crate) fn sheet(&self, context: &Context) -> Sheet {
        let can_go_back = self.provider.login_options.len() > 1 || context.preferences.provider.is_none();
        let is_editing = matches!(self.work, Work::Editing);
        Sheet {
            title: fields::title(self),
            blocks: fields::blocks(self, is_editing, context),
            back: can_go_back && is_editing,
            form: true,
            footer: Footer::Password,
        }
    }
}
