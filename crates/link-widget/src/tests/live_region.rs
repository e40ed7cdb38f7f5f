//! The announcements of the live region.

use link_flow::view::{Announcement, View};
use wasm_bindgen_test::wasm_bindgen_test;

use super::screen::{Screen, heading, view, words};

fn saying(turn: u32, text: &str) -> View {
    View { announcement: Announcement { turn, text: Some(words(text)) }, ..view(vec![heading("Providers")]) }
}

#[wasm_bindgen_test]
async fn live_region_exists_before_first_announcement() {
    let mut screen = Screen::of(view(vec![heading("Providers")])).await;
    let region = screen.find("[aria-live=polite]");
    assert_eq!(region.text_content().as_deref(), Some(""));
    screen.show(saying(1, "3 providers found")).await;
    assert!(region.is_same_node(Some(&screen.find("[aria-live=polite]"))));
    assert_eq!(region.text_content().as_deref(), Some("3 providers found"));
}

#[wasm_bindgen_test]
async fn repeated_announcement_is_new_node() {
    let mut screen = Screen::of(saying(1, "3 providers found")).await;
    let first = screen.find("[aria-live=polite] span");
    screen.show(saying(1, "3 providers found")).await;
    assert!(first.is_same_node(Some(&screen.find("[aria-live=polite] span"))));
    screen.show(saying(2, "3 providers found")).await;
    assert!(!first.is_same_node(Some(&screen.find("[aria-live=polite] span"))));
}
