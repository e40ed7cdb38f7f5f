//! The path of a secret input's text, and the places where it must not appear.

use link_flow::view::block::{ActionState, Field, Input, Severity};
use link_flow::view::{Block, View};
use link_flow::{Event, Secrets};
use wasm_bindgen_test::wasm_bindgen_test;

use super::screen::{Screen, field, heading, password, submit, view, wait_until_drawn, words};

const CANARY: &str = "hunter2 <canary>";

fn login(state: ActionState) -> View {
    let code: Field = field("code", Input::OneTimeCode { numeric: true, length: None });
    let secret = Block::Field(Box::new(password("password")));
    view(vec![heading("Sign in"), secret, Block::Field(Box::new(code)), submit(state)])
}

fn enter(screen: &Screen) {
    screen.input("input[name=password]").set_value(CANARY);
    screen.input("input[name=code]").set_value("1234");
}

fn submit_texts(screen: &Screen) -> Vec<(String, String)> {
    let read = |secrets: &Secrets| {
        let text = |id: &str| secrets.get(id).map(|text| text.expose().to_owned()).unwrap_or_default();
        (text("password"), text("code"))
    };
    let events = screen.events.borrow();
    events
        .iter()
        .filter_map(|event| if let Event::Submitted(secrets) = event { Some(read(secrets)) } else { None })
        .collect()
}

#[wasm_bindgen_test]
async fn submit_carries_secrets_once() {
    let screen = Screen::draw(login(ActionState::Ready)).await;
    enter(&screen);
    screen.click("button[type=submit]").await;
    assert_eq!(submit_texts(&screen), [(CANARY.to_owned(), "1234".to_owned())]);
}

#[wasm_bindgen_test]
async fn submit_during_submit_reads_nothing() {
    let screen = Screen::draw(login(ActionState::Busy)).await;
    enter(&screen);
    screen.click("button[type=submit]").await;
    assert_eq!(submit_texts(&screen), []);
}

#[wasm_bindgen_test]
async fn revealed_secret_is_in_no_attribute() {
    let mut screen = Screen::draw(login(ActionState::Ready)).await;
    enter(&screen);
    screen.click(".control .icon-button").await;
    let input = screen.input("input[name=password]");
    assert_eq!((input.type_(), input.value()), ("text".to_owned(), CANARY.to_owned()));
    screen.show(login(ActionState::Busy)).await;
    assert_eq!(screen.input("input[name=password]").value(), CANARY, "a new drawing must not touch it");
    assert!(!screen.element.outer_html().contains("canary"));
    assert!(!screen.element.outer_html().contains("1234"));
}

#[wasm_bindgen_test]
async fn page_with_new_key_has_new_inputs() {
    let mut screen = Screen::draw(login(ActionState::Ready)).await;
    enter(&screen);
    let mut next = login(ActionState::Ready);
    next.page.key += 1;
    screen.show(next).await;
    assert_eq!(screen.input("input[name=password]").value(), "");
    assert_eq!(screen.input("input[name=code]").value(), "");
}

#[wasm_bindgen_test]
async fn blur_of_secret_reports_facts_only() {
    let screen = Screen::draw(login(ActionState::Ready)).await;
    let input = screen.input("input[name=password]");
    input.focus().unwrap();
    input.set_value("pass ");
    input.blur().unwrap();
    wait_until_drawn().await;
    let left = Event::SecretLeft { field: "password".to_owned(), empty: false, stray_space: true };
    assert_eq!(*screen.events.borrow(), [left]);
}

#[wasm_bindgen_test]
async fn new_notice_keeps_typed_text() {
    let mut screen = Screen::draw(login(ActionState::Ready)).await;
    enter(&screen);
    let mut next = login(ActionState::Ready);
    let notice = Block::Notice { severity: Severity::Danger, title: None, text: words("Try again.") };
    next.page.blocks.insert(1, notice);
    screen.show(next).await;
    assert!(screen.has(".notice"));
    assert_eq!(screen.input("input[name=password]").value(), CANARY);
    assert_eq!(screen.input("input[name=code]").value(), "1234");
}

#[wasm_bindgen_test]
async fn caps_lock_hint_shows_while_on() {
    let screen = Screen::draw(login(ActionState::Ready)).await;
    assert!(screen.find(".caps-lock span").has_attribute("hidden"));
    press_key(&screen, true);
    assert!(!screen.find(".caps-lock span").has_attribute("hidden"));
    press_key(&screen, false);
    assert!(screen.find(".caps-lock span").has_attribute("hidden"));
}

fn press_key(screen: &Screen, caps_lock: bool) {
    let key = web_sys::KeyboardEventInit::new();
    key.set_bubbles(true);
    key.set_modifier_caps_lock(caps_lock);
    let event = web_sys::KeyboardEvent::new_with_keyboard_event_init_dict("keyup", &key).unwrap();
    screen.input("input[name=password]").dispatch_event(&event).unwrap();
}
