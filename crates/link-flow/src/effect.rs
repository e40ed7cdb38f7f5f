//! The effects that the flow asks the shell for. They are values: the shell runs them in order, in one exhaustive
//! `match`.

use link_types::Sensitive;
use link_types::challenge::{ExtendChallenge, ResendChallenge};
use link_types::handoff::HandoffSubject;
use link_types::host::{Callback, Closed};
use link_types::id::{AccountId, ArchiveId, ProviderId};
use link_types::link::SubmitArchive;
use link_types::uploading::{ConfirmRevocation, CreateArchive, EmployerSurvey, FileOrder, ResumePoint};

use crate::event::{RequestId, TimerId};
use crate::submission::{AnswerSubmission, LoginSubmission};

/// One effect. If it has a `request`, exactly one [`Event::Replied`](crate::Event::Replied) with that number follows.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Remove the bridge's loading view, because the first view is ready (`LinkHost::ready`). The first effect, emitted
    /// once.
    Ready,
    /// Exchange a link token for a session (`LinkHost::exchange`). A retry of the same token must use the same session
    /// secret, so that a lost reply does no harm.
    Exchange {
        /// The request's number.
        request: RequestId,
        /// The link token.
        token: Sensitive,
    },
    /// `GET link/session`: the state of the attempt.
    LoadSession {
        /// The request's number.
        request: RequestId,
    },
    /// `DELETE link/session`. The reply is ignored.
    EndSession,
    /// `GET link/providers`.
    LoadProviders {
        /// The request's number.
        request: RequestId,
        /// The next page's cursor; `None` asks for the first.
        cursor: Option<String>,
    },
    /// `GET link/providers/{id}`: the provider with its login options and fields.
    LoadProvider {
        /// The request's number.
        request: RequestId,
        /// The provider.
        provider: ProviderId,
    },
    /// `POST link/accounts`: submits the login.
    StartLink {
        /// The request's number.
        request: RequestId,
        /// Provider, login and consent receipt.
        body: Box<LoginSubmission>,
    },
    /// `GET link/accounts/{id}?after=&wait=`: long-polls an account.
    PollAccount {
        /// The request's number.
        request: RequestId,
        /// The account.
        account: AccountId,
        /// The known version. The service replies when it has a newer one.
        after: u32,
        /// How long the service may wait, in milliseconds.
        wait_ms: u32,
    },
    /// `POST link/accounts/{id}/answer`: submits the answer to a challenge.
    Answer {
        /// The request's number.
        request: RequestId,
        /// The account.
        account: AccountId,
        /// The challenge and its answer.
        body: AnswerSubmission,
    },
    /// `POST link/accounts/{id}/resend`: requests a new one-time code.
    Resend {
        /// The request's number.
        request: RequestId,
        /// The account.
        account: AccountId,
        /// The challenge and the channel.
        body: ResendChallenge,
    },
    /// `POST link/accounts/{id}/extend`: requests more time for a challenge.
    Extend {
        /// The request's number.
        request: RequestId,
        /// The account.
        account: AccountId,
        /// The challenge.
        body: ExtendChallenge,
    },
    /// Load the deferred chunk (ADR 0077). The reply is [`Reply::Done`](crate::event::Reply::Done).
    LoadChunk {
        /// The request's number.
        request: RequestId,
    },
    /// `GET link/linked`: what the person has linked.
    LoadLinked {
        /// The request's number.
        request: RequestId,
    },
    /// `POST link/accounts/{id}/revocation`, or the same for an archive: requests a confirmation token for the removal.
    AskRevocation {
        /// The request's number.
        request: RequestId,
        /// The account or archive to remove.
        item: ItemId,
    },
    /// `POST link/accounts/{id}/revoke`, or the same for an archive: removes it.
    Revoke {
        /// The request's number.
        request: RequestId,
        /// The account or archive to remove.
        item: ItemId,
        /// The confirmation token.
        body: ConfirmRevocation,
    },
    /// `PUT link/attempt`: saves the resume point, so that a reload repeats no question.
    SaveResumePoint {
        /// The request's number.
        request: RequestId,
        /// The resume point.
        body: Box<ResumePoint>,
    },
    /// `POST link/survey`: names an employer that is not listed.
    SendSurvey {
        /// The request's number.
        request: RequestId,
        /// The survey's answer.
        body: EmployerSurvey,
    },
    /// A request about an archive.
    Archive {
        /// The request's number.
        request: RequestId,
        /// The request.
        ask: ArchiveAsk,
    },
    /// A request about the hand-off to a phone.
    Handoff {
        /// The request's number.
        request: RequestId,
        /// The request.
        ask: HandoffAsk,
    },
    /// An order to uploads.ts (`LinkHost::file`). Its results arrive later, as [`Event::File`](crate::Event::File).
    File(FileOrder),
    /// Send [`Event::TimerFired`](crate::Event::TimerFired) after a delay.
    StartTimer {
        /// The timer's number.
        timer: TimerId,
        /// The delay, in milliseconds.
        after_ms: u32,
    },
    /// Emit a callback to the host page (`LinkHost::tell`), which drops keys that it knows. The shell fills in the
    /// `event_time` of UI events.
    Emit {
        /// Attempt, kind and subject; or opening, kind and number.
        key: String,
        /// The callback with its argument.
        callback: Callback,
    },
    /// Close the widget (`LinkHost::close`). Always the last effect.
    Close {
        /// The argument of `onClose`.
        closed: Closed,
    },
}

/// A request about an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArchiveAsk {
    /// `POST link/archives`: creates an archive.
    Create(CreateArchive),
    /// `POST link/archives/{id}/submit`: submits an archive whose files are complete, with the consent of this opening. The
    /// service needs it if an earlier session or another device created the archive.
    Submit(ArchiveId, SubmitArchive),
    /// `GET link/archives/{id}?after=&wait=`: long-polls an archive.
    Poll {
        /// The archive.
        archive: ArchiveId,
        /// The known version. The service replies when it has a newer one.
        after: u32,
        /// How long the service may wait, in milliseconds.
        wait_ms: u32,
    },
    /// `DELETE link/archives/{id}`: removes an archive that was not submitted. The reply is
    /// [`Reply::Done`](crate::event::Reply::Done), to the others [`Reply::Archive`](crate::event::Reply::Archive).
    Remove(ArchiveId),
}

/// A request about the hand-off to a phone. The reply is [`Reply::Handoff`](crate::event::Reply::Handoff).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandoffAsk {
    /// `POST link/handoff`: creates a code to scan.
    Create(HandoffSubject),
    /// `GET link/handoff`: the state of the hand-off.
    Poll,
    /// `DELETE link/handoff`: takes the step back from the phone.
    End,
}

/// The id of an account or an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemId {
    /// A connected account.
    Account(AccountId),
    /// A submitted upload.
    Archive(ArchiveId),
}
