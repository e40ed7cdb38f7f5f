//! The contract of `LinkModal`: the same as the bridge's class, tested on the wasm class itself.

use crate::LinkModal;
use crate::host::{HostReply, LinkHost};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Element, HtmlElement, HtmlInputElement};

use super::screen::{find_focused_id, new_element, until, wait_until_drawn};

#[wasm_bindgen(module = "/src/tests/fake_host.js")]
extern "C" {
    #[wasm_bindgen(js_name = fakeHost)]
    fn fake_host() -> LinkHost;
    #[wasm_bindgen(js_name = logOf)]
    fn log_of(host: &LinkHost) -> Vec<String>;
    #[wasm_bindgen(js_name = exchanged)]
    fn exchange_response() -> HostReply;
    #[wasm_bindgen(js_name = uiEventsOf)]
    fn ui_events_of(host: &LinkHost) -> Vec<String>;
}

struct Opened {
    modal: LinkModal,
    host: LinkHost,
    element: Element,
}

impl Opened {
    fn with(token: &str) -> Self {
        Self::with_response(token, None)
    }

    fn with_response(token: &str, response: Option<HostReply>) -> Self {
        let options = js_sys::Object::new();
        js_sys::Reflect::set(&options, &"templateId".into(), &"lt-1".into()).unwrap();
        let host = fake_host();
        let mut modal =
            LinkModal::new(options.into(), host.clone()).unwrap_or_else(|_| panic!("options refused"));
        let element = new_element();
        modal.open(element.clone(), token.to_owned(), response);
        Self { modal, host, element }
    }

    fn log(&self) -> Vec<String> {
        log_of(&self.host)
    }

    /// Waits until the log has this line.
    async fn until_logged(&self, line: &str) {
        until(line, || self.log().iter().any(|logged| logged == line)).await;
    }

    /// Waits until a page is drawn, by the name of its UI event.
    async fn page(&self, name: &str) {
        let opened = |event: &String| event.ends_with("PageOpened");
        until(name, || ui_events_of(&self.host).into_iter().rfind(opened).as_deref() == Some(name)).await;
    }

    fn has(&self, selector: &str) -> bool {
        self.element.query_selector(selector).unwrap().is_some()
    }

    fn find(&self, selector: &str) -> Element {
        let found = self.element.query_selector(selector).unwrap();
        found.unwrap_or_else(|| panic!("{selector} in {}", self.element.inner_html()))
    }

    async fn press(&self, selector: &str) {
        until(selector, || self.has(selector)).await;
        self.find(selector).unchecked_into::<HtmlElement>().click();
        wait_until_drawn().await;
    }

    async fn type_into(&self, name: &str, text: &str) {
        let input: HtmlInputElement = self.find(&format!("input[name={name}]")).unchecked_into();
        input.set_value(text);
        let bubbles = web_sys::EventInit::new();
        bubbles.set_bubbles(true);
        input.dispatch_event(&web_sys::Event::new_with_event_init_dict("input", &bubbles).unwrap()).unwrap();
        wait_until_drawn().await;
    }

    async fn to_login(&self) {
        self.page("ConsentPageOpened").await;
        self.press(".button-primary").await;
        self.page("ProviderListPageOpened").await;
        self.press("button.row").await;
        self.page("LoginPageOpened").await;
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        self.modal.unmount();
        self.element.remove();
    }
}

#[wasm_bindgen_test]
async fn callbacks_arrive_in_order_from_open_to_done() {
    let opened = Opened::with("token");
    until("the focus is on the heading", || find_focused_id() == "heading").await;
    opened.to_login().await;
    opened.type_into("username", "good").await;
    opened.type_into("password", "pass").await;
    opened.press("button[type=submit]").await;
    opened.page("ConnectSuccessPageOpened").await;
    opened.press(".button-primary").await;
    opened.until_logged("close exit").await;
    let log = opened.log();
    let emitted: Vec<&str> = log.iter().filter_map(|line| line.strip_prefix("tell ")).collect();
    let account = "a-0123456789abcdef0123456789abcdef";
    assert_eq!(emitted, [format!("onAccountCreated {account}"), format!("onAccountConnected {account}")]);
    assert_eq!(log.first().map(String::as_str), Some("ready"));
    assert_eq!(log.get(1).map(String::as_str), Some("exchange token lt-1"));
    assert_eq!(log.last().map(String::as_str), Some("close exit"));
    let pages: Vec<String> =
        ui_events_of(&opened.host).into_iter().filter(|name| name.ends_with("PageOpened")).collect();
    let expected =
        ["ConsentPageOpened", "ProviderListPageOpened", "LoginPageOpened", "ConnectSuccessPageOpened"];
    assert_eq!(pages, expected);
}

#[wasm_bindgen_test]
async fn wrong_password_emits_error_and_retry_connects() {
    let opened = Opened::with("token");
    opened.to_login().await;
    opened.type_into("username", "good").await;
    opened.type_into("password", "wrong").await;
    opened.press("button[type=submit]").await;
    opened.until_logged("tell onAccountError INVALID_CREDENTIALS").await;
    opened.press(".button-primary:not([type=submit])").await;
    until("the login page is there", || opened.has("input[name=password]")).await;
    let password: HtmlInputElement = opened.find("input[name=password]").unchecked_into();
    assert_eq!(password.value(), "", "the secret is cleared");
    let name: HtmlInputElement = opened.find("input[name=username]").unchecked_into();
    assert_eq!(name.value(), "good", "the login name is kept");
}

#[wasm_bindgen_test]
async fn empty_form_focuses_first_field() {
    let opened = Opened::with("token");
    opened.to_login().await;
    opened.press("button[type=submit]").await;
    until("the focus is on the field", || find_focused_id() == "field-username").await;
    assert!(!opened.log().iter().any(|line| line.starts_with("POST /link/accounts")));
}

#[wasm_bindgen_test]
async fn expired_token_is_emitted_once_and_new_one_resumes() {
    let opened = Opened::with("expired");
    opened.until_logged("tell onTokenExpired").await;
    opened.modal.set_token("fresh".to_owned());
    opened.until_logged("exchange fresh lt-1").await;
    opened.page("ConsentPageOpened").await;
    assert_eq!(ui_events_of(&opened.host).last().map(String::as_str), Some("ConsentPageOpened"));
    assert_eq!(opened.log().iter().filter(|line| *line == "tell onTokenExpired").count(), 1);
}

#[wasm_bindgen_test]
async fn close_request_closes_if_nothing_is_lost() {
    let opened = Opened::with("token");
    opened.page("ConsentPageOpened").await;
    opened.modal.request_close();
    opened.until_logged("close close").await;
    assert_eq!(opened.log().last().map(String::as_str), Some("close close"));
}

#[wasm_bindgen_test]
async fn second_open_is_ignored() {
    let mut opened = Opened::with("token");
    opened.page("ConsentPageOpened").await;
    let other = new_element();
    opened.modal.open(other.clone(), "another".to_owned(), None);
    wait_until_drawn().await;
    assert_eq!(other.child_element_count(), 0);
    assert!(!opened.log().contains(&"exchange another lt-1".to_owned()));
    other.remove();
}

#[wasm_bindgen_test]
async fn response_to_early_exchange_is_used() {
    let opened = Opened::with_response("token", Some(exchange_response()));
    opened.page("ConsentPageOpened").await;
    assert!(!opened.log().iter().any(|line| line.starts_with("exchange")), "{:?}", opened.log());
}

#[wasm_bindgen_test]
fn malformed_options_are_rejected() {
    assert!(LinkModal::new("no object".into(), fake_host()).is_err());
}
