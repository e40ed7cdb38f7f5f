//! `GET /accounts/{id}/payload`: everything known through an account.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::response::Response;
use link_domain::account::{Account, AccountState};
use link_domain::owner::Owner;
use link_store::{DataPointFilter, PageRequest, PageSize, Reader};
use link_types::data::DataPointKind;
use link_types::id::AccountId;

use crate::app::App;
use crate::http::caller::TenantCaller;
use crate::http::problem::{Answer, Problem};
use crate::http::query::{NoQuery, PathId, Query};
use crate::http::{list, refusals};

/// Everything known through one account, in the keys of the interface.
#[derive(utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(
    dead_code,
    reason = "only the document reads these fields: the bodies are passed on as they are stored"
)]
pub struct AccountPayload {
    metadata: link_types::account::Account,
    identity: Option<link_types::data::Identity>,
    rating: Option<link_types::data::Rating>,
    documents: Option<Vec<link_types::data::Document>>,
    incomes: Option<Vec<link_types::data::Income>>,
    transactions: Option<Vec<link_types::data::Transaction>>,
    employments: Option<Vec<link_types::data::Employment>>,
    contributions: Option<Vec<link_types::data::Contribution>>,
    liabilities: Option<Vec<link_types::data::Liability>>,
    eincomes: Option<Vec<link_types::data::EstimatedIncome>>,
    links: Option<Vec<link_types::data::Link>>,
    insight: Option<link_types::data::Insight>,
}

/// Everything known through an account.
#[utoipa::path(
    get, path = "/accounts/{id}/payload", tag = "accounts", operation_id = "getAccountPayload",
    params(("id" = AccountId, Path, description = "The account")),
    responses((status = 200, description = "The account's data points", body = AccountPayload), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<AccountId>,
    Query(NoQuery): Query<NoQuery>,
) -> Answer<Response> {
    let owner = caller.owner().clone();
    let (account, by_kind) = app
        .store()
        .read(move |reader| -> Answer<_> {
            let account = reader.account(&owner, &id)?.filter(has_data).ok_or_else(Problem::missing)?;
            let points = all_points(reader, &owner, id.as_str())?;
            Ok((account, points))
        })
        .await?;
    Ok(list::json_bytes(render(&account, by_kind)?))
}

/// The bodies of every kind, newest first, page after page.
fn all_points(
    reader: &mut Reader<'_>,
    owner: &Owner,
    source: &str,
) -> Answer<BTreeMap<DataPointKind, Vec<Vec<u8>>>> {
    let mut by_kind: BTreeMap<DataPointKind, Vec<Vec<u8>>> = BTreeMap::new();
    for kind in DataPointKind::ALL {
        let filter = DataPointFilter { source: Some(source), ..DataPointFilter::default() };
        let mut request = PageRequest::first(PageSize::new(PageSize::MAX.into())?);
        loop {
            let page = reader.data_points(owner, *kind, filter, &request)?;
            if !page.items.is_empty() {
                by_kind.entry(*kind).or_default().extend(page.items.into_iter().map(|it| it.body));
            }
            match page.next_cursor {
                Some(cursor) => request = PageRequest::after(request.size, cursor),
                None => break,
            }
        }
    }
    Ok(by_kind)
}

fn has_data(account: &Account) -> bool {
    !matches!(account.state, AccountState::Disconnected(_))
}

fn render(account: &Account, mut by_kind: BTreeMap<DataPointKind, Vec<Vec<u8>>>) -> Answer<Vec<u8>> {
    let mut body = b"{\"metadata\":".to_vec();
    body.extend(serde_json::to_vec(&account.view()).map_err(Problem::system)?);
    for kind in DataPointKind::ALL {
        let (key, single) = key_of(*kind);
        body.extend(format!(",\"{key}\":").bytes());
        match by_kind.remove(kind) {
            None => body.extend(b"null"),
            Some(bodies) if single => {
                body.extend(bodies.into_iter().next().unwrap_or_else(|| b"null".to_vec()))
            }
            Some(bodies) => body.extend(list::array(&bodies)),
        }
    }
    body.push(b'}');
    Ok(body)
}

/// The payload's key of a kind, and whether there is at most one.
const fn key_of(kind: DataPointKind) -> (&'static str, bool) {
    match kind {
        DataPointKind::Identities => ("identity", true),
        DataPointKind::Ratings => ("rating", true),
        DataPointKind::Insights => ("insight", true),
        DataPointKind::Documents => ("documents", false),
        DataPointKind::Employments => ("employments", false),
        DataPointKind::Incomes => ("incomes", false),
        DataPointKind::Transactions => ("transactions", false),
        DataPointKind::Contributions => ("contributions", false),
        DataPointKind::Liabilities => ("liabilities", false),
        DataPointKind::Eincomes => ("eincomes", false),
        DataPointKind::Links => ("links", false),
    }
}
