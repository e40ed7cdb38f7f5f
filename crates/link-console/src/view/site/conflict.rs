//! The panel of a conflict: the changes of another member, and the choice between both.

use link_types::link_site::LinkSite;
use yew::prelude::*;

use super::controls::on;
use crate::core::SiteInput;
use crate::core::edited::{Conflict, Difference};
use crate::core::texts::sites::SiteText;
use crate::view::shown::Shown;

/// Draws the panel.
pub(super) fn panel(shown: &Shown<'_>, conflict: &Conflict<LinkSite>) -> Html {
    let row = |it: &Difference| {
        html! {
            <tr>
                <th scope="row"><code translate="no">{ it.path.clone() }</code></th>
                <td data-label={shown.text(SiteText::Theirs)} dir="auto">{ it.theirs.clone() }</td>
                <td data-label={shown.text(SiteText::Mine)} dir="auto">{ it.mine.clone() }</td>
            </tr>
        }
    };
    html! {
        <section id="conflict" class="panel danger" tabindex="-1" aria-labelledby="conflict-title">
            <h2 id="conflict-title">{ shown.text(SiteText::ConflictTitle) }</h2>
            if conflict.differences.is_empty() {
                <p>{ shown.text(SiteText::ConflictNone) }</p>
            } else {
                <p>{ shown.text(SiteText::ConflictText) }</p>
                <table>
                    <caption class="hidden">{ shown.text(SiteText::ConflictTitle) }</caption>
                    <thead><tr>
                        <th scope="col">{ shown.text(SiteText::Part) }</th>
                        <th scope="col">{ shown.text(SiteText::Theirs) }</th>
                        <th scope="col">{ shown.text(SiteText::Mine) }</th>
                    </tr></thead>
                    <tbody>{ for conflict.differences.iter().map(row) }</tbody>
                </table>
            }
            <div class="actions">
                <button type="button" class="second" onclick={on::<MouseEvent>(shown, SiteInput::TheirsTaken)}>
                    { shown.text(SiteText::TakeTheirs) }</button>
                <button type="button" class="destroy" onclick={on::<MouseEvent>(shown, SiteInput::MineKept)}>
                    { shown.text(SiteText::KeepMine) }</button>
            </div>
        </section>
    }
}
