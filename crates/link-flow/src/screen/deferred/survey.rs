//! The survey: which employer could the person not find?

use link_types::host::UiEventName;
use link_types::link::AttemptState;
use link_types::uploading::EmployerSurvey;

use crate::call::{Ask, Call};
use crate::context::Context;
use crate::emit;
use crate::event::RequestId;
use crate::event::TimerId;
use crate::event::{Press, Reply, RequestError};
use crate::fault;
use crate::generated::message::Message;
use crate::input::Input;
use crate::input::Outcome::{self, Go, Stay};
use crate::route::{Route, UploadRoute};
use crate::screen::deferred_screen::{Deferred, DeferredScreen};
use crate::screen::parts::{announce_trouble, trouble_notice};
use crate::sheet::{Footer, Sheet};
use crate::view::block::{Action, ActionState, Block, Emblem, Field, Keyboard};
use crate::view::build::{action, heading, heading_with, paragraph};
use crate::view::{FocusTarget, Text, Typed};

/// The id of the only input.
const EMPLOYER: &str = "employer";

/// The longest name.
const MAX_NAME: u16 = 200;

/// The survey is skipped if the service asks for a longer wait than this.
const MAX_WAIT_MS: u32 = 60_000;

/// The survey page.
#[derive(Debug)]
pub(crate) struct Survey {
    employer: Typed,
    fault: Option<link_types::format::FormatError>,
    pub(crate) call: Option<Call>,
    is_sent: bool,
}

impl Survey {
    /// Creates the form. It suggests the text of the last search.
    pub(crate) fn enter(context: &mut Context) -> Box<Self> {
        context.turn_page();
        emit::ui_event(UiEventName::EmployerSurveyPageOpened, None, context);
        let employer = context.provider_list.query.clone();
        Box::new(Self { employer, fault: None, call: None, is_sent: false })
    }

    fn is_busy(&self) -> bool {
        self.call
            .as_ref()
            .is_some_and(|call| !matches!(call.trouble(), Some(trouble) if !trouble.is_limited()))
    }

    fn submit(&mut self, context: &mut Context) {
        let format = link_types::format::FieldFormat::Text { min: 1, max: MAX_NAME };
        let typed = self.employer.as_str().trim();
        if let Err(fault) = format.check(typed) {
            context.focus(FocusTarget::Field(EMPLOYER.to_owned()));
            context.announce(fault::text(fault::FieldError::Format(fault), false, ""));
            self.fault = Some(fault);
            return;
        }
        let searched = context.provider_list.query.as_str();
        let searched =
            (!searched.is_empty() && searched.len() <= usize::from(MAX_NAME)).then(|| searched.to_owned());
        let body = EmployerSurvey { employer: typed.to_owned(), searched };
        self.call = Some(Call::send(Ask::Survey(body), context));
        emit::ui_event(UiEventName::SurveySubmitted, None, context);
    }
}

impl DeferredScreen for Survey {
    fn handle(mut self: Box<Self>, input: Input, context: &mut Context) -> Outcome<Deferred> {
        match input {
            Input::Replied(Reply::Done(reply)) if is_settled(&reply) => {
                context.turn_page();
                self.call = None;
                self.is_sent = true;
            }
            Input::Replied(Reply::Done(Err(refusal))) => {
                if let Some(call) = &mut self.call {
                    call.handle_refusal(&refusal, context);
                    announce_trouble(call, context);
                }
            }
            Input::TimerFired { elapsed_ms, .. } => {
                if let Some(call) = &mut self.call {
                    call.handle_timer(elapsed_ms, context);
                }
            }
            Input::Edited { field, text } if field == EMPLOYER && !self.is_busy() => {
                self.employer = text;
                self.fault = None;
            }
            Input::Submitted(_) if !self.is_busy() && !self.is_sent => self.submit(context),
            Input::Pressed(Press::Back | Press::ChooseAnother) if !self.is_busy() => {
                return Go(Route::Providers);
            }
            Input::Pressed(Press::Upload) if self.is_sent && context.may_upload() => {
                return Go(Route::Uploads(UploadRoute::Start));
            }
            Input::Replied(_)
            | Input::Pressed(_)
            | Input::Chosen { .. }
            | Input::Searched { .. }
            | Input::Filtered { .. }
            | Input::Edited { .. }
            | Input::Left { .. }
            | Input::SecretLeft { .. }
            | Input::Submitted(_) => {}
        }
        Stay(self)
    }

    fn sheet(&self, context: &Context) -> Sheet {
        if self.is_sent {
            return thanks(context);
        }
        let title = Text::from(Message::SurveyTitle);
        let mut blocks = vec![heading(title.clone()), paragraph(Message::SurveyText.into())];
        if let Some(trouble) = self.call.as_ref().and_then(Call::trouble) {
            blocks.push(trouble_notice(trouble, None));
        }
        let busy = self.is_busy();
        blocks.push(Block::Field(Box::new(Field {
            id: EMPLOYER.to_owned(),
            label: Message::SurveyLabel.into(),
            input: crate::view::block::Input::Text { value: self.employer.clone(), keyboard: Keyboard::Text },
            required: true,
            optional: None,
            help: None,
            prefix: None,
            error: self.fault.map(|fault| fault::text(fault::FieldError::Format(fault), false, "")),
            hint: None,
            autocomplete: "organization".to_owned(),
            disabled: busy,
        })));
        let state = if busy { ActionState::Busy } else { ActionState::Ready };
        let primary = Action { state, ..action(Message::SurveySubmit, Press::Submit) };
        blocks.push(Block::Actions { primary, secondary: None });
        Sheet { title, blocks, back: !busy, form: true, footer: Footer::None }
    }

    fn resume(mut self: Box<Self>, _: AttemptState, context: &mut Context) -> Outcome<Deferred> {
        self.call = self.call.map(|call| Call::send(call.ask().clone(), context));
        Stay(self)
    }

    fn awaits_reply(&self, request: RequestId) -> bool {
        self.call.as_ref().and_then(|call| call.request()) == Some(request)
    }

    fn awaits_timer(&self, timer: TimerId) -> bool {
        self.call.as_ref().and_then(|call| call.timer()) == Some(timer)
    }
}

/// Whether the survey is done: it was stored, or the user's quota of surveys is used up.
fn is_settled(reply: &Result<(), RequestError>) -> bool {
    match reply {
        Ok(()) => true,
        Err(RequestError::Limited { retry_in_ms }) => *retry_in_ms > MAX_WAIT_MS,
        Err(
            RequestError::Unreachable
            | RequestError::Problem(_)
            | RequestError::LoginLimited { .. }
            | RequestError::Unreadable { .. },
        ) => false,
    }
}

/// Thanks the person. If uploads are enabled, offers one.
fn thanks(context: &Context) -> Sheet {
    let title = Text::from(Message::SurveyThanksTitle);
    let list = action(Message::ActionChooseAnother, Press::ChooseAnother);
    let (text, primary, secondary) = if context.may_upload() {
        (Message::SurveyThanksUpload, action(Message::ActionUpload, Press::Upload), Some(list))
    } else {
        (Message::SurveyThanksText, list, Some(action(Message::ActionClose, Press::Leave)))
    };
    let blocks = vec![
        heading_with(Emblem::Success, title.clone()),
        paragraph(text.into()),
        Block::Actions { primary, secondary },
    ];
    Sheet::new(title, Footer::None, blocks)
}
