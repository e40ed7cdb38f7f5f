//! The login form, built from the provider's field schema.

mod fields;

use link_types::host::UiEventName;
use link_types::link::AccountProgress;
use link_types::link::AttemptState;
use link_types::problem::ProblemCode;
use link_types::provider::{FieldSchema, Provider};

use crate::call::{Ask, Call, Trouble, is_coded};
use crate::context::Context;
use crate::effect::Effect;
use crate::emit;
use crate::event::{Press, Reply, RequestError, RequestId, TimerId};
use crate::fault::FieldError;
use crate::generated::message::Message;
use crate::input::Input;
use crate::input::Outcome::{self, Go, Stay};
use crate::linking::Linking;
use crate::login_draft::{LoginDraft, Notice};
use crate::login_form::LoginForm;
use crate::resume_point;
use crate::route::{AfterConsent, Route};
use crate::screen::deferred_screen::{Deferred, DeferredScreen};
use crate::sheet::{Footer, Sheet};
use crate::submission::Secrets;
use crate::view::{FocusTarget, Text};
use crate::wait::Wait;

/// The login page.
#[derive(Debug)]
pub(crate) struct Login {
    draft: LoginDraft,
    work: Work,
}

/// The work under way.
#[derive(Debug)]
enum Work {
    /// The person types.
    Editing,
    /// The login was sent.
    Sending(RequestId),
    /// The reply was lost: the state of the attempt is requested.
    Asking(Call),
}

impl Login {
    /// Creates the empty form of a login option.
    pub(crate) fn enter(provider: Provider, option: usize, context: &mut Context) -> Box<Self> {
        let form = LoginForm::of_option(option);
        let id = form.option_id(&provider);
        // The resume point has no login option for a provider with a single one.
        let id = id.filter(|_| provider.login_options.len() > 1);
        resume_point::at_provider(Some(&provider.id), id.as_deref(), context);
        Self::reenter(LoginDraft::new(provider, form), context)
    }

    /// Shows a form that may be filled in.
    pub(crate) fn reenter(mut draft: LoginDraft, context: &mut Context) -> Box<Self> {
        context.turn_page();
        if core::mem::take(&mut context.restarted) && draft.notice.is_none() {
            context.announce(Message::LoginRestartedTitle);
            draft.notice = Some(Notice::Restarted);
        }
        context.closing.set_provider(&draft.provider.id);
        emit::ui_event(UiEventName::LoginPageOpened, None, context);
        Box::new(Self { draft, work: Work::Editing })
    }

    fn submit(mut self: Box<Self>, mut secrets: Secrets, context: &mut Context) -> Outcome<Deferred> {
        if context.needs_consent() {
            return Go(Route::Consent(AfterConsent::Login(Box::new(self.draft.without_secrets()))));
        }
        let consent = if context.is_covered() { None } else { context.consent.receipt().cloned() };
        let credentials = match self.draft.form.collect(&self.draft.provider, &mut secrets) {
            Ok(credentials) => credentials,
            Err(faults) => {
                self.faulty(faults, context);
                return Stay(self);
            }
        };
        let request = context.new_request();
        let body = crate::submission::LoginSubmission {
            provider_id: self.draft.provider.id.clone(),
            login_option: self.draft.form.option_id(&self.draft.provider),
            login_name: self.draft.form.login_name(&self.draft.provider),
            credentials,
            account_id: context.resume_point.at.account_id.clone(),
            consent,
        };
        context.effect(Effect::StartLink { request, body: Box::new(body) });
        emit::ui_event(UiEventName::LoginSubmitted, None, context);
        context.announce(Message::LoginSubmitting);
        self.draft.faults.clear();
        self.draft.notice = None;
        self.work = Work::Sending(request);
        Stay(self)
    }

    /// Shows the faults: the first one gets the focus, and their number is announced.
    fn faulty(&mut self, faults: Vec<(String, FieldError)>, context: &mut Context) {
        if let Some((field, _)) = faults.first() {
            context.focus(FocusTarget::Field(field.clone()));
        }
        let count = u32::try_from(faults.len()).unwrap_or(u32::MAX);
        context.announce(Text::with(Message::FormErrors, vec![count.into()]));
        self.draft.faults = faults;
        self.draft.notice = None;
        self.work = Work::Editing;
    }

    fn handle_started(
        self: Box<Self>,
        progress: AccountProgress,
        context: &mut Context,
    ) -> Outcome<Deferred> {
        let is_new = self.draft.known.as_ref() != Some(&progress.account_id);
        let AccountProgress { account_id, version, phase, .. } = progress;
        let LoginDraft { provider, form, .. } = self.draft;
        let linking = Box::new(Linking { provider, account: account_id, version, form });
        if is_new {
            linking.emit_created(context);
        }
        Go(Route::linking(linking, phase))
    }

    fn not_started(&mut self, refusal: &RequestError, context: &mut Context) {
        let faults = self.refused_fields(refusal);
        if !faults.is_empty() {
            return self.faulty(faults, context);
        }
        if is_coded(refusal, ProblemCode::AccountMismatch) {
            return self.edit_again(Notice::OtherAccount, context);
        }
        let is_conflict = matches!(refusal, RequestError::Problem(problem) if problem.status == 409);
        match Trouble::from_refusal(refusal) {
            Trouble::Offline | Trouble::Unavailable | Trouble::Unreadable => {}
            Trouble::Refused if is_conflict => {}
            trouble @ (Trouble::Busy(_) | Trouble::Refused) => {
                if let Trouble::Busy(retry_in_ms) = trouble {
                    self.draft.wait = Wait::start(retry_in_ms, context);
                }
                let is_guessing = matches!(refusal, RequestError::LoginLimited { .. });
                let notice = if is_guessing { Notice::TooManyTries } else { Notice::Trouble(trouble) };
                return self.edit_again(notice, context);
            }
        }
        self.work = Work::Asking(Call::send(Ask::Session, context));
    }

    /// Returns the visible fields that a problem document names.
    fn refused_fields(&self, refusal: &RequestError) -> Vec<(String, FieldError)> {
        let RequestError::Problem(problem) = refusal else { return Vec::new() };
        let is_named = |field: &FieldSchema| {
            problem.errors.iter().any(|fault| fault.field.strip_prefix("credentials.") == Some(&field.name))
        };
        let visible = self.draft.form.visible(&self.draft.provider).into_iter();
        visible
            .filter(|field| is_named(field))
            .map(|field| (field.name.clone(), FieldError::Refused))
            .collect()
    }

    /// Handles a lost reply: the attempt shows whether the login arrived. `lost` says why it may not have.
    fn settle(
        mut self: Box<Self>,
        progress: Option<AccountProgress>,
        lost: Notice,
        context: &mut Context,
    ) -> Outcome<Deferred> {
        let has_arrived = |progress: &AccountProgress| {
            progress.provider_id == self.draft.provider.id && context.is_newer(progress)
        };
        match progress.filter(has_arrived) {
            Some(progress) => self.handle_started(progress, context),
            None => {
                self.edit_again(lost, context);
                Stay(self)
            }
        }
    }

    fn handle_rejection(&mut self, refusal: &RequestError, context: &mut Context) {
        if let Work::Asking(call) = &mut self.work {
            call.handle_refusal(refusal, context);
            let Some(trouble) = call.trouble() else { return };
            let is_ours = matches!(trouble, Trouble::Unavailable | Trouble::Unreadable);
            self.edit_again(if is_ours { Notice::Trouble(trouble) } else { Notice::NotSent }, context);
        }
    }

    fn ask_again(&mut self, elapsed_ms: u32, context: &mut Context) {
        if let Work::Asking(call) = &mut self.work {
            call.handle_timer(elapsed_ms, context);
        }
    }

    fn tick(&mut self, elapsed_ms: u32, context: &mut Context) {
        self.draft.wait = self.draft.wait.take().and_then(|wait| wait.tick(elapsed_ms, context));
        if self.draft.wait.is_none() {
            self.draft.notice = None;
        }
    }

    /// Lets the person type again on the same page, which still has the text of its secret inputs.
    fn edit_again(&mut self, notice: Notice, context: &mut Context) {
        context.announce(fields::notice_title(notice));
        self.draft.notice = Some(notice);
        self.work = Work::Editing;
    }

    /// A wait may last a day, so the page offers another provider.
    fn may_choose_another(&self, context: &Context) -> bool {
        self.draft.notice == Some(Notice::TooManyTries) && !context.preferences.is_fixed()
    }

    fn back(self: Box<Self>, context: &mut Context) -> Outcome<Deferred> {
        if self.draft.provider.login_options.len() > 1 {
            return Go(Route::LoginOptions(Box::new(self.draft.provider)));
        }
        if !context.preferences.is_fixed() { Go(Route::before_login(context)) } else { Stay(self) }
    }
}

impl DeferredScreen for Login {
    fn handle(mut self: Box<Self>, input: Input, context: &mut Context) -> Outcome<Deferred> {
        match (&self.work, input) {
            (Work::Editing, Input::Edited { field, text }) => self.draft.edit(&field, text),
            (Work::Editing, Input::Left { field }) => self.draft.check_left(&field),
            (Work::Editing, Input::SecretLeft { field, empty, stray_space }) => {
                self.draft.secret_left(field, empty, stray_space);
            }
            (Work::Editing, Input::Submitted(secrets)) if self.draft.wait.is_none() => {
                return self.submit(secrets, context);
            }
            (Work::Editing, Input::Pressed(Press::Back)) => return self.back(context),
            (Work::Editing, Input::Pressed(Press::ChooseAnother)) if self.may_choose_another(context) => {
                return Go(Route::Providers);
            }
            (Work::Sending(_), Input::Replied(Reply::Account(reply))) => match reply {
                Ok(progress) => return self.handle_started(*progress, context),
                Err(refusal) if is_coded(&refusal, ProblemCode::ConsentRequired) => {
                    context.drop_consent();
                    return Go(Route::Terms(AfterConsent::Login(Box::new(self.draft.without_secrets()))));
                }
                Err(refusal)
                    if is_coded(&refusal, ProblemCode::MissingResource)
                        && context.resume_point.at.account_id.is_some() =>
                {
                    // The account was removed meanwhile. The page about it says so.
                    context.preferences.account = context.resume_point.at.account_id.clone();
                    return Go(Route::Providers);
                }
                Err(refusal) => self.not_started(&refusal, context),
            },
            (Work::Asking(_), Input::Replied(Reply::Session(reply))) => match reply {
                Ok(session) => return self.settle(session.attempt.account, Notice::NotSent, context),
                Err(refusal) => self.handle_rejection(&refusal, context),
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
            | (_, Input::Chosen { .. } | Input::Searched { .. } | Input::Filtered { .. }) => {}
        }
        Stay(self)
    }

    fn sheet(&self, context: &Context) -> Sheet {
        let can_go_back = self.draft.provider.login_options.len() > 1 || !context.preferences.is_fixed();
        let is_editing = matches!(self.work, Work::Editing);
        Sheet {
            title: fields::title(&self.draft),
            blocks: fields::blocks(&self.draft, is_editing, context),
            back: can_go_back && is_editing,
            form: true,
            footer: if fields::asks_secret(&self.draft) { Footer::Password } else { Footer::Consent },
        }
    }

    fn resume(mut self: Box<Self>, attempt: AttemptState, context: &mut Context) -> Outcome<Deferred> {
        let progress = attempt.account;
        match self.work {
            Work::Editing => {
                self.draft.wait = self.draft.wait.and_then(|wait| wait.resume(context));
                Stay(self)
            }
            Work::Sending(_) | Work::Asking(_) => self.settle(progress, Notice::Renewed, context),
        }
    }

    fn awaits_reply(&self, request: RequestId) -> bool {
        match &self.work {
            Work::Editing => false,
            Work::Sending(sent) => *sent == request,
            Work::Asking(call) => call.request() == Some(request),
        }
    }

    fn awaits_timer(&self, timer: TimerId) -> bool {
        match &self.work {
            Work::Editing => self.draft.wait.as_ref().is_some_and(|wait| wait.timer() == timer),
            Work::Sending(_) => false,
            Work::Asking(call) => call.timer() == Some(timer),
        }
    }

    fn loss(&self) -> Option<Message> {
        match self.work {
            Work::Editing => self.draft.loss(),
            Work::Sending(_) | Work::Asking(_) => Some(Message::LeaveConnecting),
        }
    }
}
