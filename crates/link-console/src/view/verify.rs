//! The check of a signature.

use yew::prelude::*;

use super::parts::{field, value_of_input};
use super::shown::Shown;
use crate::core::developer::verify::Verdict;
use crate::core::{Event, Input, Text};

/// Draws the panel.
pub(super) fn panel(shown: &Shown<'_>) -> Html {
    let it = &shown.state.developer.verify;
    let onsubmit = shown.emit.reform(|event: SubmitEvent| {
        event.prevent_default();
        Event::Developer(Input::CheckWanted)
    });
    html! {
        <form class="panel" {onsubmit} novalidate=true aria-labelledby="verify-title">
            <h2 id="verify-title">{ shown.text(Text::VerifyTitle) }</h2>
            <p class="soft">{ shown.text(Text::VerifyText) }</p>
            <div class="fields">
                { field(shown, ("verify-secret", "password", Text::Secret), &it.secret, None, None,
                    |text| Event::Developer(Input::SecretTyped(text))) }
                { field(shown, ("verify-signature", "text", Text::SignatureHeader), &it.signature, None, None,
                    |text| Event::Developer(Input::SignatureTyped(text))) }
            </div>
            <div class="field broad">
                <label for="verify-body">{ shown.text(Text::ReceivedBody) }</label>
                <textarea id="verify-body" rows="4" spellcheck="false" value={it.body.clone()}
                    oninput={shown.emit.reform(|event: InputEvent| Event::Developer(Input::BodyTyped(value_of_input(&event))))} />
            </div>
            <div class="actions"><button type="submit" class="second">{ shown.text(Text::Verify) }</button></div>
            <div role="status">
                if let Some(verdict) = it.verdict { { message(shown, verdict) } }
            </div>
        </form>
    }
}

fn message(shown: &Shown<'_>, verdict: Verdict) -> Html {
    let class = if verdict == Verdict::Valid { "notice good" } else { "notice bad" };
    let text = match verdict {
        Verdict::Valid => Text::SignatureValid,
        Verdict::OtherHeader => Text::SignatureOtherHeader,
        Verdict::Malformed => Text::SignatureMalformed,
        Verdict::Uppercase => Text::SignatureUppercase,
        Verdict::Trimmed => Text::SignatureTrimmed,
        Verdict::LineBreak => Text::SignatureLineBreak,
        Verdict::Different => Text::SignatureDifferent,
        Verdict::NotComputed => Text::SignatureNotComputed,
    };
    html! { <p {class}>{ shown.text(text) }</p> }
}
