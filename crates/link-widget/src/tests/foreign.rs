//! Pages that translators and password managers have changed.

use link_flow::Event;
use link_flow::view::block::{ActionState, Input, Keyboard};
use link_flow::view::{Block, Typed, View};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Element, HtmlInputElement};

use super::screen::{Screen, field, heading, password, submit, view, words};

fn login(title: &str, state: ActionState) -> View {
    let name = field("username", Input::Text { value: Typed::new(""), keyboard: Keyboard::Text });
    let mut name = name;
    name.error = (state == ActionState::Busy).then(|| words("Enter your name."));
    let fields = [name, password("password")].map(|field| Block::Field(Box::new(field)));
    let [name, password] = fields;
    let countdown = Block::Countdown { text: words(title), left: 1, total: 2 };
    view(vec![heading(title), name, password, countdown, submit(state)])
}

/// Replaces every text node by elements with the same text, as translators do.
fn translate(within: &Element) {
    let all = within.query_selector_all("*").unwrap();
    for at in 0..all.length() {
        let nodes = all.get(at).unwrap().child_nodes();
        for at in 0..nodes.length() {
            let node = nodes.get(at).unwrap();
            if node.node_type() == web_sys::Node::TEXT_NODE {
                let font = within.owner_document().unwrap().create_element("font").unwrap();
                font.set_text_content(node.text_content().as_deref());
                node.parent_node().unwrap().replace_child(&font, &node).unwrap();
            }
        }
    }
}

#[wasm_bindgen_test]
async fn translated_page_shows_new_texts() {
    let mut screen = Screen::draw(login("Sign in", ActionState::Ready)).await;
    translate(&screen.element);
    assert!(screen.has("h1 font") && screen.has("button font") && screen.has("label font"));
    screen.show(login("One moment", ActionState::Busy)).await;
    translate(&screen.element);
    screen.show(login("Sign in again", ActionState::Ready)).await;
    assert_eq!(screen.find("h1").text_content().as_deref(), Some("Sign in again"));
    assert_eq!(screen.find(".countdown").text_content().as_deref(), Some("Sign in again"));
    assert!(!screen.has(".error"));
}

fn add_after(input: &HtmlInputElement) {
    let icon = input.owner_document().unwrap().create_element("div").unwrap();
    input.after_with_node_1(&icon).unwrap();
}

#[wasm_bindgen_test]
async fn password_is_shown_beside_foreign_element() {
    let screen = Screen::draw(login("Sign in", ActionState::Ready)).await;
    add_after(&screen.input("input[name=password]"));
    screen.click(".reveal").await;
    assert_eq!(screen.input("input[name=password]").type_(), "text");
    screen.click(".reveal").await;
    assert_eq!(screen.input("input[name=password]").type_(), "password");
}

#[wasm_bindgen_test]
async fn field_filled_without_event_is_kept_and_read() {
    let mut screen = Screen::draw(login("Sign in", ActionState::Ready)).await;
    screen.input("input[name=username]").set_value("ana");
    screen.show(login("Sign in", ActionState::Busy)).await;
    screen.show(login("Sign in", ActionState::Ready)).await;
    assert_eq!(screen.input("input[name=username]").value(), "ana", "a drawing does not empty it");
    screen.click("button[type=submit]").await;
    let events = screen.events.borrow();
    let filled = Event::Edited { field: "username".to_owned(), text: Typed::new("ana") };
    assert_eq!(events[0], filled);
    assert!(matches!(events[1], Event::Submitted(_)));
}
