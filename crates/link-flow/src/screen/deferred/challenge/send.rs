//! Requests of the challenge page: an answer, a new code, more time.

use link_types::challenge::{ChallengeKind, CodeChannel, ExtendChallenge, ResendChallenge};
use link_types::host::UiEventName;

use super::work::Work;
use super::{ANSWER, ChallengeScreen, Notice, ask, more};
use crate::call::{Ask, Call};
use crate::context::Context;
use crate::effect::Effect;
use crate::emit;
use crate::fault::FieldError;
use crate::generated::message::Message;
use crate::submission::Secrets;
use crate::submission::{Answer, AnswerSubmission};
use crate::view::FocusTarget;
use crate::view::build::about;

impl ChallengeScreen {
    pub(super) fn choose(&mut self, id: String, context: &mut Context) {
        if ask::has_choice(&self.challenge, &id) {
            self.selected = Some(id);
            self.notice = None;
            return;
        }
        if id == more::EXTEND && self.challenge.extendable {
            return self.extend(context);
        }
        let channel = more::other_channel(&self.challenge, &id);
        self.resend(channel, context);
    }

    pub(super) fn submit(&mut self, mut secrets: Secrets, context: &mut Context) {
        let answer = match &self.challenge.kind {
            ChallengeKind::OneTimeCode { format, .. }
            | ChallengeKind::Image { format, .. }
            | ChallengeKind::Question { format, .. } => {
                let typed = secrets.take(ANSWER).unwrap_or_default();
                match ask::answer(&self.challenge, format, &typed) {
                    Ok(text) => Answer::Text { text },
                    Err(fault) => {
                        context.focus(FocusTarget::Field(ANSWER.to_owned()));
                        return self.show_notice(Notice::Error(FieldError::Format(fault)), context);
                    }
                }
            }
            ChallengeKind::Choice { .. } => match self.selected.clone() {
                Some(value) => Answer::Choice { value },
                None => return self.show_notice(Notice::NoChoice, context),
            },
            ChallengeKind::Approve { .. }
            | ChallengeKind::EmailLink { .. }
            | ChallengeKind::Redirect { .. } => return,
        };
        let request = context.new_request();
        let account = self.linking.account.clone();
        let body = AnswerSubmission { challenge_id: self.challenge.id.clone(), answer };
        context.effect(Effect::Answer { request, account, body });
        emit::ui_event(UiEventName::MfaSubmitted, Some(self.linking.subject()), context);
        context.announce(Message::ChallengeChecking);
        self.notice = None;
        self.work = Work::Sending(request);
    }

    pub(super) fn resend(&mut self, channel: Option<CodeChannel>, context: &mut Context) {
        let Some(channel) = channel.filter(|_| self.clock.may_resend()) else {
            return;
        };
        let request = context.new_request();
        let account = self.linking.account.clone();
        let body = ResendChallenge { challenge_id: self.challenge.id.clone(), channel };
        context.effect(Effect::Resend { request, account, body });
        emit::ui_event(UiEventName::MfaResent, Some(self.linking.subject()), context);
        self.work = Work::Resending(request);
    }

    /// Asks for more time. The person may continue to type.
    pub(super) fn extend(&mut self, context: &mut Context) {
        let request = context.new_request();
        let account = self.linking.account.clone();
        let body = ExtendChallenge { challenge_id: self.challenge.id.clone() };
        context.effect(Effect::Extend { request, account, body });
        emit::ui_event(UiEventName::MfaExtended, Some(self.linking.subject()), context);
        self.work = Work::Extending(request);
    }

    pub(super) fn is_redirect(&self) -> bool {
        matches!(self.challenge.kind, ChallengeKind::Redirect { .. })
    }

    /// Handles a press on the link to the provider's page: the browser opens the tab, or the page of the service that
    /// contains the widget leads away when it gets the event.
    pub(super) fn open_tab(&mut self, context: &mut Context) {
        let ChallengeKind::Redirect { address } = &self.challenge.kind else { return };
        emit::ui_event(UiEventName::MfaSubmitted, Some(self.linking.subject()), context);
        if !address.is_same_tab() {
            self.has_left = true;
            self.notice = None;
            context.announce(about(Message::ChallengeRedirectLeft, &self.linking.provider.name));
        }
    }

    /// Handles a press on the button of a person who came back: looks whether the provider's response has arrived. A poll
    /// is held for long, and the browser may have stopped it in the background.
    pub(super) fn come_back(&mut self, context: &mut Context) {
        if self.is_redirect() && self.has_left && self.is_answering() {
            self.work = Work::Asking(Call::send(Ask::Session, context));
        }
    }
}
