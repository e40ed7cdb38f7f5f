//! What can happen to the flow: facts that the body reports, and what the person wants.

use link_types::link::{AccountProgress, LinkSession};
use link_types::list::Page;
use link_types::problem::Problem;
use link_types::provider::{Provider, ProviderSummary};
use link_types::uploading::{ArchiveProgress, FileFact, Linked, Revocation};
use link_types::{Mode, Sensitive};

use crate::secrets::Secrets;
use crate::view::Typed;

/// Something that happened. No variant's `Debug` shows a secret or what a person typed.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The host page opened the widget with a link token. Comes once.
    Opened {
        /// The link token.
        token: Sensitive,
        /// The environment, as the frame's page says.
        mode: Mode,
        /// A name that no other opening has, on this page or any other; a program started again keeps it.
        opening: String,
        /// Number of the last UI event of this opening: 0, unless the program was started again after a trap.
        last_seq: u32,
    },
    /// The host page gave a new link token (`setToken`, or what `onTokenExpired` returned).
    TokenSet {
        /// The link token.
        token: Sensitive,
    },
    /// The person wants to leave: close icon, Escape or Android's Back. May ask before it closes.
    CloseRequested,
    /// A request of an earlier effect was answered, or failed.
    Replied {
        /// The number in that effect.
        request: RequestId,
        /// The answer.
        reply: Reply,
    },
    /// A timer of an earlier effect ran out.
    TimerFired {
        /// The number in that effect.
        timer: TimerId,
        /// Milliseconds since it was started by the body's monotonic clock: more than asked for when the tab slept.
        elapsed_ms: u32,
    },
    /// A button was pressed.
    Pressed(Press),
    /// A choice of a list was taken (rows) or selected (radio buttons).
    Chosen {
        /// The choice's id.
        id: String,
    },
    /// The search box now holds this text.
    Searched {
        /// Its whole text.
        text: Typed,
    },
    /// A tab was chosen.
    Filtered {
        /// The tab's id.
        tab: String,
    },
    /// An open (not secret) field now holds this text.
    Edited {
        /// The field's id.
        field: String,
        /// Its whole text.
        text: Typed,
    },
    /// The focus left an open field: time to check it.
    Left {
        /// The field's id.
        field: String,
    },
    /// The focus left a secret field. Facts about its text, never the text.
    SecretLeft {
        /// The field's id.
        field: String,
        /// Nothing is in it.
        empty: bool,
        /// A space stands at its start or end.
        stray_space: bool,
    },
    /// The form was submitted. Carries its secret inputs, once.
    Submitted(Secrets),
    /// uploads.ts reports something about the files of an upload.
    File(FileFact),
}

/// The number of a request. A reply with a number that the flow no longer waits for changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestId(pub u32);

/// The number of a timer. One that the flow no longer waits for changes nothing, so the body never has to stop any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TimerId(pub u32);

/// The answer to a request, one variant for each kind of answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// To [`Effect::Exchange`](crate::Effect::Exchange) and [`Effect::LoadSession`](crate::Effect::LoadSession).
    Session(Result<Box<LinkSession>, Refusal>),
    /// To [`Effect::LoadProviders`](crate::Effect::LoadProviders).
    Providers(Result<Page<ProviderSummary>, Refusal>),
    /// To [`Effect::LoadProvider`](crate::Effect::LoadProvider).
    Provider(Result<Box<Provider>, Refusal>),
    /// To [`Effect::StartLink`](crate::Effect::StartLink), [`Effect::PollAccount`](crate::Effect::PollAccount),
    /// [`Effect::Answer`](crate::Effect::Answer), [`Effect::Resend`](crate::Effect::Resend) and
    /// [`Effect::Extend`](crate::Effect::Extend).
    Account(Result<Box<AccountProgress>, Refusal>),
    /// To [`Effect::LoadLinked`](crate::Effect::LoadLinked).
    Linked(Result<Box<Linked>, Refusal>),
    /// To [`Effect::Archive`](crate::Effect::Archive).
    Archive(Result<Box<ArchiveProgress>, Refusal>),
    /// To [`Effect::AskRevocation`](crate::Effect::AskRevocation).
    Revocation(Result<Revocation, Refusal>),
    /// To an effect whose answer has no body: it was done.
    Done(Result<(), Refusal>),
}

/// Why a request has no proper answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// Nothing came back: no connection, or the deadline passed (status 0).
    Unreachable,
    /// Too many requests, or tries: the service accepts the next one after this time.
    Limited {
        /// Milliseconds to wait.
        retry_in_ms: u32,
    },
    /// Too many logins failed: the service accepts the next one after this time.
    LoginLimited {
        /// Milliseconds to wait.
        retry_in_ms: u32,
    },
    /// The service answered with a problem document.
    Problem(Problem),
    /// An answer that could not be read as what was asked for.
    Unreadable {
        /// Its HTTP status.
        status: u16,
    },
}

/// What a button asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Press {
    /// Agree to the consent text.
    Agree,
    /// Submit the form: see [`Action::press`](crate::view::block::Action::press).
    Submit,
    /// Back to the step before.
    Back,
    /// Send the failed request again.
    Retry,
    /// Enter the login again after an error.
    TryAgain,
    /// Choose another provider.
    ChooseAnother,
    /// Empty the search box and show every type.
    ClearSearch,
    /// Send a new one-time code.
    Resend,
    /// To the upload of documents.
    Upload,
    /// Sign in to an account again.
    SignIn,
    /// Ask whether to take an account or an upload back.
    Disconnect,
    /// Yes, take it back.
    Confirm,
    /// Something about the file with this handle.
    File(FilePress, u32),
    /// The DONE button: close with the reason `exit`.
    Done,
    /// Close, without asking again.
    Leave,
    /// Close the alert dialog and go on.
    Stay,
}

/// What may be asked for a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FilePress {
    /// Hold it.
    Pause,
    /// Send it on.
    Continue,
    /// Take it off the list.
    Remove,
}
