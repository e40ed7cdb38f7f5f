//! What the flow asks of the body. Values, not calls: the body runs them in order, in one exhaustive `match`.

use link_types::Sensitive;
use link_types::challenge::{ExtendChallenge, ResendChallenge};
use link_types::host::{Callback, CloseReason};
use link_types::id::{AccountId, ArchiveId, ProviderId};
use link_types::uploading::{AttemptPlace, ConfirmRevocation, CreateArchive, EmployerSurvey, FileOrder};

use crate::event::{RequestId, TimerId};
use crate::submission::{AnswerSubmission, LoginSubmission};

/// One thing to do. Effects with a `request` are answered by [`Event::Replied`](crate::Event::Replied) with the same
/// number, exactly once.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// The first view stands: take the host's shell away (`LinkHost::ready`). Comes once, before everything else.
    Ready,
    /// Exchange a link token for a session (`LinkHost::exchange`). The same token again must go with the same session
    /// secret, so that a lost answer costs nothing.
    Exchange {
        /// The number of the request.
        request: RequestId,
        /// The link token.
        token: Sensitive,
    },
    /// `GET link/session`: where the attempt stands.
    LoadSession {
        /// The number of the request.
        request: RequestId,
    },
    /// `DELETE link/session`. Its answer is of no interest.
    EndSession,
    /// `GET link/providers`.
    LoadProviders {
        /// The number of the request.
        request: RequestId,
        /// The next page's cursor; `None` asks for the first.
        cursor: Option<String>,
    },
    /// `GET link/providers/{id}`: with its login options and fields.
    LoadProvider {
        /// The number of the request.
        request: RequestId,
        /// Which.
        provider: ProviderId,
    },
    /// `POST link/accounts`: the login leaves here, once.
    StartLink {
        /// The number of the request.
        request: RequestId,
        /// Provider, login, consent receipt.
        body: Box<LoginSubmission>,
    },
    /// `GET link/accounts/{id}?after=&wait=`: the long poll.
    PollAccount {
        /// The number of the request.
        request: RequestId,
        /// Which account.
        account: AccountId,
        /// The version already known; the service answers when it has a higher one.
        after: u32,
        /// How long the service may wait, in milliseconds.
        wait_ms: u32,
    },
    /// `POST link/accounts/{id}/answer`: the answer to a challenge leaves here, once.
    Answer {
        /// The number of the request.
        request: RequestId,
        /// Which account.
        account: AccountId,
        /// Challenge and answer.
        body: AnswerSubmission,
    },
    /// `POST link/accounts/{id}/resend`: a new one-time code.
    Resend {
        /// The number of the request.
        request: RequestId,
        /// Which account.
        account: AccountId,
        /// Challenge and channel.
        body: ResendChallenge,
    },
    /// `POST link/accounts/{id}/extend`: more time for a challenge.
    Extend {
        /// The number of the request.
        request: RequestId,
        /// Which account.
        account: AccountId,
        /// Which challenge.
        body: ExtendChallenge,
    },
    /// Load the part of the program that draws and runs the accounts, the survey and the uploads: answered by
    /// [`Reply::Done`](crate::event::Reply::Done).
    LoadRest {
        /// Comes back with the answer.
        request: RequestId,
    },
    /// `GET link/linked`: what the person has given so far.
    LoadLinked {
        /// The number of the request.
        request: RequestId,
    },
    /// `POST link/accounts/{id}/revocation` or the same of an archive: the right to take it back.
    AskRevocation {
        /// The number of the request.
        request: RequestId,
        /// What is to be taken back.
        given: Given,
    },
    /// `POST link/accounts/{id}/revoke` or the same of an archive: take it back.
    Revoke {
        /// The number of the request.
        request: RequestId,
        /// What is taken back.
        given: Given,
        /// The right to.
        body: ConfirmRevocation,
    },
    /// `PUT link/attempt`: where the person is, so that a reload asks nothing twice.
    SavePlace {
        /// The number of the request.
        request: RequestId,
        /// The place.
        body: Box<AttemptPlace>,
    },
    /// `POST link/survey`: an employer that is not listed.
    SendSurvey {
        /// The number of the request.
        request: RequestId,
        /// Its name.
        body: EmployerSurvey,
    },
    /// A request about an archive under way.
    Archive {
        /// The number of the request.
        request: RequestId,
        /// Which.
        ask: ArchiveAsk,
    },
    /// Something for uploads.ts (`LinkHost::file`). What comes of it is reported by
    /// [`Event::File`](crate::Event::File), in its own time.
    File(FileOrder),
    /// Send [`Event::TimerFired`](crate::Event::TimerFired) after this time.
    StartTimer {
        /// The number of the timer.
        timer: TimerId,
        /// The time.
        after_ms: u32,
    },
    /// Tell the host page (`LinkHost::tell`); one with a known key is dropped there, so it arrives exactly once.
    /// A UI event comes with an empty `event_time`: the body puts its clock's time in.
    Tell {
        /// Attempt, kind and subject; or opening, kind and number.
        key: String,
        /// The callback with its argument.
        callback: Callback,
    },
    /// Close the widget (`LinkHost::close`). The last effect there ever is.
    Close {
        /// The argument of `onClose`.
        reason: CloseReason,
    },
}

/// What is asked about an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArchiveAsk {
    /// `POST link/archives`: an archive to send files into.
    Create(CreateArchive),
    /// `POST link/archives/{id}/submit`: its files are all there.
    Submit(ArchiveId),
    /// `GET link/archives/{id}?after=&wait=`: the long poll.
    Poll {
        /// Which archive.
        archive: ArchiveId,
        /// The version already known; the service answers when it has a higher one.
        after: u32,
        /// How long the service may wait, in milliseconds.
        wait_ms: u32,
    },
    /// `DELETE link/archives/{id}`: it was not submitted. Answered by [`Reply::Done`](crate::event::Reply::Done), the
    /// others by [`Reply::Archive`](crate::event::Reply::Archive).
    Remove(ArchiveId),
}

/// Something the person has given, and may take back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// A connected account.
    Account(AccountId),
    /// A submitted upload.
    Archive(ArchiveId),
}
