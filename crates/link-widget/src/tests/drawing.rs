//! Views and their elements.

use link_flow::Event;
use link_flow::event::Press;
use link_flow::view::block::{
    Action, ActionState, Choice, ChoiceKind, ChoiceList, Emblem, Input, Keyboard, Severity, Tab,
};
use link_flow::view::{Block, Typed};
use wasm_bindgen_test::wasm_bindgen_test;

use super::screen::{Screen, field, heading, password, submit, view, wait_until_drawn, words};

fn name_field() -> link_flow::view::block::Field {
    field("user name", Input::Text { value: Typed::new("maria"), keyboard: Keyboard::Email })
}

#[wasm_bindgen_test]
async fn field_has_label_and_error_description() {
    let mut invalid = name_field();
    invalid.error = Some(words("Enter your e-mail address."));
    invalid.help = Some(words("The one of the portal."));
    let screen = Screen::draw(view(vec![heading("Sign in"), Block::Field(Box::new(invalid))])).await;
    let input = screen.input("input");
    assert_eq!(screen.find("label").get_attribute("for"), Some(input.id()));
    assert_eq!(input.get_attribute("aria-invalid").as_deref(), Some("true"));
    let described = input.get_attribute("aria-describedby").unwrap();
    let part = |id: &str| screen.find(&format!("[id='{id}']")).text_content().unwrap();
    let parts: Vec<String> = described.split_whitespace().map(part).collect();
    assert_eq!(parts, ["Enter your e-mail address.", "The one of the portal."]);
    assert_eq!(input.get_attribute("autocomplete").as_deref(), Some("section-rideo current-password"));
    assert_eq!((input.type_(), input.value()), ("email".to_owned(), "maria".to_owned()));
}

#[wasm_bindgen_test]
async fn edit_reports_whole_text() {
    let screen = Screen::draw(view(vec![Block::Field(Box::new(name_field()))])).await;
    let input = screen.input("input");
    input.set_value("maria@example.com");
    let bubbles = web_sys::EventInit::new();
    bubbles.set_bubbles(true);
    input.dispatch_event(&web_sys::Event::new_with_event_init_dict("input", &bubbles).unwrap()).unwrap();
    wait_until_drawn().await;
    let text = Typed::new("maria@example.com");
    assert!(screen.events.borrow().contains(&Event::Edited { field: "user name".to_owned(), text }));
}

#[wasm_bindgen_test]
async fn rows_and_tabs_report_ids() {
    let row = |id: &str, disabled| Choice {
        id: id.to_owned(),
        title: words(id),
        detail: None,
        mark: None,
        selected: false,
        disabled,
        busy: false,
    };
    let list = ChoiceList {
        label: words("Providers"),
        label_visible: false,
        kind: ChoiceKind::Rows,
        choices: vec![row("rideo", false), row("closed", true)],
        disabled: false,
    };
    let tab = |id: &str, selected| Tab { id: id.to_owned(), label: words(id), selected };
    let tabs = Block::Tabs { label: words("Kinds"), tabs: vec![tab("all", true), tab("gig", false)] };
    let screen = Screen::draw(view(vec![tabs, Block::Choices(list)])).await;
    screen.click("li:first-child button").await;
    screen.click("li:last-child button").await;
    screen.click(".tab[aria-pressed=false]").await;
    let expected = [Event::Chosen { id: "rideo".to_owned() }, Event::Filtered { tab: "gig".to_owned() }];
    assert_eq!(*screen.events.borrow(), expected);
}

#[wasm_bindgen_test]
async fn button_sends_press_only_if_ready() {
    let action = |press, state| Action { label: words("Go"), press, state, destructive: false };
    let actions = Block::Actions {
        primary: action(Press::Agree, ActionState::Ready),
        secondary: Some(action(Press::Resend, ActionState::Off)),
    };
    let screen = Screen::draw(view(vec![heading("Share"), actions])).await;
    screen.click(".button-quiet").await;
    screen.click(".button-primary").await;
    assert_eq!(*screen.events.borrow(), [Event::Pressed(Press::Agree)]);
}

#[wasm_bindgen_test]
async fn drawn_elements_have_no_style_attribute() {
    let blocks = vec![
        Block::Heading { text: words("Locked"), emblem: Some(Emblem::Lock) },
        Block::Notice { severity: Severity::Danger, title: Some(words("Why")), text: words("Because.") },
        Block::Countdown { text: words("4:12"), left: 252, total: 300 },
        Block::Skeleton { rows: 3 },
        Block::Field(Box::new(password("password"))),
        submit(ActionState::Busy),
    ];
    let screen = Screen::draw(view(blocks)).await;
    assert!(screen.has("h1") && screen.has(".ring-left") && screen.has("[aria-busy=true]"));
    assert!(!screen.has("[style]"));
}
