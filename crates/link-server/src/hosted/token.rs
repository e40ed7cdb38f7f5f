//! `/visit/token`: the link token with which the page's script opens the widget.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use link_domain::tenancy::quota::Quota;
use link_domain::use_cases::{HostedPage, HostedTokenError, issue_hosted_token};
use link_store::Tx;
use link_types::link_site::LinkSiteStep;
use link_types::problem::ProblemCode;
use serde::Serialize;

use super::visitor::Visitor;
use crate::app::App;
use crate::http::limits::network::Network;
use crate::http::problem::{ApiResult, Problem};

/// The maximum number of unused tokens of an invitation, or of a link site's visit. Each open page needs one.
const MAX_UNUSED: usize = 5;

/// The response to the page's script, which passes the token to the widget.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PageToken {
    user_token: String,
}

pub(super) async fn create_token(
    State(app): State<App>,
    network: Network,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let visitor = Visitor::find_limited(&app, &headers, network).await?.ok_or_else(token_over)?;
    let context = app.context(app.offset_of(&visitor.visit.owner).await?);
    let steps = visitor.steps();
    let place = |step| steps.iter().position(|it| *it == step);
    let widget = place(LinkSiteStep::Widget).ok_or(HostedTokenError::FormMissing)?;
    let requires_form = place(LinkSiteStep::Form).is_some_and(|form| form < widget);
    let (visit, life) = (visitor.visit, app.settings.token_life());
    let token = app
        .store
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            if !Visitor::still_exists(tx, &visit)? {
                return Err(token_over());
            }
            let is_submitted = |tx: &mut Tx<'_>| -> ApiResult<bool> {
                let form = tx.forms().of_visit(&visit.owner, &visit.id)?;
                Ok(form.is_some_and(|it| it.is_submitted()))
            };
            let page = HostedPage {
                visit: &visit,
                awaits_form: requires_form && !is_submitted(tx)?,
                used: tx.quota_uses().get(&visit.owner, &visit.user_id, Quota::HostedTokens, "")?,
            };
            let (token, change) = issue_hosted_token(page, life, &mut context)?;
            match visit.invite_id() {
                Some(id) => tx.invites().delete_unused_tokens(id, MAX_UNUSED - 1)?,
                None => {
                    let now = context.now().tenant();
                    tx.link_tokens().delete_unused_of_user(
                        &visit.owner,
                        &visit.user_id,
                        now,
                        MAX_UNUSED - 1,
                    )?
                }
            };
            tx.apply(&change, context.now())?;
            Ok(token)
        })
        .await?;
    let no_store = [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    Ok((StatusCode::CREATED, no_store, Json(PageToken { user_token: token.access_token })).into_response())
}

impl From<HostedTokenError> for Problem {
    fn from(refused: HostedTokenError) -> Self {
        match refused {
            HostedTokenError::AddressUnproven => unproven_address(),
            HostedTokenError::FormMissing => Self::conflict("The form has not been submitted yet."),
            HostedTokenError::Quota(exceeded) => exceeded.into(),
        }
    }
}

/// Returns the response to a script whose visit awaits the proof of an address.
pub(super) fn unproven_address() -> Problem {
    Problem::conflict("The email address has not been proven yet.")
}

/// Returns the response to a script whose visit has ended.
pub(super) fn token_over() -> Problem {
    Problem::new(ProblemCode::TokenExpired, "The visit has ended. Open the link in the invitation again.")
}
