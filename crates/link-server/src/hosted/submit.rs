//! `POST /visit/form`: submits the form, once for each visit.

use std::collections::BTreeMap;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use link_domain::invitations::form_submission::{AnswerFault, FormSubmission, site_of};

use super::browser::Browser;
use super::questions;
use super::visitor::{Visitor, over};
use crate::app::App;
use crate::http::extract::body::BODY_LIMIT;
use crate::http::extract::client::Network;
use crate::http::limits::body::{BodyTimeouts, read};
use crate::http::problem::ApiResult;

/// Redirects to the form, so that reloading the URL of a rejected submission works.
pub(super) async fn back() -> Redirect {
    Redirect::to("/visit")
}

pub(super) async fn handler(
    State(app): State<App>,
    network: Network,
    browser: Browser,
    headers: HeaderMap,
    body: Body,
) -> ApiResult<Response> {
    let Some(Visitor { visit, invited }) = Visitor::of(&app, &headers, network).await? else {
        return Ok(over(&app, &browser));
    };
    let link_template = invited.link_template.as_ref().map(|it| &it.template);
    let Some((form, site)) = link_template.and_then(|it| Some((it.form.clone()?, site_of(&it.id)))) else {
        return Ok(Redirect::to("/visit").into_response());
    };
    // Reads the body only now, so that requests without a visit or without a form cannot occupy the service.
    let body = read(body, BODY_LIMIT, BodyTimeouts::default()).await?;
    let answers: BTreeMap<String, String> = form_urlencoded::parse(&body).into_owned().collect();
    let context = app.context(app.offset_of(&visit.owner).await?);
    let user_id = invited.invite.user_id.clone();
    let (submitted_form, submitted_answers) = (form.clone(), answers.clone());
    let submitted = app
        .store()
        .write(move |tx| -> ApiResult<Option<Result<(), Vec<AnswerFault>>>> {
            let mut context = context.clone();
            // Locks the visit, so that the second of two concurrent submissions finds the first.
            if !Visitor::still_exists(tx, &visit, &user_id)? {
                return Ok(None);
            }
            if tx.forms().exists_for_visit(&visit.owner, &visit.id)? {
                return Ok(Some(Ok(())));
            }
            let submitted = FormSubmission::submit(
                &submitted_form,
                site.clone(),
                &visit,
                user_id.clone(),
                &submitted_answers,
                &mut context,
            );
            Ok(Some(match submitted {
                Ok((_, change)) => Ok(tx.apply(&change, context.now())?),
                Err(faults) => Err(faults),
            }))
        })
        .await?;
    match submitted {
        None => Ok(over(&app, &browser)),
        Some(Ok(())) => Ok(Redirect::to("/visit").into_response()),
        Some(Err(faults)) => {
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            Ok(questions::page(&app, &invited, &form, status, &answers, &faults))
        }
    }
}
