//! `/console/api/{environment}/funnel`: how many openings of the widget reached each step.

use axum::Json;
use axum::extract::State;
use link_domain::linking::funnel::{funnel_day, report};
use link_store::{FunnelFilter, StoreError};
use link_types::Date;
use link_types::console::funnel::{FunnelReport, MAX_DAYS};
use link_types::id::{LinkTemplateId, ProviderId};

use super::caller::ConsoleCaller;
use crate::app::App;
use crate::http::extract::query::{FromQuery, Query, QueryFields};
use crate::http::problem::ApiResult;

/// The number of days of a report if the query does not name both ends.
const DEFAULT_DAYS: i64 = 30;

/// The openings of a report.
pub(super) struct FunnelQuery {
    from: Option<Date>,
    to: Option<Date>,
    template: Option<LinkTemplateId>,
    provider: Option<ProviderId>,
}

impl FromQuery for FunnelQuery {
    fn take(query: &mut QueryFields) -> Self {
        let abouts = ["First day, UTC.", "Last day, UTC, inclusive."];
        let (from, to) = query.span(["from", "to"], abouts, "a date, like 2026-11-20");
        if from.zip(to).is_some_and(|(from, to): (Date, Date)| to.days_since(from) >= i64::from(MAX_DAYS)) {
            query.refuse_range("to", "at most 92 days from `from` on");
        }
        Self {
            from,
            to,
            template: query.take_optional("templateId", "Only of this link template", "a link template's id"),
            provider: query.take_optional("providerId", "Only at this provider", "a provider's id"),
        }
    }
}

/// Returns the counts of a span of days, the last 30 if the query names none.
pub(super) async fn show(
    State(app): State<App>,
    caller: ConsoleCaller,
    Query(query): Query<FunnelQuery>,
) -> ApiResult<Json<FunnelReport>> {
    let owner = caller.owner();
    let today = funnel_day(app.wall());
    let (from, to) = match (query.from, query.to) {
        (Some(from), to) => (from, to.unwrap_or_else(|| from.plus_days(DEFAULT_DAYS - 1))),
        (None, to) => {
            let to = to.unwrap_or(today);
            (to.plus_days(1 - DEFAULT_DAYS), to)
        }
    };
    let (found, templates) = app
        .store
        .read(move |reader| -> Result<_, StoreError> {
            let (template, provider) = (query.template.as_ref(), query.provider.as_ref());
            let found = reader.funnel().counts(&owner, FunnelFilter { from, to, template, provider })?;
            let mut templates = Vec::new();
            for id in reader.funnel().templates(&owner, (from, to))? {
                let template = reader.link_templates().get(&owner, &id)?;
                templates.push((id, template.map(|it| it.template.name)));
            }
            Ok((found, templates))
        })
        .await?;
    Ok(Json(report(from, to, found, templates)))
}
