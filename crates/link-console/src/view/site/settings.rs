//! The address, the access, the steps and the pages of a link site.

use link_types::link_site::LinkSiteAccess;
use yew::prelude::*;

use super::controls::{Control, on, select, text};
use crate::core::sites::draft::Steps;
use crate::core::sites::editor::Editor;
use crate::core::sites::spot::Spot;
use crate::core::texts::sites::SiteText;
use crate::core::{Loaded, SiteInput};
use crate::view::shown::Shown;
use crate::view::sites::access_name;

/// Draws the address, the access, the steps and the limits.
pub(super) fn address(shown: &Shown<'_>, editor: &Editor) -> Html {
    let draft = &editor.edited.form.draft;
    let field = |spot, kind, label, help| text(shown, editor, spot, Control::Input(kind), label, help);
    let access = |access: LinkSiteAccess| {
        html! {
            <label class="choice"><input type="radio" name="access" checked={draft.access == access}
                onchange={on::<yew::Event>(shown, SiteInput::AccessChosen(access))} />
                { shown.text(access_name(access)) }</label>
        }
    };
    html! {
        <section class="panel" aria-labelledby="settings-title">
            <h2 id="settings-title">{ shown.text(SiteText::Settings) }</h2>
            <div class="fields">
                { field(Spot::Name, "text", SiteText::Name, Some(SiteText::NameHelp)) }
                { field(Spot::Slug, "text", SiteText::Slug, Some(SiteText::SlugHelp)) }
                { field(Spot::Host, "text", SiteText::Host, None) }
                { template(shown, editor) }
                { steps(shown, editor) }
                { field(Spot::ClosesAt, "datetime-local", SiteText::ClosesAt, None) }
                { field(Spot::Submissions, "text", SiteText::Limit, Some(SiteText::LimitHelp)) }
                { text(shown, editor, Spot::EmbedOrigins, Control::Area, SiteText::EmbedOrigins,
                    Some(SiteText::EmbedOriginsHelp)) }
            </div>
            <fieldset>
                <legend>{ shown.text(SiteText::Access) }</legend>
                { access(LinkSiteAccess::Open) }
                { access(LinkSiteAccess::ProvenEmail) }
                { access(LinkSiteAccess::Invitation) }
            </fieldset>
        </section>
    }
}

fn template(shown: &Shown<'_>, editor: &Editor) -> Html {
    let chosen = &editor.edited.form.draft.template;
    let mut choices = Vec::new();
    if let Loaded::Ready(templates) = &shown.state.sites.templates {
        for it in templates {
            let id = it.id.to_string();
            choices.push((id.clone(), format!("{} ({})", it.name, it.company_name), id == *chosen));
        }
    }
    if choices.iter().all(|(_, _, is_chosen)| !is_chosen) {
        // A deleted template, or the list is on its way.
        choices.insert(0, (chosen.clone(), chosen.clone(), true));
    }
    let texts = (shown.text(SiteText::Template), Some(SiteText::TemplateHelp));
    select(shown, editor, &Spot::Template.path(), texts, choices, |id| SiteInput::Typed(Spot::Template, id))
}

fn steps(shown: &Shown<'_>, editor: &Editor) -> Html {
    let name = |steps: Steps| match steps {
        Steps::FormThenWidget => SiteText::FormThenWidget,
        Steps::WidgetThenForm => SiteText::WidgetThenForm,
        Steps::Form => SiteText::OnlyForm,
        Steps::Widget => SiteText::OnlyWidget,
    };
    let choices = Steps::ALL.iter().zip(0..).map(|(steps, place): (_, usize)| {
        (place.to_string(), shown.text(name(*steps)).to_owned(), *steps == editor.edited.form.draft.steps)
    });
    let chosen = |place: String| {
        let place = place.parse().unwrap_or_default();
        SiteInput::StepsChosen(Steps::ALL.get::<usize>(place).copied().unwrap_or_default())
    };
    select(shown, editor, "steps", (shown.text(SiteText::Steps), None), choices.collect(), chosen)
}

/// Draws the texts of the first and the last page.
pub(super) fn pages(shown: &Shown<'_>, editor: &Editor) -> Html {
    let field = |spot, control, label, help| text(shown, editor, spot, control, label, help);
    let input = Control::Input("text");
    html! {
        <section class="panel" aria-labelledby="pages-title">
            <h2 id="pages-title">{ shown.text(SiteText::Pages) }</h2>
            <div class="fields">
                { field(Spot::StartTitle, input, SiteText::StartTitle, None) }
                { field(Spot::StartText, Control::Area, SiteText::StartText, None) }
                { field(Spot::EndTitle, input, SiteText::EndTitle, None) }
                { field(Spot::EndText, Control::Area, SiteText::EndText, None) }
                { field(Spot::Redirect, Control::Input("url"), SiteText::Redirect, Some(SiteText::RedirectHelp)) }
                { field(Spot::Locale, input, SiteText::Locale, Some(SiteText::LocaleHelp)) }
            </div>
        </section>
    }
}
