//! How many openings of the widget reached each step, by day.

use link_domain::kernel::owner::Owner;
use link_domain::linking::funnel::{Counted, CountedError, FoundCounts, FunnelCount};
use link_types::console::funnel::MAX_LINES;
use link_types::id::{LinkTemplateId, ProviderId};
use link_types::{Date, LinkErrorCode};

use crate::reader::{ReadSession, parse};
use crate::sql::{Row, columns, params, statements};
use crate::tables::resource::resource;
use crate::tables::small;
use crate::{StoreError, Tx};

const TABLE: &str = "funnel_days";

columns! {
    /// The openings of a day that reached a step.
    day_columns => struct DayColumns { day, step, openings = "CAST(SUM(openings) AS BIGINT)" }
}
const DAY: DayColumns = DayColumns::after(0);
columns! {
    /// The openings of a provider that reached a step.
    provider_columns => struct ProviderColumns { provider_id, step, openings = "CAST(SUM(openings) AS BIGINT)" }
}
const PROVIDER: ProviderColumns = ProviderColumns::after(0);
columns! {
    /// The openings in which an error was seen.
    error_columns => struct ErrorColumns { provider_id, error, openings = "CAST(SUM(openings) AS BIGINT)" }
}
const ERROR: ErrorColumns = ErrorColumns::after(0);

/// The rows of a span and template; an empty `?5` is every template.
macro_rules! of_span {
    () => {
        " FROM funnel_days WHERE tenant_id = ?1 AND mode = ?2 AND day >= ?3 AND day <= ?4 \
         AND (?5 = '' OR template_id = ?5) "
    };
}

statements! {
    COUNT = "INSERT INTO funnel_days (tenant_id, mode, day, template_id, provider_id, step, error, openings) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 1) \
             ON CONFLICT (tenant_id, mode, day, template_id, provider_id, step, error) \
             DO UPDATE SET openings = funnel_days.openings + 1";
    DAYS = concat!("SELECT ", day_columns!(""), of_span!(), "AND provider_id = ?6 AND error = '' \
           GROUP BY day, step ORDER BY day, step");
    PROVIDERS = concat!("SELECT ", provider_columns!(""), of_span!(), "AND error = '' AND provider_id IN \
                (SELECT provider_id", of_span!(), "AND provider_id <> '' AND step = 'PROVIDER_CHOSEN' AND error = '' \
                GROUP BY provider_id ORDER BY SUM(openings) DESC, provider_id LIMIT ?6) \
                GROUP BY provider_id, step ORDER BY provider_id, step");
    ERRORS = concat!("SELECT ", error_columns!(""), of_span!(), "AND error <> '' \
             AND (?6 = '' OR provider_id = ?6) GROUP BY provider_id, error \
             ORDER BY SUM(openings) DESC, provider_id, error LIMIT ?7");
    TEMPLATES = "SELECT template_id FROM funnel_days WHERE tenant_id = ?1 AND mode = ?2 AND day >= ?3 \
                 AND day <= ?4 AND step = 'OPENED' AND error = '' GROUP BY template_id \
                 ORDER BY SUM(openings) DESC, template_id LIMIT ?5";
    DELETE_OLD = "DELETE FROM funnel_days WHERE day < ?1";
}

resource! {
    /// Counts of openings by day, template, provider, step and error.
    Funnel, funnel
}

/// The openings of a report.
#[derive(Clone, Copy, Debug)]
pub struct FunnelFilter<'a> {
    /// First day, UTC.
    pub from: Date,
    /// Last day, UTC.
    pub to: Date,
    /// Only openings of this link template.
    pub template: Option<&'a LinkTemplateId>,
    /// Only steps at this provider.
    pub provider: Option<&'a ProviderId>,
}

fn read_count<T: std::str::FromStr>(
    row: &Row<'_>,
    [of, step, openings]: [usize; 3],
) -> Result<Counted<T>, StoreError> {
    let (of, step) = (parse(TABLE, row.str(of)?)?, parse(TABLE, row.str(step)?)?);
    Ok(Counted { of, step, openings: small(TABLE, row.int(openings)?)? })
}

impl<'c, S: ReadSession<'c>> Funnel<'_, S> {
    /// Returns the counts of a report: the days of all providers or of one, the providers, and the most frequent errors.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn counts(&mut self, owner: &Owner, filter: FunnelFilter<'_>) -> Result<FoundCounts, StoreError> {
        let (tenant, mode) = (owner.tenant.as_str(), owner.mode.as_str());
        let (from, to, most) = (filter.from.to_string(), filter.to.to_string(), MAX_LINES as i64);
        let template = filter.template.map(LinkTemplateId::as_str).unwrap_or_default();
        let provider = filter.provider.map(ProviderId::as_str).unwrap_or_default();
        let days =
            self.session().query(&DAYS, params![tenant, mode, &from, &to, template, provider], |row| {
                read_count(row, [DAY.day, DAY.step, DAY.openings])
            })?;
        let providers =
            self.session().query(&PROVIDERS, params![tenant, mode, &from, &to, template, most], |row| {
                read_count(row, [PROVIDER.provider_id, PROVIDER.step, PROVIDER.openings])
            })?;
        let errors = self.session().query(
            &ERRORS,
            params![tenant, mode, &from, &to, template, provider, most],
            |row| {
                Ok(CountedError {
                    provider: parse(TABLE, row.str(ERROR.provider_id)?)?,
                    code: parse(TABLE, row.str(ERROR.error)?)?,
                    shown: small(TABLE, row.int(ERROR.openings)?)?,
                })
            },
        )?;
        Ok(FoundCounts { days, providers, errors })
    }

    /// Returns the link templates with the most openings from one day to another, at most [`MAX_LINES`].
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn templates(
        &mut self,
        owner: &Owner,
        (from, to): (Date, Date),
    ) -> Result<Vec<LinkTemplateId>, StoreError> {
        let (from, to, most) = (from.to_string(), to.to_string(), MAX_LINES as i64);
        let span = params![owner.tenant.as_str(), owner.mode.as_str(), &from, &to, most];
        self.session().query(&TEMPLATES, span, |row| parse(TABLE, row.str(0)?))
    }
}

impl Funnel<'_, Tx<'_>> {
    /// Deletes the counts of days before one. Returns how many.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_before(&mut self, day: Date) -> Result<u64, StoreError> {
        self.session().execute(&DELETE_OLD, params![&day.to_string()])
    }

    pub(crate) fn count(&mut self, counted: &FunnelCount) -> Result<(), StoreError> {
        let FunnelCount { owner, day, template_id, key } = counted;
        self.session().execute_later(
            &COUNT,
            params![
                owner.tenant.as_str(),
                owner.mode.as_str(),
                &day.to_string(),
                template_id.as_str(),
                key.provider.as_ref().map_or("", ProviderId::as_str),
                key.step.as_str(),
                key.error.map_or("", LinkErrorCode::as_str),
            ],
        )
    }
}
