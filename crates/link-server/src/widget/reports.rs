//! Reports of the widget: UI events, the choices of a person so far, and surveys.

use axum::extract::State;
use axum::http::StatusCode;
use link_domain::change::{Change, Row};
use link_domain::linking::funnel::OpeningView;
use link_domain::linking::link::{TakenOverError, UiEventUses, UiEvents, Work};
use link_domain::tenancy::quota::{Quota, QuotaExceededError};
use link_domain::use_cases::answer_survey;
use link_store::{StoreError, Tx};
use link_types::problem::FaultCode;
use link_types::provider::Provider;
use link_types::uploading::{EmployerSurvey, ResumePoint, TrapReport, UiEventBatch};

use crate::app::App;
use crate::http::extract::body::Body;
use crate::http::extract::session_caller::{ComputerCaller, SessionCaller};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;

/// Records UI events of the widget.
///
/// An event that is already known, by its opening and number, is ignored. Returns 429 if the session's or the user's
/// quota of events is used up. The widget then drops the events. The steps that the events show are counted in the funnel.
#[utoipa::path(
    post, path = "/link/events", tag = "link", operation_id = "tellUiEvents",
    request_body(content = UiEventBatch, example = json!({
        "opening": "0192f0c1-a2b3-7c4d",
        "events": [{"seq": 0, "eventName": "ConsentPageOpened", "afterMs": 120}],
    })),
    responses((status = 204, description = "The events are recorded"), refusals::Write),
    security(("session" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: SessionCaller,
    Body(batch): Body<UiEventBatch>,
) -> ApiResult<StatusCode> {
    let (session, now) = (caller.session().clone(), caller.now());
    let reported = UiEvents {
        owner: session.owner,
        user_id: session.user_id,
        template_id: session.template_id,
        attempt_id: session.attempt_id,
        visit_id: session.visit.map(|it| it.id),
        opening: batch.opening,
        events: batch.events,
        trap: batch.trap,
        counted: None,
        received_at: now.wall(),
    };
    if reported.is_empty() {
        return Ok(StatusCode::NO_CONTENT);
    }
    let providers = app.ports.source(reported.owner.mode).providers();
    let is_phone = caller.handoff().is_some();
    // A phone has a separate quota, for the same reason as a separate rate.
    let device = if is_phone { "/phone" } else { "" };
    let counted = format!("{}{device}", session.id);
    let trap = caller
        .report(move |tx| -> ApiResult<Result<Option<TrapReport>, QuotaExceededError>> {
            let (owner, user) = (&reported.owner, &reported.user_id);
            let uses = UiEventUses {
                session: tx.quota_uses().get(owner, user, Quota::UiEventsOfSession, &counted)?,
                user: tx.quota_uses().get(owner, user, Quota::UiEventsOfUser, "")?,
                traps: tx.quota_uses().get(owner, user, Quota::Traps, "")?,
            };
            // Does not return an error: rolling the unit back would make the other units of its group run again.
            let view = view(tx, &reported, &providers, is_phone)?;
            let (admitted, change) = match reported.clone().admit(uses, view) {
                Ok(admitted) => admitted,
                Err(exceeded) => return Ok(Err(exceeded)),
            };
            tx.apply(&change, now)?;
            Ok(Ok(admitted.trap))
        })
        .await??;
    if let Some(trap) = trap {
        tracing::warn!(build = trap.build, offsets = ?trap.offsets, "The widget's wasm trapped");
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Reads what the funnel counts an opening by. Locks nothing: other units lock attempts and accounts before the session.
fn view(
    tx: &mut Tx<'_>,
    reported: &UiEvents,
    providers: &[Provider],
    is_phone: bool,
) -> Result<OpeningView, StoreError> {
    let UiEvents { owner, user_id, opening, .. } = reported;
    let counted = tx.ui_events().find_counted(owner, user_id, opening)?;
    if is_phone {
        return Ok(OpeningView::of_phone(counted));
    }
    let attempt = tx.link_attempts().get_unlocked(&reported.attempt_id)?;
    let mut accounts = Vec::new();
    for id in reported.accounts() {
        match tx.accounts().get_unlocked(owner, id) {
            Ok(account) => accounts.extend(account.filter(|it| it.user_id == *user_id)),
            Err(StoreError::Erased) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(OpeningView::new(counted, attempt.and_then(|it| it.place.provider_id), &accounts, providers))
}

/// Saves the person's choices so far.
///
/// The session returns them as `attempt.place`.
#[utoipa::path(
    put, path = "/link/attempt", tag = "link", operation_id = "putAttempt",
    request_body(content = ResumePoint, example = json!({"providerId": "mx_social_security", "loginOption": "username"})),
    responses((status = 204, description = "The choices are saved"), refusals::Write),
    security(("session" = []))
)]
pub(super) async fn save_attempt(
    caller: ComputerCaller,
    Body(place): Body<ResumePoint>,
) -> ApiResult<StatusCode> {
    let (session, now) = (caller.session().clone(), caller.now());
    caller
        .write(move |tx| -> ApiResult<_> {
            let attempt = tx.link_attempts().get(&session.attempt_id)?.ok_or_else(Problem::missing)?;
            let taken_over =
                |TakenOverError| Problem::conflict("Another session has taken over this attempt.");
            let account = match &attempt.account_id {
                Some(id) => tx.accounts().get(&attempt.owner, id)?,
                None => None,
            };
            let work = Work::for_attempt(account.as_ref(), &[]);
            let attempt = attempt.at(place.clone(), &session, work).map_err(taken_over)?;
            Ok(tx.apply(&Change::row(Row::Attempt(attempt)), now)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Records an employer or provider that the person could not find.
///
/// Returns 429 if the user's quota of answers is used up.
#[utoipa::path(
    post, path = "/link/survey", tag = "link", operation_id = "answerSurvey",
    request_body(content = EmployerSurvey, example = json!({"employer": "Agrícola Ficticia SPR", "searched": "agricola"})),
    responses((status = 204, description = "The answer is recorded"), refusals::Write),
    security(("session" = []))
)]
pub(super) async fn record_survey(
    caller: ComputerCaller,
    Body(answer): Body<EmployerSurvey>,
) -> ApiResult<StatusCode> {
    if answer.employer.trim().is_empty() {
        return Err(Problem::invalid_field("employer", FaultCode::Missing, "required"));
    }
    let (session, context) = (caller.session().clone(), caller.context());
    caller
        .write(move |tx| -> ApiResult<_> {
            let used = tx.quota_uses().get(&session.owner, &session.user_id, Quota::Surveys, "")?;
            let change = answer_survey(&session, answer.clone(), used, &mut context.clone())?;
            Ok(tx.apply(&change, context.now())?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
