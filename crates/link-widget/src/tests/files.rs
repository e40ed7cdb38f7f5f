//! File targets, the list of files, and pictures.

use link_flow::Event;
use link_flow::event::{FilePress, PhotoPress, Press};
use link_flow::view::Block;
use link_flow::view::block::{Choice, ChoiceKind, ChoiceList, FileRow, Mark, PhotoEdge, Recording};
use link_types::Sensitive;
use link_types::archive::FileSlot;
use wasm_bindgen::JsCast as _;
use wasm_bindgen_test::wasm_bindgen_test;

use super::screen::{Screen, view, words};

fn zone(slot: FileSlot) -> Block {
    Block::DropZone {
        slot,
        title: words("Front"),
        text: words("Drop it here."),
        choose: words("Choose a file"),
        camera: words("Take a photo"),
        camera_help: words("Lay the page flat."),
    }
}

#[wasm_bindgen_test]
async fn drop_zone_has_slot_and_both_buttons() {
    let screen = Screen::draw(view(vec![zone(FileSlot::Front)])).await;
    assert_eq!(screen.find("[data-slot]").get_attribute("data-slot").as_deref(), Some("FRONT"));
    let label = |selector: &str| screen.find(selector).get_attribute("aria-label");
    assert_eq!(label("input:not([capture])").as_deref(), Some("Front: Choose a file"));
    assert_eq!(label("input[capture]").as_deref(), Some("Front: Take a photo"));
    assert!(!screen.has("input[multiple]"), "one side is one file");
}

#[wasm_bindgen_test]
async fn several_pages_can_be_chosen_at_once() {
    let screen = Screen::draw(view(vec![zone(FileSlot::Page)])).await;
    assert!(screen.has("input[multiple]"));
}

#[wasm_bindgen_test]
async fn file_row_shows_progress_and_reports_actions() {
    let row = FileRow {
        handle: 7,
        mark: Mark { logo_url: None, monogram: "PDF".to_owned(), hue: 2 },
        name: words("payslip.pdf"),
        detail: words("40 % of 0.1 MB"),
        percent: Some(40),
        error: None,
        done: false,
        actions: vec![
            (FilePress::Pause, words("Pause payslip.pdf")),
            (FilePress::Remove, words("Remove payslip.pdf")),
        ],
    };
    let screen = Screen::draw(view(vec![Block::Files {
        label: words("Your files"),
        rows: vec![row],
        clear: Some((FileSlot::Page, words("Remove the files that weren’t added"))),
    }]))
    .await;
    let bar = screen.find("progress");
    assert_eq!(bar.get_attribute("value").as_deref(), Some("40"));
    assert_eq!(bar.get_attribute("aria-label").as_deref(), Some("payslip.pdf"));
    screen.click("[aria-label='Remove payslip.pdf']").await;
    assert_eq!(*screen.events.borrow(), [Event::Pressed(Press::File(FilePress::Remove, 7))]);
}

#[wasm_bindgen_test]
async fn edges_of_a_framed_photo_start_at_its_sides() {
    let photo = Block::Photo {
        src: "data:image/png;base64,".to_owned(),
        alt: words("Photo a.jpg"),
        edges: vec![(PhotoEdge::Left, words("Left edge")), (PhotoEdge::Bottom, words("Bottom edge"))],
        tools: vec![(Press::Photo(PhotoPress::Turn, 7), words("Rotate"))],
    };
    let screen = Screen::draw(view(vec![photo])).await;
    let value = |edge: &str| {
        let input = screen.find(&format!("[data-edge={edge}]"));
        input.dyn_into::<web_sys::HtmlInputElement>().unwrap().value()
    };
    assert_eq!((value("left").as_str(), value("bottom").as_str()), ("0", "100"));
    screen.click(".photo button").await;
    assert_eq!(*screen.events.borrow(), [Event::Pressed(Press::Photo(PhotoPress::Turn, 7))]);
}

#[wasm_bindgen_test]
async fn picture_has_alternative_text() {
    let picture = Block::Picture {
        src: Sensitive::new("data:image/png;base64,"),
        alt: words("Drawn letters"),
        scan: false,
        recording: None,
    };
    let screen = Screen::draw(view(vec![picture])).await;
    assert_eq!(screen.find("img").get_attribute("alt").as_deref(), Some("Drawn letters"));
}

#[wasm_bindgen_test]
async fn recording_has_a_button_and_its_state() {
    let recorded = |failed, disabled| {
        let recording = Recording { label: words("Listen"), state: Some(words("Ended")), failed, disabled };
        view(vec![Block::Picture {
            src: Sensitive::new("data:image/png;base64,"),
            alt: words("Drawn letters"),
            scan: false,
            recording: Some(recording),
        }])
    };
    let screen = Screen::draw(recorded(false, true)).await;
    assert_eq!(screen.find(".pictured .hint").text_content().as_deref(), Some("Ended"));
    screen.click(".pictured button").await;
    assert_eq!(*screen.events.borrow(), []);
    let screen = Screen::draw(recorded(true, false)).await;
    assert_eq!(screen.find(".pictured .error").text_content().as_deref(), Some("Ended"));
    screen.click(".pictured button").await;
    assert_eq!(*screen.events.borrow(), [Event::Pressed(Press::Listen)]);
}

#[wasm_bindgen_test]
async fn second_list_has_visible_label() {
    let choice = Choice {
        id: "payslip".to_owned(),
        title: words("Payslip"),
        detail: None,
        mark: None,
        selected: false,
        disabled: false,
        busy: false,
    };
    let list = |label_visible| {
        let choices = vec![choice.clone()];
        let label = words("Your documents");
        Block::Choices(ChoiceList { label, label_visible, kind: ChoiceKind::Rows, choices, disabled: false })
    };
    let mut screen = Screen::draw(view(vec![list(true)])).await;
    assert_eq!(screen.find(".rows-label").text_content().as_deref(), Some("Your documents"));
    assert_eq!(screen.find("ul").get_attribute("aria-label").as_deref(), Some("Your documents"));
    screen.show(view(vec![list(false)])).await;
    assert!(!screen.has(".rows-label"));
}
