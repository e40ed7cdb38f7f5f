//! The templates of a kind and environment.

use link_types::Mode;
use link_types::console::Permission;
use yew::prelude::*;
use yew_router::prelude::*;

use super::parts::{draw_list, heading, time};
use super::shown::Shown;
use crate::core::page::Page;
use crate::core::templates::TemplateInput;
use crate::core::templates::kind::TemplateKind;
use crate::core::templates::wire::AnyTemplate;
use crate::core::texts::templates::TemplateText;
use crate::core::{Event, Text};
use crate::route::Route;

/// Draws the page.
pub(super) fn page(shown: &Shown<'_>, mode: Mode, kind: TemplateKind) -> Html {
    let may_manage = shown.state.may(mode, Permission::ManageTemplates);
    let (lead, create) = match kind {
        TemplateKind::Link => (TemplateText::LinkLead, TemplateText::NewLink),
        TemplateKind::Consent => (TemplateText::ConsentLead, TemplateText::NewConsent),
        TemplateKind::Invite => (TemplateText::InviteLead, TemplateText::NewInvite),
    };
    html! {
        <>
            { heading(shown, Text::Templates, mode) }
            { kinds(shown, mode, kind) }
            <p class="soft lead">{ shown.text(lead) }</p>
            if may_manage {
                <p><Link<Route> to={Route::for_page(Page::NewTemplate(mode, kind))} classes="main button">
                    { shown.text(create) }</Link<Route>></p>
            }
            { draw_list(shown, &shown.state.templates.list, |templates| list(shown, mode, kind, templates)) }
        </>
    }
}

/// Returns the name of a kind.
const fn kind_name(kind: TemplateKind) -> TemplateText {
    match kind {
        TemplateKind::Link => TemplateText::LinkKind,
        TemplateKind::Consent => TemplateText::ConsentKind,
        TemplateKind::Invite => TemplateText::InviteKind,
    }
}

fn kinds(shown: &Shown<'_>, mode: Mode, shown_kind: TemplateKind) -> Html {
    let item = |kind: TemplateKind| {
        let is_current = kind == shown_kind;
        html! {
            <li aria-current={is_current.then_some("true")}>
                <Link<Route> to={Route::for_page(Page::Templates(mode, kind))}
                    classes={if is_current { "tab current" } else { "tab" }}>
                    { shown.text(kind_name(kind)) }</Link<Route>>
            </li>
        }
    };
    html! {
        <nav class="tabs" aria-label={shown.text(TemplateText::Kinds)}>
            <ul>{ for TemplateKind::ALL.into_iter().map(item) }</ul>
        </nav>
    }
}

fn list(shown: &Shown<'_>, mode: Mode, kind: TemplateKind, templates: &[AnyTemplate]) -> Html {
    if templates.is_empty() {
        return html! { <div class="empty"><p class="soft">{ shown.text(TemplateText::NoTemplates) }</p></div> };
    }
    html! {
        <>
            <table>
                <caption class="hidden">{ shown.text(kind_name(kind)) }</caption>
                <thead><tr>
                    <th scope="col">{ shown.text(Text::Template) }</th>
                    <th scope="col">{ shown.text(TemplateText::Identifier) }</th>
                    <th scope="col">{ shown.text(Text::Created) }</th>
                </tr></thead>
                <tbody>{ for templates.iter().filter_map(|it| row(shown, mode, it)) }</tbody>
            </table>
            if shown.state.templates.next.is_some() {
                <div class="actions"><button type="button" class="second"
                    onclick={shown.send(Event::Template(TemplateInput::MoreWanted))}>{ shown.text(Text::LoadMore) }</button></div>
            }
        </>
    }
}

fn row(shown: &Shown<'_>, mode: Mode, template: &AnyTemplate) -> Option<Html> {
    let key = template.key()?;
    Some(html! {
        <tr key={key.to_string()}>
            <th scope="row">
                <Link<Route> to={Route::for_page(Page::Template(mode, key))} classes="link">
                    <span dir="auto">{ template.name() }</span></Link<Route>>
            </th>
            <td data-label={shown.text(TemplateText::Identifier)}><code translate="no">{ key.to_string() }</code></td>
            <td data-label={shown.text(Text::Created)}>{ time(shown, template.created_at()) }</td>
        </tr>
    })
}
