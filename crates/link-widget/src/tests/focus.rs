//! The focus moves when the flow asks for it.

use link_flow::view::block::ActionState;
use link_flow::view::{Block, Focus, FocusTarget, Overlay, View};
use wasm_bindgen_test::wasm_bindgen_test;

use super::screen::{Screen, focused, heading, password, submit, view, words};

fn login(turn: u32, target: FocusTarget) -> View {
    let blocks =
        vec![heading("Sign in"), Block::Field(Box::new(password("password"))), submit(ActionState::Ready)];
    View { focus: Focus { turn, target }, ..view(blocks) }
}

#[wasm_bindgen_test]
async fn new_page_focuses_heading() {
    let screen = Screen::of(login(1, FocusTarget::Heading)).await;
    assert_eq!(screen.find("h1").id(), focused());
}

#[wasm_bindgen_test]
async fn faulty_field_keeps_focus_until_next_move() {
    let mut screen = Screen::of(login(1, FocusTarget::Heading)).await;
    screen.show(login(2, FocusTarget::Field("password".to_owned()))).await;
    assert_eq!(focused(), "field-password");
    screen.input("button[type=submit]").focus().unwrap();
    screen.show(login(2, FocusTarget::Field("password".to_owned()))).await;
    assert_ne!(focused(), "field-password");
}

#[wasm_bindgen_test]
async fn overlay_takes_and_restores_focus() {
    let mut screen = Screen::of(login(1, FocusTarget::Field("password".to_owned()))).await;
    let overlay = Overlay { title: words("Leave?"), blocks: vec![heading("Leave?")] };
    screen.show(View { overlay: Some(overlay), ..login(2, FocusTarget::Heading) }).await;
    assert_eq!(focused(), "overlay-heading");
    assert!(screen.find(".under").has_attribute("inert"));
    assert_eq!(screen.find("[role=alertdialog]").get_attribute("aria-label").as_deref(), Some("Leave?"));
    screen.show(login(3, FocusTarget::Restore)).await;
    assert_eq!(focused(), "field-password");
    assert!(!screen.find(".under").has_attribute("inert"));
}
