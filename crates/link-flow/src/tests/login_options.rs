use link_types::host::UiEventName;

use super::fixtures;
use super::harness;
use crate::event::Press;
use crate::generated::message::Message;

#[test]
fn several_login_options_are_listed() {
    let harness = harness::at_provider(fixtures::provider_with_options());
    assert_eq!(harness.heading(), Message::LoginOptionsTitle);
    assert_eq!(harness.choices(), ["password", "registry"]);
    assert_eq!(harness.ui_events().last(), Some(&UiEventName::LoginOptionsPageOpened));
}

#[test]
fn chosen_login_option_has_own_form() {
    let mut harness = harness::at_provider(fixtures::provider_with_options());
    harness.choose("password");
    assert_eq!(harness.field_ids(), ["username", "password"]);
    harness.press(Press::Back);
    assert_eq!(harness.heading(), Message::LoginOptionsTitle);
    harness.choose("registry");
    assert_eq!(harness.field_ids(), ["kind", "born", "password"]);
}

#[test]
fn login_options_back_leads_to_provider_list() {
    let mut harness = harness::at_provider(fixtures::provider_with_options());
    harness.press(Press::Back);
    assert_eq!(harness.heading(), Message::ProvidersTitle);
}

#[test]
fn single_login_option_skips_list() {
    assert_eq!(harness::at_login().heading(), Message::LoginTitle);
}
