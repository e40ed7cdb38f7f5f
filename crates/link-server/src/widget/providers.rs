//! The providers that a session's link template offers.

use axum::Json;
use axum::extract::State;
use link_types::id::ProviderId;
use link_types::list::Page;
use link_types::provider::{Provider, ProviderSummary};

use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::extract::session_caller::SessionCaller;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::{parse_example, refusals};

/// Returns the routes of providers.
pub(super) fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(list => read)).routes(routes!(get => read))
}

/// Lists the providers that the person can link. The list has one page.
///
/// The link template limits the providers and orders the first ones. Names are in the language of the request.
#[utoipa::path(
    get, path = "/link/providers", tag = "link", operation_id = "listLinkProviders",
    responses((status = 200, description = "The providers", body = Page<ProviderSummary>, example = json!(parse_example(include_str!("providers/list.json")))), refusals::Read),
    security(("session" = []))
)]
async fn list(
    State(app): State<App>,
    caller: SessionCaller,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<Page<ProviderSummary>>> {
    let (owner, template) = (caller.owner().clone(), caller.session().template_id.clone());
    let template = app
        .store
        .read(move |reader| -> ApiResult<_> {
            reader.link_templates().get(&owner, &template)?.ok_or_else(Problem::missing)
        })
        .await?;
    let providers = app.ports.source(caller.owner().mode).providers();
    let offered = providers.iter().filter(|it| it.enabled && template.offers(&it.id));
    let items = offered.map(|it| summary(it, caller.translate_provider(it))).collect();
    Ok(Json(Page { items, next_cursor: None }))
}

/// Returns a provider as the list shows it. It can be found by its names in both languages.
pub(crate) fn summary(provider: &Provider, shown: Provider) -> ProviderSummary {
    let names = [&shown.name, &shown.long_name, &provider.name, &provider.long_name];
    let mut words: Vec<&str> = Vec::new();
    for name in names {
        if !words.contains(&name.as_str()) {
            words.push(name);
        }
    }
    ProviderSummary {
        search_key: fold(&words.join(" ")),
        id: shown.id,
        name: shown.name,
        long_name: shown.long_name,
        logo_url: shown.logo_url,
        provider_type: shown.provider_type,
        country: shown.country,
        enabled: shown.enabled,
        login_required: shown.login_required,
    }
}

/// Retrieves a provider with its login forms.
///
/// Labels and help texts are in the language of the request. Returns 404 for a provider that the link template does not
/// offer.
#[utoipa::path(
    get, path = "/link/providers/{id}", tag = "link", operation_id = "getLinkProvider",
    params(("id" = ProviderId, Path, description = "The provider's id")),
    responses((status = 200, description = "The provider", body = Provider, example = json!(parse_example(include_str!("../api/providers/get.json")))), refusals::Read),
    security(("session" = []))
)]
async fn get(
    State(app): State<App>,
    caller: SessionCaller,
    PathId(id): PathId<ProviderId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<Provider>> {
    let (owner, template) = (caller.owner().clone(), caller.session().template_id.clone());
    let template = app
        .store
        .read(move |reader| -> ApiResult<_> {
            reader.link_templates().get(&owner, &template)?.ok_or_else(Problem::missing)
        })
        .await?;
    let providers = app.ports.source(caller.owner().mode).providers();
    let found = providers.iter().find(|it| it.id == id && it.enabled && template.offers(&it.id));
    found.map(|it| Json(caller.translate_provider(it))).ok_or_else(Problem::missing)
}

// Search keys of providers. The widget normalizes the typed text in the same way and compares it with them.

/// Normalizes a text: lower case, no accents, one space between words.
fn fold(text: &str) -> String {
    let folded: String = text.chars().filter_map(fold_letter).flat_map(char::to_lowercase).collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn fold_letter(letter: char) -> Option<char> {
    Some(match letter {
        'À'..='Å' | 'à'..='å' | 'Ā'..='ą' => 'a',
        'Ç' | 'ç' | 'Ć'..='č' => 'c',
        'È'..='Ë' | 'è'..='ë' | 'Ē'..='ě' => 'e',
        'Ì'..='Ï' | 'ì'..='ï' | 'Ĩ'..='ı' => 'i',
        'Ñ' | 'ñ' | 'Ń'..='ň' => 'n',
        'Ò'..='Ö' | 'ò'..='ö' | 'Ø' | 'ø' | 'Ō'..='ő' => 'o',
        'Ù'..='Ü' | 'ù'..='ü' | 'Ũ'..='ų' => 'u',
        'Ý' | 'ý' | 'ÿ' => 'y',
        '\u{300}'..='\u{36f}' => return None,
        '-' | '.' | ',' | '(' | ')' | '/' => ' ',
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_key_ignores_accents_case_and_punctuation() {
        assert_eq!(
            fold("IMSS — Instituto  Mexicáno (del) Seguro-Social"),
            "imss — instituto mexicano del seguro social"
        );
    }
}
