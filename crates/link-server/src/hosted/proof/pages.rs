//! The page that asks for an address, and the one that asks for the code.

use axum::response::Response;
use link_domain::invitations::address_proof::{AddressProof, SentCode};
use link_domain::notifications::service_text::{ServiceText, Value};
use link_types::Sensitive;
use maud::{Markup, html};

use super::{ACT, AGAIN, CORRECT, status_of};
use crate::app::App;
use crate::hosted::embedding::Embedding;
use crate::hosted::page::{Look, Page, Passage};
use crate::hosted::questions::BAIT;
use crate::hosted::visitor::Visitor;

/// The page that asks for an address.
pub(super) struct AddressPage<'a> {
    /// The address that was typed.
    pub(super) address: &'a Sensitive,
    /// The reason why it gets no code.
    pub(super) fault: Option<ServiceText>,
    /// The task of the person, above the form.
    pub(super) alert: Option<ServiceText>,
}

/// The page that asks for the code.
pub(super) struct CodePage<'a> {
    /// The code that was mailed.
    pub(super) sent: &'a SentCode,
    /// The text that was typed.
    pub(super) typed: &'a Sensitive,
    /// The reason why it is not the code.
    pub(super) fault: Option<ServiceText>,
    /// The task of the person, above the form.
    pub(super) alert: Option<ServiceText>,
}

/// Returns the page of a visit whose proof is awaited.
pub(in crate::hosted) fn first_page(app: &App, visitor: &Visitor) -> Response {
    let empty = Sensitive::default();
    match &visitor.visit.proof {
        AddressProof::Sent(sent) => {
            CodePage { sent, typed: &empty, fault: None, alert: None }.show(app, visitor)
        }
        AddressProof::NotNeeded | AddressProof::NotAsked | AddressProof::Proven { .. } => {
            AddressPage { address: &empty, fault: None, alert: None }.show(app, visitor)
        }
    }
}

impl AddressPage<'_> {
    pub(super) fn show(&self, app: &App, visitor: &Visitor) -> Response {
        let look = visitor.look(app);
        let title = Passage::ours(look.text(ServiceText::PageProofTitle));
        let invalid = self.fault.map(|_| "true");
        let card = html! {
            (title.heading())
            p { (look.text_with_company(ServiceText::PageProofText)) }
            (alert(&look, self.alert))
            form.questions method="post" action=(action(&look)) novalidate {
                (secret(&look))
                div.question {
                    label for="address" { (look.text(ServiceText::PageProofAddress)) }
                    input type="email" id="address" name="address" value=(self.address.expose()) required
                        autocomplete="email" maxlength="320" aria-describedby=[invalid.map(|_| "address-note")]
                        aria-invalid=[invalid];
                    (note(&look, "address-note", self.fault))
                }
                div.bait aria-hidden="true" {
                    label for="bait" { (look.text(ServiceText::PageFormBait)) }
                    input type="text" id="bait" name=(BAIT) tabindex="-1" autocomplete="off";
                }
                button.primary type="submit" { (look.text(ServiceText::PageProofSend)) }
            }
        };
        render(&look, title, card, self.fault.is_some() || self.alert.is_some())
    }
}

impl CodePage<'_> {
    pub(super) fn show(&self, app: &App, visitor: &Visitor) -> Response {
        let look = visitor.look(app);
        let title = Passage::ours(look.text(ServiceText::PageProofCodeTitle));
        let invalid = self.fault.map(|_| "true");
        let address = self.sent.address.expose();
        let card = html! {
            (title.heading())
            p { (look.text_with(ServiceText::PageProofCodeText, Value::Text(address))) }
            (alert(&look, self.alert))
            form.questions method="post" action=(action(&look)) novalidate {
                (secret(&look))
                div.question {
                    label for="code" { (look.text(ServiceText::PageProofCode)) }
                    input.code type="text" id="code" name="code" value=(self.typed.expose()) required dir="ltr"
                        inputmode="numeric" autocomplete="one-time-code" maxlength="40"
                        aria-describedby=[invalid.map(|_| "code-note")] aria-invalid=[invalid];
                    (note(&look, "code-note", self.fault))
                }
                button.primary type="submit" { (look.text(ServiceText::PageFormContinue)) }
            }
            @if !self.sent.is_last() {
                // Separate forms, because Enter presses the first button of a form.
                div.ways {
                    (way(&look, AGAIN, ServiceText::PageProofAgain))
                    (way(&look, CORRECT, ServiceText::PageProofCorrect))
                }
            }
        };
        render(&look, title, card, self.fault.is_some() || self.alert.is_some())
    }
}

fn render(look: &Look, title: Passage, card: Markup, has_faults: bool) -> Response {
    let page = Page { kind: "proof", title, widget: None, redirect: None, card };
    look.show(status_of(has_faults), &page)
}

fn action(look: &Look) -> String {
    look.embedding().map_or_else(|| "/visit/proof".to_owned(), Embedding::proof_address)
}

/// Renders the first field of a form in a frame.
fn secret(look: &Look) -> Markup {
    html! { @if let Some(embedding) = look.embedding() { (embedding.secret_field()) } }
}

fn alert(look: &Look, alert: Option<ServiceText>) -> Markup {
    html! { @if let Some(alert) = alert { p.trouble role="alert" { (look.text(alert)) } } }
}

fn note(look: &Look, id: &str, fault: Option<ServiceText>) -> Markup {
    html! { @if let Some(fault) = fault { div.note id=(id) { p.fault { (look.text(fault)) } } } }
}

fn way(look: &Look, act: &str, text: ServiceText) -> Markup {
    html! {
        form method="post" action=(action(look)) {
            (secret(look))
            button.way type="submit" name=(ACT) value=(act) { (look.text(text)) }
        }
    }
}
