//! The machine: events in, effects out, a view to draw.

use link_types::host::WidgetOptions;

use crate::generated::message::Message;
use crate::view::{Announcement, Focus, FocusTarget, Header, Page, View};
use crate::{Effect, Event};

/// The flow of one opening of the widget.
#[derive(Debug)]
pub struct Flow {
    options: WidgetOptions,
}

impl Flow {
    /// A flow that waits for [`Event::Opened`].
    pub fn new(options: WidgetOptions) -> Self {
        Self { options }
    }

    /// Takes what happened and says what to do, in order.
    pub fn handle(&mut self, event: Event) -> Vec<Effect> {
        drop(event);
        Vec::new()
    }

    /// What is on the screen now.
    pub fn view(&self) -> View {
        let _ = &self.options;
        View {
            page: Page {
                key: 0,
                title: Message::DialogTitle.into(),
                header: Header { back: None, company: None, badge: None, close: Message::HeaderClose.into() },
                blocks: Vec::new(),
                form: false,
                footer: None,
            },
            overlay: None,
            announcement: Announcement { turn: 0, text: None },
            focus: Focus { turn: 0, target: FocusTarget::Heading },
        }
    }
}
