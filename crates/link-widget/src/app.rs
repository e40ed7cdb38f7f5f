//! The only stateful component: it owns the flow, draws its view and runs its effects.

use link_flow::view::View;
use link_flow::{Effect, Event, Flow};
use link_types::host::WidgetOptions;
use link_types::{Mode, Sensitive};
use web_sys::Element;
use yew::prelude::*;

use crate::effect::{self, Runner};
use crate::host::{HostReply, LinkHost};
use crate::page::{self, FocusKeeper};
use crate::ui::Ui;

/// The arguments of the widget. They never change while it is open.
#[derive(Clone, Properties)]
pub struct Props {
    /// The host page's options.
    pub options: WidgetOptions,
    /// The page around the widget.
    pub host: LinkHost,
    /// The link token.
    pub token: Sensitive,
    /// The response to its exchange, if it came while the program loaded.
    pub exchanged: Option<HostReply>,
}

/// Yew compares properties; these never change.
impl PartialEq for Props {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// The widget from opening to close.
pub struct App {
    flow: Flow,
    view: View,
    ui: Ui,
    runner: Runner,
    focus: FocusKeeper,
    card: NodeRef,
    has_new_notice: bool,
}

impl Component for App {
    /// `None` redraws everything.
    type Message = Option<Event>;
    type Properties = Props;

    fn create(context: &Context<Self>) -> Self {
        let Props { options, host, token, exchanged } = context.props().clone();
        let events = context.link().callback(Some);
        let mode = host.mode().parse().unwrap_or(Mode::Production);
        let (opening, last_seq) = (host.opening(), host.last_seq());
        let opened = Event::Opened { token, mode, is_touch: host.is_touch(), opening, last_seq };
        let runner =
            Runner { host: host.clone(), events: events.clone(), template_id: options.template_id.clone() };
        let mut flow = Flow::in_parts(options);
        for effect in flow.handle(opened) {
            match (effect, &exchanged) {
                // The first drawing is of the first screen: each drawing costs a slow device 100 ms.
                (Effect::Exchange { request, .. }, Some(response)) => {
                    let reply = effect::session(Some(response.clone()));
                    flow.handle(Event::Replied { request, reply }).into_iter().for_each(|it| runner.run(it));
                }
                (effect, _) => runner.run(effect),
            }
        }
        let view = flow.view();
        Self {
            flow,
            view,
            ui: Ui { host, events },
            runner,
            focus: FocusKeeper::default(),
            card: NodeRef::default(),
            has_new_notice: false,
        }
    }

    fn update(&mut self, _: &Context<Self>, event: Option<Event>) -> bool {
        let effects: Vec<Effect> = event.map(|event| self.flow.handle(event)).unwrap_or_default();
        for effect in effects {
            self.runner.run(effect);
        }
        // A press counts only if its button stays where it is until it ends.
        if self.ui.host.is_held() {
            return false;
        }
        let view = self.flow.view();
        self.has_new_notice |= view.has_new_notice(&self.view);
        self.focus.remember(&self.view, &view);
        self.view = view;
        true
    }

    fn view(&self, _: &Context<Self>) -> Html {
        html! { <div class="stage" ref={self.card.clone()}>{ page::card(&self.ui, &self.view) }</div> }
    }

    fn rendered(&mut self, _: &Context<Self>, _: bool) {
        if let Some(document) = web_sys::window().and_then(|window| window.document()) {
            let title = self.ui.words(&self.view.page.title);
            if document.title() != title.as_str() {
                document.set_title(&title);
            }
        }
        if let Some(card) = self.card.cast::<Element>() {
            self.focus.follow(&self.ui.host, &card, &self.view);
        }
        if core::mem::take(&mut self.has_new_notice) {
            self.ui.host.show_notice();
        }
    }
}
