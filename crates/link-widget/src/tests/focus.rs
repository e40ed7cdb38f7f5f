//! The focus moves when the flow asks for it, and the live region announces.

use link_flow::view::block::ActionState;
use link_flow::view::{Announcement, Block, Focus, FocusTarget, Overlay, View};
use wasm_bindgen_test::wasm_bindgen_test;

use super::screen::{Screen, find_focused_id, heading, password, submit, view, words};

fn login(turn: u32, target: FocusTarget) -> View {
    let blocks =
        vec![heading("Sign in"), Block::Field(Box::new(password("password"))), submit(ActionState::Ready)];
    View { focus: Focus { turn, target }, ..view(blocks) }
}

#[wasm_bindgen_test]
async fn new_page_focuses_heading() {
    let screen = Screen::draw(login(1, FocusTarget::Heading)).await;
    assert_eq!(screen.find("h1").id(), find_focused_id());
}

#[wasm_bindgen_test]
async fn faulty_field_keeps_focus_until_next_move() {
    let mut screen = Screen::draw(login(1, FocusTarget::Heading)).await;
    screen.show(login(2, FocusTarget::Field("password".to_owned()))).await;
    assert_eq!(find_focused_id(), "field-password");
    screen.input("button[type=submit]").focus().unwrap();
    screen.show(login(2, FocusTarget::Field("password".to_owned()))).await;
    assert_ne!(find_focused_id(), "field-password");
}

#[wasm_bindgen_test]
async fn overlay_takes_and_restores_focus() {
    let mut screen = Screen::draw(login(1, FocusTarget::Field("password".to_owned()))).await;
    let overlay = Overlay { title: words("Leave?"), blocks: vec![heading("Leave?")] };
    screen.show(View { overlay: Some(overlay), ..login(2, FocusTarget::Heading) }).await;
    assert_eq!(find_focused_id(), "overlay-heading");
    assert!(screen.find(".under").has_attribute("inert"));
    assert_eq!(screen.find("[role=alertdialog]").get_attribute("aria-label").as_deref(), Some("Leave?"));
    screen.show(login(3, FocusTarget::Restore)).await;
    assert_eq!(find_focused_id(), "field-password");
    assert!(!screen.find(".under").has_attribute("inert"));
}

fn saying(turn: u32, text: &str) -> View {
    View { announcement: Announcement { turn, text: Some(words(text)) }, ..view(vec![heading("Providers")]) }
}

#[wasm_bindgen_test]
async fn live_region_exists_before_first_announcement() {
    let mut screen = Screen::draw(view(vec![heading("Providers")])).await;
    let region = screen.find("[aria-live=polite]");
    assert_eq!(region.text_content().as_deref(), Some(""));
    screen.show(saying(1, "3 providers found")).await;
    assert!(region.is_same_node(Some(&screen.find("[aria-live=polite]"))));
    assert_eq!(region.text_content().as_deref(), Some("3 providers found"));
}

#[wasm_bindgen_test]
async fn repeated_announcement_is_new_node() {
    let mut screen = Screen::draw(saying(1, "3 providers found")).await;
    let first = screen.find("[aria-live=polite] span");
    screen.show(saying(1, "3 providers found")).await;
    assert!(first.is_same_node(Some(&screen.find("[aria-live=polite] span"))));
    screen.show(saying(2, "3 providers found")).await;
    assert!(!first.is_same_node(Some(&screen.find("[aria-live=polite] span"))));
}
