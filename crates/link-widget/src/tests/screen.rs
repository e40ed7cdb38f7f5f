//! A view in the page, and the actions of a test on it.

use std::cell::RefCell;
use std::rc::Rc;

use crate::host::LinkHost;
use crate::page::{self, FocusKeeper};
use crate::ui::Ui;
use gloo_timers::future::TimeoutFuture;
use link_flow::Event;
use link_flow::event::Press;
use link_flow::view::block::{Action, ActionState, Field, Input};
use link_flow::view::{Announcement, Block, Focus, FocusTarget, Header, Page, Text, View};
use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlInputElement};
use yew::prelude::*;

#[wasm_bindgen(inline_js = "
export function silentHost() { return { text: () => 'a catalogue text', focus: (element) => element.focus(), showNotice: () => {}, isHeld: () => false }; }
")]
extern "C" {
    #[wasm_bindgen(js_name = silentHost)]
    fn silent_host() -> LinkHost;
}

/// A view drawn into an element of the page. Collects the person's events.
pub struct Screen {
    pub element: Element,
    pub events: Rc<RefCell<Vec<Event>>>,
    handle: yew::AppHandle<Drawn>,
    ui: Ui,
}

struct Drawn {
    focus: FocusKeeper,
    card: NodeRef,
}

#[derive(Clone, PartialEq, Properties)]
struct Props {
    ui: Ui,
    view: View,
}

impl Component for Drawn {
    type Message = ();
    type Properties = Props;

    fn create(_: &Context<Self>) -> Self {
        Self { focus: FocusKeeper::default(), card: NodeRef::default() }
    }

    fn changed(&mut self, context: &Context<Self>, old: &Props) -> bool {
        self.focus.remember(&old.view, &context.props().view);
        true
    }

    fn view(&self, context: &Context<Self>) -> Html {
        let Props { ui, view } = context.props();
        html! { <div ref={self.card.clone()}>{ page::card(ui, view) }</div> }
    }

    fn rendered(&mut self, context: &Context<Self>, _: bool) {
        let Props { ui, view } = context.props();
        self.focus.follow(&ui.host, &self.card.cast::<Element>().unwrap(), view);
    }
}

impl Screen {
    /// Draws a view.
    pub async fn draw(view: View) -> Self {
        let element = new_element();
        let events = Rc::new(RefCell::new(Vec::new()));
        let log = events.clone();
        let ui =
            Ui { host: silent_host(), events: Callback::from(move |event| log.borrow_mut().push(event)) };
        let props = Props { ui: ui.clone(), view };
        let handle = yew::Renderer::<Drawn>::with_root_and_props(element.clone(), props).render();
        wait_until_drawn().await;
        Self { element, events, handle, ui }
    }

    /// Draws another view in its place.
    pub async fn show(&mut self, view: View) {
        self.handle.update(Props { ui: self.ui.clone(), view });
        wait_until_drawn().await;
    }

    /// Returns the only element that matches the selector.
    pub fn find(&self, selector: &str) -> Element {
        let found = self.element.query_selector_all(selector).unwrap();
        assert_eq!(found.length(), 1, "{selector} in {}", self.element.inner_html());
        found.get(0).unwrap().unchecked_into()
    }

    /// Returns whether any element matches the selector.
    pub fn has(&self, selector: &str) -> bool {
        self.element.query_selector(selector).unwrap().is_some()
    }

    /// Returns the input that matches the selector.
    pub fn input(&self, selector: &str) -> HtmlInputElement {
        self.find(selector).unchecked_into()
    }

    /// Presses the button that matches the selector.
    pub async fn click(&self, selector: &str) {
        self.find(selector).unchecked_into::<web_sys::HtmlElement>().click();
        wait_until_drawn().await;
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.element.remove();
    }
}

/// Adds an empty element to the page.
pub fn new_element() -> Element {
    let document = web_sys::window().unwrap().document().unwrap();
    let element = document.create_element("div").unwrap();
    document.body().unwrap().append_child(&element).unwrap();
    element
}

/// Waits until Yew has drawn everything, which takes several tasks on a busy machine.
pub async fn wait_until_drawn() {
    yew::scheduler::flush().await;
}

/// Waits until a condition holds. Panics after 10 seconds.
pub async fn until(what: &str, holds: impl Fn() -> bool) {
    for _ in 0..1_000 {
        wait_until_drawn().await;
        if holds() {
            return;
        }
        TimeoutFuture::new(10).await;
    }
    panic!("{what}: does not hold after 10 seconds");
}

/// Returns the id of the element with the focus.
pub fn find_focused_id() -> String {
    web_sys::window().unwrap().document().unwrap().active_element().map(|it| it.id()).unwrap_or_default()
}

/// Returns a text that is not in the catalogue.
pub fn words(text: &str) -> Text {
    Text::Verbatim(text.to_owned())
}

/// Returns a view of these blocks.
pub fn view(blocks: Vec<Block>) -> View {
    let header = Header { back: None, company: None, badge: None, close: words("Close") };
    View {
        page: Page { key: 1, title: words("Title"), header, blocks, form: true, footer: None, help: None },
        overlay: None,
        announcement: Announcement { turn: 0, text: None },
        focus: Focus { turn: 1, target: FocusTarget::Heading },
    }
}

/// Returns a heading.
pub fn heading(text: &str) -> Block {
    Block::Heading { text: words(text), emblem: None }
}

/// Returns a password field.
pub fn password(id: &str) -> Field {
    let input = Input::Password {
        reveal: words("Show"),
        conceal: words("Hide"),
        caps_lock: words("Caps lock is on"),
    };
    field(id, input)
}

/// Returns a field.
pub fn field(id: &str, input: Input) -> Field {
    Field {
        id: id.to_owned(),
        label: words("Label"),
        input,
        required: true,
        optional: None,
        help: None,
        prefix: None,
        error: None,
        hint: None,
        autocomplete: "section-rideo current-password".to_owned(),
        disabled: false,
    }
}

/// Returns the form's submit button.
pub fn submit(state: ActionState) -> Block {
    let primary = Action { label: words("Go on"), press: Press::Submit, state, destructive: false };
    Block::Actions { primary, secondary: None }
}
