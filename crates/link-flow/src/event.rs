//! The events that the flow handles: reports of the shell and actions of the person.

use link_types::archive::FileSlot;
use link_types::handoff::Handoff;
use link_types::link::{AccountProgress, LinkSession};
use link_types::list::Page;
use link_types::problem::Problem;
use link_types::provider::{Provider, ProviderSummary};
use link_types::uploading::{ArchiveProgress, FileFact, Linked, Revocation};
use link_types::{Mode, Sensitive};

use crate::submission::Secrets;
use crate::view::Typed;

/// An event. No variant's `Debug` shows a secret or typed text.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The host page opened the widget with a link token. Sent once.
    Opened {
        /// The link token.
        token: Sensitive,
        /// The environment, as the frame's page says.
        mode: Mode,
        /// Whether the device is operated by touch, as phones are.
        is_touch: bool,
        /// A name that no other opening has, on any page. A restarted program keeps it.
        opening: String,
        /// Number of the last UI event of this opening: 0, unless the program was restarted after a trap.
        last_seq: u32,
    },
    /// The host page gave a new link token (`setToken`, or what `onTokenExpired` returned).
    TokenSet {
        /// The link token.
        token: Sensitive,
    },
    /// The person asked to close: close icon, Escape or Android's Back. The flow may ask before it closes.
    CloseRequested,
    /// The reply to a request, or its failure.
    Replied {
        /// The request's number.
        request: RequestId,
        /// The reply.
        reply: Reply,
    },
    /// A timer fired.
    TimerFired {
        /// The timer's number.
        timer: TimerId,
        /// Milliseconds since the timer was started, by a monotonic clock. Longer than asked for if the tab slept.
        elapsed_ms: u32,
    },
    /// A button was pressed.
    Pressed(Press),
    /// A choice of a list was opened (rows) or selected (radio buttons).
    Chosen {
        /// The choice's id.
        id: String,
    },
    /// The text in the search box changed.
    Searched {
        /// The whole text.
        text: Typed,
    },
    /// A tab was selected.
    Filtered {
        /// The tab's id.
        tab: String,
    },
    /// The text of an open (not secret) field changed.
    Edited {
        /// The field's id.
        field: String,
        /// The whole text.
        text: Typed,
    },
    /// An open field lost the focus.
    Left {
        /// The field's id.
        field: String,
    },
    /// A secret field lost the focus. Carries facts about its text, never the text.
    SecretLeft {
        /// The field's id.
        field: String,
        /// Whether the field is empty.
        empty: bool,
        /// Whether the text begins or ends with a space.
        stray_space: bool,
    },
    /// The form was submitted. Carries the text of its secret fields, once.
    Submitted(Secrets),
    /// A report of uploads.ts about the files of an upload.
    File(FileFact),
}

/// A request's number. A reply with a number that the flow does not wait for changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestId(pub u32);

/// A timer's number. A timer that the flow does not wait for changes nothing, so the shell never has to stop one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TimerId(pub u32);

/// The reply to a request, one variant for each type.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// To [`Effect::Exchange`](crate::Effect::Exchange) and [`Effect::LoadSession`](crate::Effect::LoadSession).
    Session(Result<Box<LinkSession>, RequestError>),
    /// To [`Effect::LoadProviders`](crate::Effect::LoadProviders).
    Providers(Result<Page<ProviderSummary>, RequestError>),
    /// To [`Effect::LoadProvider`](crate::Effect::LoadProvider).
    Provider(Result<Box<Provider>, RequestError>),
    /// To [`Effect::StartLink`](crate::Effect::StartLink), [`Effect::PollAccount`](crate::Effect::PollAccount),
    /// [`Effect::Answer`](crate::Effect::Answer), [`Effect::Resend`](crate::Effect::Resend) and
    /// [`Effect::Extend`](crate::Effect::Extend).
    Account(Result<Box<AccountProgress>, RequestError>),
    /// To [`Effect::LoadLinked`](crate::Effect::LoadLinked).
    Linked(Result<Box<Linked>, RequestError>),
    /// To [`Effect::Archive`](crate::Effect::Archive).
    Archive(Result<Box<ArchiveProgress>, RequestError>),
    /// To [`Effect::AskRevocation`](crate::Effect::AskRevocation).
    Revocation(Result<Revocation, RequestError>),
    /// To [`Effect::Handoff`](crate::Effect::Handoff).
    Handoff(Result<Box<Handoff>, RequestError>),
    /// To an effect whose response has no body.
    Done(Result<(), RequestError>),
}

/// Reason why a request failed.
#[derive(Clone, Debug, PartialEq)]
pub enum RequestError {
    /// No response: no connection, or the deadline passed (status 0).
    Unreachable,
    /// Too many requests or attempts. The service accepts the next one after this time.
    Limited {
        /// Milliseconds to wait.
        retry_in_ms: u32,
    },
    /// Too many logins failed. The service accepts the next one after this time.
    LoginLimited {
        /// Milliseconds to wait.
        retry_in_ms: u32,
    },
    /// The service answered with a problem document.
    Problem(Problem),
    /// A response that this build cannot read.
    Unreadable {
        /// The HTTP status.
        status: u16,
    },
}

/// The action of a button.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Press {
    /// Agree to the consent text.
    Agree,
    /// Submit the form: see [`Action::press`](crate::view::block::Action::press).
    Submit,
    /// Back to the previous step.
    Back,
    /// Send the failed request again.
    Retry,
    /// Enter the login again after a failure.
    TryAgain,
    /// Choose another provider.
    ChooseAnother,
    /// Clear the search box and show all provider types.
    ClearSearch,
    /// Send a new one-time code.
    Resend,
    /// Play the recording of a picture, or stop it.
    Listen,
    /// The link to another tab, which the browser opens.
    OpenTab,
    /// Go to the document upload.
    Upload,
    /// Sign in to an account again.
    SignIn,
    /// Ask whether to remove an account or upload.
    Disconnect,
    /// Confirm the removal.
    Confirm,
    /// An action on the file with this handle.
    File(FilePress, u32),
    /// An action on the photo with this handle.
    Photo(PhotoPress, u32),
    /// Remove all rejected files of a slot.
    RemoveRejected(FileSlot),
    /// The DONE button: close with the reason `exit`.
    Done,
    /// Close without asking again.
    Leave,
    /// Close the alert dialog and continue.
    Stay,
    /// The link to the tenant's help, which the browser opens.
    Help,
}

/// An action on a photo that the person looks at before it is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PhotoPress {
    /// Send the photo as it is.
    Accept,
    /// Turn the photo a quarter clockwise.
    Turn,
    /// Place a frame on the photo, to crop it.
    Frame,
    /// Crop the photo to the frame.
    Crop,
    /// Leave the photo as it is, without a frame.
    Unframe,
}

/// An action on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FilePress {
    /// Pause the upload.
    Pause,
    /// Continue the upload.
    Continue,
    /// Remove the file.
    Remove,
}
