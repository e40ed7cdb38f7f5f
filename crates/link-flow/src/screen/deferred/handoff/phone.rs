//! The phone's own pages. In between, it shows the page of the step that was handed off.

use link_types::host::UiEventName;
use link_types::link::LinkPhase;
use link_types::uploading::ArchivePhase;

use super::code::working;
use crate::arrival;
use crate::call::{Ask, Call};
use crate::context::Context;
use crate::emit;
use crate::event::{Press, Reply};
use crate::generated::message::Message;
use crate::input::Input;
use crate::input::Outcome::{self, Go, Stay};
use crate::route::{AfterConsent, HandoffRoute, LoadPurpose, Over, Route, UploadRoute};
use crate::screen::page_call;
use crate::sheet::{Footer, Sheet};
use crate::view::Text;
use crate::view::block::{Block, Emblem, Severity};
use crate::view::build::{about, action, heading_with, notice, paragraph};

/// Asks whether to continue here.
pub(super) fn arrive(context: &mut Context) {
    context.turn_page();
    emit::ui_event(UiEventName::HandoffPageOpened, None, context);
}

/// Loads the step after the person agreed to continue here.
pub(super) fn handle_arrival(
    mut call: Option<Call>,
    input: Input,
    context: &mut Context,
) -> Outcome<Option<Call>> {
    match (&mut call, input) {
        (None, Input::Pressed(Press::Confirm)) => {
            context.turn_page();
            call = Some(Call::send(Ask::Session, context));
        }
        (Some(_), Input::Replied(Reply::Session(Ok(session)))) => {
            return Go(arrival::step(*session, context));
        }
        (Some(call), Input::Replied(Reply::Session(Err(refusal)))) => {
            page_call::handle_refusal(call, &refusal, context);
        }
        (Some(call), Input::TimerFired { elapsed_ms, .. }) => {
            page_call::handle_timer(call, elapsed_ms, context);
        }
        (Some(call), Input::Pressed(Press::Retry)) => {
            page_call::retry(call, context);
        }
        (
            None | Some(_),
            Input::Replied(_)
            | Input::TimerFired { .. }
            | Input::Pressed(_)
            | Input::Chosen { .. }
            | Input::Searched { .. }
            | Input::Filtered { .. }
            | Input::Edited { .. }
            | Input::Left { .. }
            | Input::SecretLeft { .. }
            | Input::Submitted(_),
        ) => {}
    }
    Stay(call)
}

/// Ends the phone's access.
pub(super) fn end(over: Over, context: &mut Context) {
    context.turn_page();
    match over {
        Over::Done | Over::GoBack => context.end_session(),
        // The service accepts nothing from the phone any more.
        Over::TakenBack => context.lose_session(),
        Over::DeadCode => {}
    }
}

/// Returns a route as it is on a phone: everything but the step that was handed off leads back to the computer.
#[inline(never)]
pub(crate) fn on_phone(route: Route) -> Route {
    let over = match &route {
        Route::Handoff(_)
        | Route::ResumeUpload(_)
        | Route::LoadProvider(_, LoadPurpose::Resume(_))
        | Route::Uploads(UploadRoute::Kind(_)) => return route,
        // The consent of the computer does not count here (ADR 184).
        Route::Consent(AfterConsent::Uploads(_))
        | Route::Terms(AfterConsent::Uploads(_))
        | Route::DataChoice(AfterConsent::Uploads(_)) => return route,
        Route::Uploads(UploadRoute::Archive(archive)) => match archive.phase {
            ArchivePhase::Uploading {} => return route,
            ArchivePhase::Analyzing { .. } | ArchivePhase::Analyzed {} | ArchivePhase::Failed { .. } => {
                Over::Done
            }
            ArchivePhase::Revoked {} => Over::GoBack,
        },
        Route::Linking(_, phase) => match **phase {
            LinkPhase::Connecting { .. } | LinkPhase::Challenge { .. } => return route,
            LinkPhase::Connected {} => Over::Done,
            LinkPhase::Failed { .. } | LinkPhase::Disconnected {} => Over::GoBack,
        },
        Route::Start
        | Route::Consent(AfterConsent::Provider | AfterConsent::Login(_))
        | Route::Terms(AfterConsent::Provider | AfterConsent::Login(_))
        | Route::DataChoice(AfterConsent::Provider | AfterConsent::Login(_))
        | Route::Providers
        | Route::LoadProvider(_, LoadPurpose::SignIn(_))
        | Route::LoginOptions(_)
        | Route::Login(..)
        | Route::LoginAgain(_)
        | Route::Accounts
        | Route::Account(_)
        | Route::Survey
        | Route::Uploads(UploadRoute::Start)
        | Route::TokenExpired => Over::GoBack,
    };
    Route::Handoff(HandoffRoute::Over(over))
}

/// Warns of a stranger's code: the stranger would get what the person enters here.
pub(super) fn arrival(call: Option<&Call>, context: &Context) -> Sheet {
    let title = Text::from(Message::HandoffArrivalTitle);
    let blocks = if let Some(call) = call { working(call, None) } else { question(&title, context) };
    Sheet::new(title, Footer::Consent, blocks)
}

fn question(title: &Text, context: &Context) -> Vec<Block> {
    vec![
        heading_with(Emblem::Phone, title.clone()),
        paragraph(about(Message::HandoffArrivalText, context.company())),
        notice(Severity::Warning, None, Message::HandoffArrivalWarning.into()),
        Block::Actions {
            primary: action(Message::HandoffContinue, Press::Confirm),
            secondary: Some(action(Message::ActionClose, Press::Leave)),
        },
    ]
}

pub(super) fn over(over: Over) -> Sheet {
    let (emblem, title, text) = match over {
        Over::Done => (Emblem::Success, Message::HandoffDoneTitle, Message::HandoffDoneText),
        Over::GoBack | Over::TakenBack => {
            (Emblem::Phone, Message::HandoffBackTitle, Message::HandoffBackText)
        }
        Over::DeadCode => (Emblem::Clock, Message::HandoffDeadTitle, Message::HandoffDeadText),
    };
    let blocks = vec![
        heading_with(emblem, title.into()),
        paragraph(text.into()),
        Block::Actions { primary: action(Message::ActionClose, Press::Leave), secondary: None },
    ];
    Sheet::new(title.into(), Footer::None, blocks)
}
