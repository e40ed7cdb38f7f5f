//! The blocks a page is made of. The body has one component for each and no other markup.

mod choice;
mod field;

pub use choice::{Choice, ChoiceKind, ChoiceList, Tab};
pub use field::{Field, Input, Keyboard, SelectOption};

use link_types::archive::FileSlot;

use super::{Text, Typed};
use crate::event::{FilePress, Press};

/// One piece of a page, from top to bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// The page's one heading; takes the focus when the page appears.
    Heading {
        /// What this step is about.
        text: Text,
        /// A picture above it, where it says something (success, a waiting phone).
        emblem: Option<Emblem>,
    },
    /// A paragraph.
    Paragraph {
        /// The words.
        text: Text,
        /// Whether it is the page's message or a side remark.
        tone: Tone,
    },
    /// A framed message that must be seen: what went wrong, a hint.
    Notice {
        /// Chooses colour and icon; never the only carrier of the meaning.
        severity: Severity,
        /// One bold line, when the text alone is not enough.
        title: Option<Text>,
        /// What happened and what to do next.
        text: Text,
    },
    /// The provider that the page is about: mark and name.
    Provider {
        /// Logo or monogram.
        mark: Mark,
        /// Its name.
        name: Text,
        /// Its kind or longer name.
        detail: Option<Text>,
    },
    /// Facts as a short list with icons: what is shared, for how long, who sees it.
    Summary {
        /// The facts, in order.
        items: Vec<Fact>,
    },
    /// A document to read: scrolls in its own labelled region that the keyboard reaches.
    Document {
        /// Its title.
        title: Text,
        /// Its version line.
        version: Text,
        /// Its paragraphs, plain text.
        paragraphs: Vec<String>,
    },
    /// A picture to read something from.
    Picture {
        /// A `data:` address, re-encoded by the service.
        src: String,
        /// What it is, in words.
        alt: Text,
    },
    /// One input with its label, help and error.
    Field(Box<Field>),
    /// Things to choose from.
    Choices(ChoiceList),
    /// A search box; what is typed goes out as [`Event::Searched`](crate::event::Event::Searched).
    Search {
        /// Its label, drawn for screen readers only.
        label: Text,
        /// Shown while it is empty.
        placeholder: Text,
        /// What was typed.
        value: Typed,
        /// The label of the button that empties it; there is none while it is empty.
        clear: Option<Text>,
    },
    /// Filters of which exactly one is on; a choice goes out as [`Event::Filtered`](crate::event::Event::Filtered).
    Tabs {
        /// What is filtered.
        label: Text,
        /// The filters.
        tabs: Vec<Tab>,
    },
    /// A place for files: choose, drop, paste, camera. uploads.ts hears it by its slot; nothing comes as an event of its
    /// own before [`Event::File`](crate::event::Event::File).
    DropZone {
        /// Which part of the document goes here.
        slot: FileSlot,
        /// What to put here.
        title: Text,
        /// How, or what else there is to know.
        text: Text,
        /// The label of the button that opens the device's files.
        choose: Text,
        /// The label of the button that opens the camera, for devices with touch.
        camera: Text,
    },
    /// Files that were put into the page.
    Files {
        /// What they are.
        label: Text,
        /// The files.
        rows: Vec<FileRow>,
    },
    /// What the service is doing now, stage by stage. Never a bar that only pretends.
    Progress {
        /// The stages, in order.
        stages: Vec<Stage>,
    },
    /// Time that runs out, or that must pass before something is possible again.
    Countdown {
        /// The sentence with the time in it.
        text: Text,
        /// Seconds left.
        left: u32,
        /// Seconds at the start, for the ring around it.
        total: u32,
    },
    /// Grey rows in the shape of what is being loaded; hidden from screen readers, which hear the announcement.
    Skeleton {
        /// How many rows.
        rows: u8,
    },
    /// The page's buttons. At most one such block a page, always the last.
    Actions {
        /// The one thing to do next.
        primary: Action,
        /// At most one other way.
        secondary: Option<Action>,
    },
}

/// How loud a paragraph is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// The page's message.
    Normal,
    /// A remark beside it.
    Secondary,
}

/// How serious a notice is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Good to know.
    Info,
    /// It went well.
    Success,
    /// Look here before going on.
    Warning,
    /// It failed.
    Danger,
}

/// The picture above a heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emblem {
    /// The link of two sides: consent.
    Link,
    /// A tick: it is done.
    Success,
    /// A warning sign: it did not work, the person can do something.
    Warning,
    /// A closed padlock: the provider locked or disabled the account.
    Lock,
    /// A clock: time ran out.
    Clock,
    /// A cut cable: no connection, or a service is away.
    Offline,
    /// A telephone: look at your phone.
    Phone,
    /// A shield: the provider makes sure that it is the person.
    Shield,
}

/// A logo, or what is drawn when there is none or it does not load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The address of the logo.
    pub logo_url: Option<String>,
    /// One or two capital letters.
    pub monogram: String,
    /// Chooses one of the eight monogram colours, 0 to 7; the same name always has the same.
    pub hue: u8,
}

/// One line of a [`Block::Summary`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Its icon.
    pub icon: FactIcon,
    /// The fact.
    pub title: Text,
    /// What it means for the person.
    pub detail: Text,
}

/// The icon of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactIcon {
    /// What is shared.
    Data,
    /// For how long.
    Calendar,
    /// What stays hidden.
    Shield,
    /// How to take it back.
    Undo,
    /// When the provider was linked.
    Check,
}

/// One stage of what the service does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// What is done in it.
    pub text: Text,
    /// Where it is.
    pub state: StageState,
}

/// One file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRow {
    /// Its handle.
    pub handle: u32,
    /// A small picture of it, or what stands for one.
    pub mark: Mark,
    /// Its name on the person's device.
    pub name: Text,
    /// How far it has come.
    pub detail: Text,
    /// How much of it has gone, in percent; a bar is drawn while it is on its way.
    pub percent: Option<u32>,
    /// Why it is not sent.
    pub error: Option<Text>,
    /// All of it is there: a tick.
    pub done: bool,
    /// What may be done with it, each with its label; goes out as [`Press::File`]. Drawn as icons.
    pub actions: Vec<(FilePress, Text)>,
}

/// Where a stage is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageState {
    /// Over.
    Done,
    /// Happening now: a spinner.
    Current,
    /// Still to come.
    Waiting,
}

/// A button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// What it does, as a verb.
    pub label: Text,
    /// What it sends. [`Press::Submit`] is the form's own submit button: the body then gathers the secrets and sends
    /// [`Event::Submitted`](crate::event::Event::Submitted) in its place.
    pub press: Press,
    /// Whether it can be pressed, and what it looks like meanwhile.
    pub state: ActionState,
    /// Drawn in the danger colour: something would be lost.
    pub destructive: bool,
}

/// Whether a button can be pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionState {
    /// Yes.
    Ready,
    /// Its work is under way: a spinner, and presses do nothing.
    Busy,
    /// Not yet; `aria-disabled`, so that the focus may stay on it.
    Off,
}
