//! `/me/data`: what the person gave, to whom, until when, and under which text.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::scope::ErasureScope;
use link_domain::notifications::mail::paragraphs;
use link_domain::notifications::service_text::{ServiceText, direction};
use link_types::archive::ArchiveType;
use link_types::consent::ConsentRecord;
use link_types::data::DataPointKind;
use link_types::{Mode, Timestamp};
use maud::{Markup, html};

use super::form::{ALL, environment, hidden_fields};
use super::items::{Gifts, Item, Object, all};
use super::session::{PageCaller, over};
use crate::app::App;
use crate::hosted::page::{Look, Page, Passage};
use crate::hosted::visitor::Browser;
use crate::http::limits::network::Network;
use crate::http::problem::ApiResult;

/// Redirects to the list, so that reloading the response to a form works.
pub(super) async fn back() -> Redirect {
    Redirect::to("/me/data")
}

pub(super) async fn handler(
    State(app): State<App>,
    network: Network,
    browser: Browser,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let look = Look::plain(&app, &browser);
    let Some(caller) = PageCaller::find(&app, &headers, network).await? else {
        return Ok(over(&look, StatusCode::FORBIDDEN));
    };
    let list = List { app: &app, look: &look };
    let given = all(&app, &caller.session).await?;
    let title = Passage::ours(look.text(ServiceText::MeTitle));
    let card = html! {
        (title.heading())
        p { (look.text(if given.is_empty() { ServiceText::MeListEmpty } else { ServiceText::MeListText })) }
        @for gifts in &given { (list.company(gifts)) }
        form method="post" action="/me/leave" {
            button.plain type="submit" { (look.text(ServiceText::MeLeave)) }
        }
    };
    Ok(look
        .show(StatusCode::OK, &Page { kind: "me", title, widget: None, redirect: None, card })
        .into_response())
}

/// Renders the list.
struct List<'a> {
    app: &'a App,
    look: &'a Look,
}

impl List<'_> {
    fn text(&self, text: ServiceText) -> String {
        self.look.text(text)
    }

    fn company(&self, gifts: &Gifts) -> Markup {
        let environment = environment(&gifts.owner);
        html! {
            section.gifts {
                h2 dir="auto" { (gifts.company) }
                @if gifts.owner.mode == Mode::Sandbox { p.sandbox { (self.text(ServiceText::MeSandbox)) } }
                @for (item, consent) in &gifts.items {
                    article.gift {
                        h3 dir="auto" { (name(self.app, self.look, item)) }
                        dl {
                            (self.fact(ServiceText::MeGiven, day(item.given_at)))
                            (self.fact(self.end_of(item), day(item.kept_until)))
                            @if let Some(consent) = consent {
                                (self.fact(ServiceText::MeShared, self.kinds(item, consent)))
                            }
                        }
                        @if let Some(consent) = consent { (self.consent(consent)) }
                        (self.actions(&environment, item))
                    }
                }
                (self.action("/me/confirm", &environment, ALL, None, ServiceText::MeEraseAll))
            }
        }
    }

    fn fact(&self, name: ServiceText, value: impl maud::Render) -> Markup {
        html! { div { dt { (self.text(name)) } dd { (value) } } }
    }

    fn end_of(&self, item: &Item) -> ServiceText {
        match &item.object {
            _ if item.is_synced() => ServiceText::MeUntilSynced,
            Object::Account(account) if !account.is_connected() => ServiceText::MeUnfinished,
            Object::Account(_) | Object::Archive(_) | Object::Form(_) => ServiceText::MeUntil,
        }
    }

    /// Lists the kinds of data that a consent covers. Files are shared as a whole.
    fn kinds(&self, item: &Item, consent: &ConsentRecord) -> Markup {
        let files = match &item.object {
            Object::Archive(archive) => archive.stored_files(),
            Object::Account(_) | Object::Form(_) => Vec::new(),
        };
        html! {
            ul {
                @for file in files { li dir="auto" { (file.name.expose()) } }
                @for kind in &consent.shared_data { li { (self.text(kind_name(*kind))) } }
            }
        }
    }

    fn consent(&self, consent: &ConsentRecord) -> Markup {
        let locale = consent.locale.as_deref().unwrap_or_default();
        html! {
            details {
                summary { (self.text(ServiceText::MeConsent)) }
                div lang=(locale) dir=(direction(locale)) {
                    @if let Some(title) = &consent.title { h4 { (title) } }
                    @for paragraph in paragraphs(consent.consented_with.as_deref().unwrap_or_default()) {
                        p { (paragraph) }
                    }
                }
                p { (consent.version) " · " (date(consent.consented_at)) }
            }
        }
    }

    fn actions(&self, environment: &str, item: &Item) -> Markup {
        let scope = item.scope();
        let end = match item.object {
            Object::Account(_) => ServiceText::MeStop,
            Object::Archive(_) | Object::Form(_) => ServiceText::MeErase,
        };
        html! {
            div.actions {
                (self.action("/me/copy", environment, scope.as_str(), Some("JSON"), ServiceText::MeCopyJson))
                @if matches!(scope, ErasureScope::Account(_)) {
                    (self.action("/me/copy", environment, scope.as_str(), Some("PDF"), ServiceText::MeCopyPdf))
                }
                (self.action("/me/confirm", environment, scope.as_str(), None, end))
            }
        }
    }

    fn action(
        &self,
        address: &str,
        environment: &str,
        what: &str,
        format: Option<&str>,
        text: ServiceText,
    ) -> Markup {
        html! {
            form method="post" action=(address) {
                (hidden_fields(environment, what))
                @if let Some(format) = format { input type="hidden" name="format" value=(format); }
                button.plain type="submit" { (self.text(text)) }
            }
        }
    }
}

/// Returns the heading of an object: the provider, the kind of document, or the form.
pub(super) fn name(app: &App, look: &Look, item: &Item) -> String {
    match &item.object {
        Object::Account(account) => {
            let providers = app.ports.source(account.owner.mode).providers();
            let provider = providers.iter().find(|it| it.id == account.provider_id);
            provider.map_or_else(|| account.provider_id.to_string(), |it| it.long_name.clone())
        }
        Object::Archive(archive) => look.text(archive_name(archive.archive_type)),
        Object::Form(form) => form.content.name.clone().unwrap_or_else(|| look.text(ServiceText::MeForm)),
    }
}

fn day(at: TenantTime) -> Markup {
    date(at.into())
}

fn date(at: Timestamp) -> Markup {
    html! { time datetime=(at) dir="ltr" { (at.date()) } }
}

macro_rules! kind_name {
    ($($kind:ident $Body:ident $key:ident $doc:literal {
        $stored:tt $Id:ident $prefix:literal, $events:tt, $filter:ident, $widget_text:path, $text:path, $($rest:tt)*
    })*) => {
        const fn kind_name(kind: DataPointKind) -> ServiceText {
            match kind {
                $(DataPointKind::$kind => $text,)*
            }
        }
    };
}

link_types::data_points!(all kind_name);

const fn archive_name(kind: ArchiveType) -> ServiceText {
    match kind {
        ArchiveType::Payslip => ServiceText::MeArchivePayslip,
        ArchiveType::TaxDocument => ServiceText::MeArchiveTax,
        ArchiveType::CompanyId => ServiceText::MeArchiveCompany,
        ArchiveType::Identification => ServiceText::MeArchiveIdentity,
        ArchiveType::Clearance => ServiceText::MeArchiveClearance,
        ArchiveType::Certificate => ServiceText::MeArchiveCertificate,
        ArchiveType::BankStatement => ServiceText::MeArchiveBank,
    }
}
