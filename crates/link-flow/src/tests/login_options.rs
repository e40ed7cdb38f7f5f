use link_types::host::UiEventName;

use super::desk;
use super::stock;
use crate::event::Press;
use crate::generated::message::Message;

#[test]
fn more_than_one_way_to_sign_in_is_a_choice() {
    let desk = desk::at_provider(stock::provider_with_options());
    assert_eq!(desk.heading(), Message::LoginOptionsTitle);
    assert_eq!(desk.choices(), ["password", "registry"]);
    assert_eq!(desk.ui_events().last(), Some(&UiEventName::LoginOptionsPageOpened));
}

#[test]
fn the_chosen_way_has_its_own_form() {
    let mut desk = desk::at_provider(stock::provider_with_options());
    desk.choose("password");
    assert_eq!(desk.field_ids(), ["username", "password"]);
    desk.press(Press::Back);
    assert_eq!(desk.heading(), Message::LoginOptionsTitle);
    desk.choose("registry");
    assert_eq!(desk.field_ids(), ["kind", "born", "password"]);
}

#[test]
fn back_leads_to_the_list() {
    let mut desk = desk::at_provider(stock::provider_with_options());
    desk.press(Press::Back);
    assert_eq!(desk.heading(), Message::ProvidersTitle);
}

#[test]
fn one_way_to_sign_in_is_no_choice() {
    assert_eq!(desk::at_login().heading(), Message::LoginTitle);
}
