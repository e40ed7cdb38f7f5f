//! The hand-off of a step to a phone: on the computer the code to scan, on the phone the first and the last page.

mod code;
mod phone;

use link_types::link::AttemptState;

use crate::call::Call;
use crate::context::Context;
use crate::event::{RequestId, TimerId};
use crate::generated::message::Message;
use crate::input::Input;
use crate::input::Outcome::{self, Go, Stay};
use crate::route::{HandoffRoute, Over};
use crate::screen::deferred_screen::{Deferred, DeferredScreen};
use crate::sheet::Sheet;
use code::Code;
pub(crate) use phone::on_phone;

/// The pages of a hand-off.
#[derive(Debug)]
pub(crate) struct Handoff {
    page: HandoffPage,
}

/// One variant for each page.
#[derive(Debug)]
enum HandoffPage {
    /// On the computer: shows the code, and waits for the phone.
    Code(Code),
    /// On the phone: asks whether to continue here, then loads the step.
    Arrival(Option<Call>),
    /// On the phone: leads back to the computer.
    Over(Over),
}

impl Handoff {
    /// Enters a page.
    pub(crate) fn enter(route: HandoffRoute, context: &mut Context) -> Box<Self> {
        let page = match route {
            HandoffRoute::Offer(origin) => HandoffPage::Code(Code::enter(origin, context)),
            HandoffRoute::Arrival => {
                phone::arrive(context);
                HandoffPage::Arrival(None)
            }
            HandoffRoute::Over(over) => {
                phone::end(over, context);
                HandoffPage::Over(over)
            }
        };
        Box::new(Self { page })
    }
}

impl DeferredScreen for Handoff {
    fn handle(self: Box<Self>, input: Input, context: &mut Context) -> Outcome<Deferred> {
        let outcome = match self.page {
            HandoffPage::Code(code) => code.handle(input, context).map(HandoffPage::Code),
            HandoffPage::Arrival(call) => {
                phone::handle_arrival(call, input, context).map(HandoffPage::Arrival)
            }
            page @ HandoffPage::Over(_) => Stay(page),
        };
        outcome.map(|page| Box::new(Self { page }) as Deferred)
    }

    fn sheet(&self, context: &Context) -> Sheet {
        match &self.page {
            HandoffPage::Code(code) => code.sheet(),
            HandoffPage::Arrival(call) => phone::arrival(call.as_ref(), context),
            HandoffPage::Over(over) => phone::over(*over),
        }
    }

    fn resume(self: Box<Self>, attempt: AttemptState, context: &mut Context) -> Outcome<Deferred> {
        match self.page {
            HandoffPage::Code(code) => Go(code.back(attempt, context)),
            page @ (HandoffPage::Arrival(_) | HandoffPage::Over(_)) => Stay(Box::new(Self { page })),
        }
    }

    fn awaits_reply(&self, request: RequestId) -> bool {
        match &self.page {
            HandoffPage::Code(code) => code.request() == Some(request),
            HandoffPage::Arrival(call) => call.as_ref().and_then(Call::request) == Some(request),
            HandoffPage::Over(_) => false,
        }
    }

    fn awaits_timer(&self, timer: TimerId) -> bool {
        match &self.page {
            HandoffPage::Code(code) => code.timer() == Some(timer),
            HandoffPage::Arrival(call) => call.as_ref().and_then(Call::timer) == Some(timer),
            HandoffPage::Over(_) => false,
        }
    }

    fn loss(&self) -> Option<Message> {
        match &self.page {
            HandoffPage::Code(code) => code.loss(),
            HandoffPage::Arrival(_) | HandoffPage::Over(_) => None,
        }
    }

    fn needs_session(&self) -> bool {
        match self.page {
            HandoffPage::Code(_) | HandoffPage::Arrival(_) => true,
            HandoffPage::Over(_) => false,
        }
    }
}
