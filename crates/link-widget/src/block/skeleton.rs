//! Grey rows in the shape of what is being loaded.

use yew::prelude::*;

pub fn skeleton(rows: u8) -> Html {
    html! {
        <div class="rows" aria-hidden="true">
            { for (0..rows).map(|_| html! {
                <div class="row">
                    <span class="bone bone-mark" />
                    <span><span class="bone bone-name" /><span class="bone bone-short" /></span>
                </div>
            }) }
        </div>
    }
}
