//! The link sites of an environment.

use link_types::Mode;
use link_types::console::{Permission, SignedIn};
use link_types::link_site::{LinkSite, LinkSiteAccess, LinkSiteStatus};
use yew::prelude::*;
use yew_router::prelude::*;

use super::parts::{draw_list, environment_lead, heading, time};
use super::shown::Shown;
use crate::core::page::Page;
use crate::core::texts::sites::SiteText;
use crate::core::webhook_key::SiteKey;
use crate::core::{Event, SiteInput, Text};
use crate::route::Route;

/// Draws the page.
pub(super) fn page(shown: &Shown<'_>, mode: Mode, signed_in: &SignedIn) -> Html {
    let may_manage = shown.state.may(mode, Permission::ManageLinkSites);
    html! {
        <>
            { heading(shown, Text::LinkSites, mode) }
            { environment_lead(shown, SiteText::SitesText, mode, signed_in) }
            if may_manage {
                <p><Link<Route> to={Route::for_page(Page::NewSite(mode))} classes="main button">
                    { shown.text(SiteText::Create) }</Link<Route>></p>
            }
            { draw_list(shown, &shown.state.sites.list, |sites| list(shown, mode, sites, may_manage)) }
        </>
    }
}

fn list(shown: &Shown<'_>, mode: Mode, sites: &[LinkSite], may_manage: bool) -> Html {
    if sites.is_empty() {
        let text = if may_manage { SiteText::NoSites } else { SiteText::NoSitesReader };
        return html! { <div class="empty"><p class="soft">{ shown.text(text) }</p></div> };
    }
    let may_read_answers = shown.state.may(mode, Permission::ReadAnswers);
    html! {
        <>
            <table>
                <caption class="hidden">{ shown.text(Text::LinkSites) }</caption>
                <thead><tr>
                    <th scope="col">{ shown.text(Text::LinkSite) }</th>
                    <th scope="col">{ shown.text(Text::Status) }</th>
                    <th scope="col">{ shown.text(SiteText::Access) }</th>
                    <th scope="col">{ shown.text(SiteText::Submissions) }</th>
                    <th scope="col">{ shown.text(Text::Created) }</th>
                </tr></thead>
                <tbody>{ for sites.iter().map(|site| row(shown, mode, site, may_read_answers)) }</tbody>
            </table>
            if shown.state.sites.next.is_some() {
                <div class="actions"><button type="button" class="second"
                    onclick={shown.send(Event::Site(SiteInput::MoreWanted))}>{ shown.text(Text::LoadMore) }</button></div>
            }
        </>
    }
}

fn row(shown: &Shown<'_>, mode: Mode, site: &LinkSite, may_read_answers: bool) -> Html {
    let key = SiteKey::new(&site.id);
    let access = access_name(site.access);
    html! {
        <tr key={site.id.to_string()} class={(site.status == LinkSiteStatus::Closed).then_some("off")}>
            <th scope="row">
                <Link<Route> to={Route::for_page(Page::Site(mode, key))} classes="link">
                    <span dir="auto">{ site.name.clone() }</span></Link<Route>>
                <span class="soft small block" translate="no">{ site.url.clone() }</span>
            </th>
            <td data-label={shown.text(Text::Status)}>{ status(shown, site.status) }</td>
            <td data-label={shown.text(SiteText::Access)}>{ shown.text(access) }</td>
            <td data-label={shown.text(SiteText::Submissions)}>
                <span>{ site.submissions }
                    if may_read_answers && site.form_version.is_some() {
                        { " " }<Link<Route> to={Route::for_page(Page::Answers(mode, key))} classes="link small">
                            { shown.text(SiteText::SeeAnswers) }
                            <span class="hidden">{ ": " }{ site.name.clone() }</span></Link<Route>>
                    }
                </span>
            </td>
            <td data-label={shown.text(Text::Created)}>{ time(shown, site.created_at) }</td>
        </tr>
    }
}

/// Returns the name of those who can open a site.
pub(super) const fn access_name(access: LinkSiteAccess) -> SiteText {
    match access {
        LinkSiteAccess::Open => SiteText::OpenToAll,
        LinkSiteAccess::ProvenEmail => SiteText::ByProvenEmail,
        LinkSiteAccess::Invitation => SiteText::ByInvitation,
    }
}

/// Draws the status of a site.
pub(super) fn status(shown: &Shown<'_>, status: LinkSiteStatus) -> Html {
    let (class, text) = match status {
        LinkSiteStatus::Draft => ("state wait", SiteText::Draft),
        LinkSiteStatus::Published => ("state good", SiteText::Published),
        LinkSiteStatus::Closed => ("state off", SiteText::Closed),
    };
    html! { <span {class}>{ shown.text(text) }</span> }
}
