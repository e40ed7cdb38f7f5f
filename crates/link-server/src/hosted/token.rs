//! `POST /visit/token`: creates a link token that is valid only for the widget on the hosted page.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use link_domain::tenancy::quota::Quota;
use link_domain::use_cases::{HostedPage, HostedTokenError, issue_hosted_token};
use link_types::problem::ProblemCode;
use serde::Serialize;

use super::visitor::Visitor;
use crate::app::App;
use crate::http::extract::client::Network;
use crate::http::problem::{ApiResult, Problem};

/// The maximum number of unused tokens of an invitation. Each open page needs one.
const UNUSED: usize = 5;

/// The response to the page's script, which passes the token to the widget.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PageToken {
    user_token: String,
}

pub(super) async fn handler(
    State(app): State<App>,
    network: Network,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let visitor = Visitor::of(&app, &headers, network).await?;
    let Visitor { visit, invited } = visitor.ok_or_else(over)?;
    let context = app.context(app.offset_of(&visit.owner).await?);
    let user_id = invited.invite.user_id.clone();
    let requires_form = invited.link_template.is_some_and(|it| it.template.form.is_some());
    let life = app.token_life();
    let token = app
        .store()
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            if !Visitor::still_exists(tx, &visit, &user_id)? {
                return Err(over());
            }
            let page = HostedPage {
                visit: &visit,
                user_id: user_id.clone(),
                awaits_form: requires_form && !tx.forms().exists_for_visit(&visit.owner, &visit.id)?,
                used: tx.quota_uses().get(&visit.owner, &user_id, Quota::HostedTokens, "")?,
            };
            let (token, change) = issue_hosted_token(page, life, &mut context)?;
            tx.invites().delete_unused_tokens(&visit.invite_id, UNUSED - 1)?;
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
            HostedTokenError::FormMissing => Self::conflict("The form has not been submitted yet."),
            HostedTokenError::Quota(exceeded) => exceeded.into(),
        }
    }
}

fn over() -> Problem {
    Problem::new(ProblemCode::TokenExpired, "The visit has ended. Open the link in the invitation again.")
}
