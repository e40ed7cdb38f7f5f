//! The blocks of a page. The shell has one component for each and no other markup.

mod choice;
mod field;

pub use choice::{Choice, ChoiceKind, ChoiceList, Tab};
pub use field::{Field, Input, Keyboard, SelectOption};

use link_types::Sensitive;
use link_types::archive::FileSlot;

use super::{Text, Typed};
use crate::event::{FilePress, Press};

/// One piece of a page. Pages are drawn from top to bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// The page's only heading. It takes the focus when the page appears.
    Heading {
        /// The subject of this step.
        text: Text,
        /// An emblem above the heading.
        emblem: Option<Emblem>,
    },
    /// A paragraph.
    Paragraph {
        /// The text.
        text: Text,
        /// Whether it is the main message or secondary text.
        tone: Tone,
    },
    /// A framed message: a problem or a hint.
    Notice {
        /// Selects colour and icon, which never carry the meaning alone.
        severity: Severity,
        /// A bold first line.
        title: Option<Text>,
        /// The message, with what to do next.
        text: Text,
    },
    /// The provider of the page.
    Provider {
        /// The logo or monogram.
        mark: Mark,
        /// The name.
        name: Text,
        /// The provider's type or longer name.
        detail: Option<Text>,
    },
    /// A short list of facts with icons.
    Summary {
        /// The facts, in order.
        items: Vec<Fact>,
    },
    /// A document, in a labelled region that scrolls and that the keyboard can reach.
    Document {
        /// The title.
        title: Text,
        /// The version line.
        version: Text,
        /// The paragraphs, as plain text.
        paragraphs: Vec<String>,
    },
    /// A picture to read from, or a code to scan.
    Picture {
        /// A `data:` URL; the service has drawn or re-encoded the picture. A code contains a secret.
        src: Sensitive,
        /// The alternative text.
        alt: Text,
        /// Whether it is a code, which a phone scans.
        scan: bool,
        /// The button that plays the same text.
        recording: Option<Recording>,
    },
    /// A photo to look at before it is sent. uploads.ts draws the frame between the edges and moves them.
    Photo {
        /// A `blob:` URL.
        src: String,
        /// The alternative text.
        alt: Text,
        /// The edges of the frame with their labels; none if the photo has no frame.
        edges: Vec<(PhotoEdge, Text)>,
        /// The buttons below the photo.
        tools: Vec<(Press, Text)>,
    },
    /// A link that opens another tab. The browser follows it, and a press sends [`Press::OpenTab`].
    Link {
        /// The address. It contains a secret.
        href: Sensitive,
        /// The label.
        label: Text,
        /// Whether it was opened before, so that it is not the main action any more.
        again: bool,
    },
    /// An input with its label, help and error.
    Field(Box<Field>),
    /// A list of choices.
    Choices(ChoiceList),
    /// A search box. Sends [`Event::Searched`](crate::event::Event::Searched) when its text changes.
    Search {
        /// The label, for screen readers only.
        label: Text,
        /// Shown while the box is empty.
        placeholder: Text,
        /// The typed text.
        value: Typed,
        /// The label of the clear button; `None` while the box is empty.
        clear: Option<Text>,
    },
    /// Filters, one of which is selected. Sends [`Event::Filtered`](crate::event::Event::Filtered).
    Tabs {
        /// The label.
        label: Text,
        /// The filters.
        tabs: Vec<Tab>,
    },
    /// A target for files: choose, drop, paste, camera. uploads.ts finds it by its slot and reports files by
    /// [`Event::File`](crate::event::Event::File).
    DropZone {
        /// The part of the document.
        slot: FileSlot,
        /// The title.
        title: Text,
        /// The instructions.
        text: Text,
        /// The label of the button that opens the device's files.
        choose: Text,
        /// The label of the button that opens the camera, for touch devices.
        camera: Text,
        /// How to take a photo, for touch devices.
        camera_help: Text,
    },
    /// The files of a slot.
    Files {
        /// The label.
        label: Text,
        /// The files.
        rows: Vec<FileRow>,
        /// The slot, and the label of the button that removes its rejected files: sends [`Press::RemoveRejected`].
        clear: Option<(FileSlot, Text)>,
    },
    /// The real stages of the service's work; never a simulated progress bar.
    Progress {
        /// The stages, in order.
        stages: Vec<Stage>,
    },
    /// A countdown.
    Countdown {
        /// The sentence with the time in it.
        text: Text,
        /// Seconds left.
        left: u32,
        /// Seconds at the start, for the ring around the number.
        total: u32,
    },
    /// Grey placeholder rows; hidden from screen readers, which get an announcement.
    Skeleton {
        /// The number of rows.
        rows: u8,
    },
    /// The buttons. At most one such block per page, always the last.
    Actions {
        /// The main action.
        primary: Action,
        /// The alternative.
        secondary: Option<Action>,
    },
}

/// The weight of a paragraph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// The main message.
    Normal,
    /// Secondary text.
    Secondary,
}

/// The severity of a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Information.
    Info,
    /// Success.
    Success,
    /// Needs attention.
    Warning,
    /// Failure.
    Danger,
}

/// The picture above a heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emblem {
    /// Two linked sides: consent.
    Link,
    /// A tick: success.
    Success,
    /// A warning sign: a failure that the person can correct.
    Warning,
    /// A closed padlock: the provider locked or disabled the account.
    Lock,
    /// A clock: time is up.
    Clock,
    /// A cut cable: no connection, or a service is unavailable.
    Offline,
    /// A telephone: look at your phone.
    Phone,
    /// A shield: the provider verifies the person.
    Shield,
}

/// A logo, with a monogram if there is no logo or it does not load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The URL of the logo.
    pub logo_url: Option<String>,
    /// One or two capital letters.
    pub monogram: String,
    /// One of eight monogram colours, 0 to 7. The same name always has the same colour.
    pub hue: u8,
}

/// One line of a [`Block::Summary`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The icon.
    pub icon: FactIcon,
    /// The fact.
    pub title: Text,
    /// The meaning of the fact for the person.
    pub detail: Text,
}

/// The icon of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactIcon {
    /// The data that is shared.
    Data,
    /// For how long.
    Calendar,
    /// Data that stays private.
    Shield,
    /// How to revoke the consent.
    Undo,
    /// The date of the link.
    Check,
}

/// A stage of the service's work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The description.
    pub text: Text,
    /// The progress.
    pub state: StageState,
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRow {
    /// The handle.
    pub handle: u32,
    /// A preview, or the letters of the format.
    pub mark: Mark,
    /// The name on the person's device.
    pub name: Text,
    /// The progress in words.
    pub detail: Text,
    /// The progress in percent, for a bar; `None` draws no bar.
    pub percent: Option<u32>,
    /// Why the file is rejected.
    pub error: Option<Text>,
    /// Whether the service has all of it: draws a tick.
    pub done: bool,
    /// The file's actions with their labels, drawn as icons. Each sends [`Press::File`].
    pub actions: Vec<(FilePress, Text)>,
}

/// The progress of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageState {
    /// Finished.
    Done,
    /// Under way: draws a spinner.
    Current,
    /// Not started.
    Waiting,
}

/// The recording of a picture's text. The button sends [`Press::Listen`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The label of the button: what a press does now.
    pub label: Text,
    /// The state in words.
    pub state: Option<Text>,
    /// Whether the state is an error.
    pub failed: bool,
    /// Whether the button does not work now.
    pub disabled: bool,
}

/// A button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// The label, a verb.
    pub label: Text,
    /// Event that the button sends. [`Press::Submit`] is the form's submit button: the shell collects the secrets and
    /// sends [`Event::Submitted`](crate::event::Event::Submitted) instead.
    pub press: Press,
    /// Whether the button works now.
    pub state: ActionState,
    /// Whether to draw it in the danger colour, because something would be lost.
    pub destructive: bool,
}

/// Whether a button works now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionState {
    /// It works.
    Ready,
    /// Its work is under way: draws a spinner and ignores presses.
    Busy,
    /// It does not work yet. It is `aria-disabled`, so that it can keep the focus.
    Off,
}

/// An edge of the frame on a photo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhotoEdge {
    /// The left edge, in both directions of text.
    Left,
    /// The upper edge.
    Top,
    /// The right edge, in both directions of text.
    Right,
    /// The lower edge.
    Bottom,
}

impl PhotoEdge {
    /// Returns the name by which uploads.ts finds the edge.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Top => "top",
            Self::Right => "right",
            Self::Bottom => "bottom",
        }
    }
}
