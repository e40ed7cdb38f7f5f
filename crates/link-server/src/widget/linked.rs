//! `GET /link/linked`: returns what the person has linked and uploaded.

use axum::Json;
use axum::extract::State;
use link_domain::documents::archive::ArchiveState;
use link_domain::linking::terms::Terms;
use link_store::{AccountFilter, ArchiveFilter, PageRequest, PageSize, Reader};
use link_types::uploading::{ArchiveProgress, Linked, LinkedAccount};

use crate::app::App;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::extract::session_caller::{ComputerCaller, SessionCaller};
use crate::http::problem::ApiResult;
use crate::openapi::{parse_example, refusals};
use crate::widget::sessions::find_shown_terms;

/// Retrieves the connected accounts and submitted archives of the session's user, newest first.
///
/// The accounts screen of the widget shows them. Accounts and archives of other link templates are included.
#[utoipa::path(
    get, path = "/link/linked", tag = "link", operation_id = "getLinked",
    responses((status = 200, description = "The accounts and archives", body = Linked, example = json!(parse_example(include_str!("linked.json")))), refusals::Act),
    security(("session" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: ComputerCaller,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<Linked>> {
    let linked = app
        .store
        .clone()
        .read(move |reader| -> ApiResult<_> {
            let archives = archives(reader, &caller)?;
            Ok(Linked { accounts: accounts(reader, &app, &caller)?, archives })
        })
        .await?;
    Ok(Json(linked))
}

fn accounts(reader: &mut Reader<'_>, app: &App, caller: &SessionCaller) -> ApiResult<Vec<LinkedAccount>> {
    let filter = AccountFilter { user: Some(&caller.session().user_id), ..AccountFilter::default() };
    let providers = app.ports.source(caller.owner().mode).providers();
    let (link, consent) = find_shown_terms(reader, caller.session())?;
    let terms = Terms { link: &link, consent: &consent };
    let mut page = PageRequest::first(PageSize::new(PageSize::MAX.into())?);
    let mut linked = Vec::new();
    loop {
        let found = reader.accounts().list(caller.owner(), filter, &page)?;
        linked.extend(found.items.iter().filter_map(|account| {
            let provider = providers.iter().find(|it| it.id == account.provider_id);
            account.to_linked_account(
                provider.map(|it| caller.translate_provider(it)).as_ref(),
                &terms,
                caller.now().tenant(),
            )
        }));
        match found.next_cursor {
            Some(cursor) => page.cursor = Some(cursor),
            None => return Ok(linked),
        }
    }
}

/// Returns the user's archives that are not revoked.
fn archives(reader: &mut Reader<'_>, caller: &SessionCaller) -> ApiResult<Vec<ArchiveProgress>> {
    let filter = ArchiveFilter { user: Some(&caller.session().user_id), ..ArchiveFilter::default() };
    let mut page = PageRequest::first(PageSize::new(PageSize::MAX.into())?);
    let mut linked = Vec::new();
    loop {
        let found = reader.archives().list(caller.owner(), filter, &page)?;
        let live = found.items.iter().filter(|it| !matches!(it.state, ArchiveState::Revoked { .. }));
        linked.extend(live.map(|archive| archive.progress(caller.now().tenant())));
        match found.next_cursor {
            Some(cursor) => page.cursor = Some(cursor),
            None => return Ok(linked),
        }
    }
}
