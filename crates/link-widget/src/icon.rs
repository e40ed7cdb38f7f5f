//! The icons, drawn inline: from Lucide 1.62 (ISC licence, © Lucide contributors), each as one path.

use yew::prelude::*;

use crate::attribute::Attribute;
use crate::element::element;

/// An icon, drawn in the colour of the surrounding text and hidden from screen readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// Back.
    ArrowLeft,
    /// Done.
    Check,
    /// Opens downwards.
    ChevronDown,
    /// Leads on.
    ChevronRight,
    /// An error.
    CircleAlert,
    /// Went well.
    CircleCheck,
    /// Time.
    Clock,
    /// A period.
    Calendar,
    /// Close, empty.
    Cross,
    /// Show a secret.
    Eye,
    /// Hide a secret.
    EyeOff,
    /// Data.
    File,
    /// A remark.
    Info,
    /// Two sides joined.
    Link,
    /// Locked.
    Lock,
    /// Hold.
    Pause,
    /// A phone.
    Phone,
    /// Go on.
    Play,
    /// Search.
    Search,
    /// Protected.
    Shield,
    /// A warning.
    Triangle,
    /// Can be taken back.
    Undo,
    /// No connection.
    Unplugged,
}

impl Icon {
    const fn path(self) -> &'static str {
        match self {
            Self::ArrowLeft => "m12 19-7-7 7-7M19 12H5",
            Self::Check => "M20 6 9 17l-5-5",
            Self::ChevronDown => "m6 9 6 6 6-6",
            Self::ChevronRight => "m9 18 6-6-6-6",
            Self::CircleAlert => "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20M12 8v4M12 16h.01",
            Self::CircleCheck => "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20M16 9l-5.5 5.5L8 12",
            Self::Clock => "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20M12 6v6l4 2",
            Self::Calendar => {
                "M8 2v3M16 2v3M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2M3 9h18M8 13h.01M12 13h.01M16 13h.01M8 17h.01M12 17h.01M16 17h.01"
            }
            Self::Cross => "M18 6 6 18M6 6l12 12",
            Self::Eye => {
                "M2.062 12.348a1 1 0 0 1 0-.696 10.75 10.75 0 0 1 19.876 0 1 1 0 0 1 0 .696 10.75 10.75 0 0 1-19.876 0M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6"
            }
            Self::EyeOff => {
                "M10.733 5.076a10.744 10.744 0 0 1 11.205 6.575 1 1 0 0 1 0 .696 10.747 10.747 0 0 1-1.444 2.49M14.084 14.158a3 3 0 0 1-4.242-4.242M17.479 17.499a10.75 10.75 0 0 1-15.417-5.151 1 1 0 0 1 0-.696 10.75 10.75 0 0 1 4.446-5.143M2 2l20 20"
            }
            Self::File => {
                "M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2zM14 2v5a1 1 0 0 0 1 1h5M10 9H8M16 13H8M16 17H8"
            }
            Self::Info => "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20M12 16v-4M12 8h.01",
            Self::Link => "M9 17H7A5 5 0 0 1 7 7h2M15 7h2a5 5 0 1 1 0 10h-2M8 12h8",
            Self::Lock => {
                "M5 11h14a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2M7 11V7a5 5 0 0 1 10 0v4"
            }
            Self::Pause => "M14 4h4v16h-4zM6 4h4v16H6z",
            Self::Play => "m6 3 14 9-14 9z",
            Self::Phone => "M7 2h10a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2M12 18h.01",
            Self::Search => "m21 21-4.34-4.34M11 3a8 8 0 1 0 0 16 8 8 0 0 0 0-16",
            Self::Shield => {
                "M20 13c0 5-3.5 7.5-7.66 8.95a1 1 0 0 1-.67-.01C7.5 20.5 4 18 4 13V6a1 1 0 0 1 1-1c2 0 4.5-1.2 6.24-2.72a1.17 1.17 0 0 1 1.52 0C14.51 3.81 17 5 19 5a1 1 0 0 1 1 1zM9 12l2 2 4-4"
            }
            Self::Triangle => {
                "m21.73 18-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3M12 9v4M12 17h.01"
            }
            Self::Undo => "M9 14 4 9l5-5M4 9h10.5a5.5 5.5 0 0 1 0 11H11",
            Self::Unplugged => {
                "m19 5 3-3M2 22l3-3M6.3 20.3a2.4 2.4 0 0 0 3.4 0L12 18l-6-6-2.3 2.3a2.4 2.4 0 0 0 0 3.4ZM7.5 13.5 10 11M10.5 16.5 13 14M12 6l6 6 2.3-2.3a2.4 2.4 0 0 0 0-3.4l-2.6-2.6a2.4 2.4 0 0 0-3.4 0Z"
            }
        }
    }
}

/// Draws an icon. Icons that point in the reading direction are mirrored in right-to-left text.
pub fn icon(icon: Icon) -> Html {
    let flips = matches!(icon, Icon::ArrowLeft | Icon::ChevronRight | Icon::Undo);
    element("svg", if flips { "flip" } else { "" })
        .set(Attribute::Width, "20")
        .set(Attribute::Height, "20")
        .set(Attribute::ViewBox, "0 0 24 24")
        .set(Attribute::Fill, "none")
        .set(Attribute::Stroke, "currentColor")
        .set(Attribute::StrokeWidth, "2")
        .set(Attribute::StrokeLinecap, "round")
        .set(Attribute::StrokeLinejoin, "round")
        .set(Attribute::AriaHidden, "true")
        .child(element("path", "").set(Attribute::D, icon.path()).html())
        .html()
}
