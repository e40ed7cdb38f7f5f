//! Reports of the widget about each opening: UI events, the last event of each opening, and wasm traps.

use link_domain::kernel::clock::Wall;
use link_domain::kernel::owner::Owner;
use link_domain::linking::funnel::CountedOpening;
use link_domain::linking::link;
use link_domain::use_cases::WidgetStep;
use link_types::Date;
use link_types::host::UiEventName;
use link_types::id::{LinkSiteSessionId, LinkTemplateId, UserId};
use link_types::uploading::TrapReport;

use crate::body::{decode, encode};
use crate::reader::{ReadSession, parse};
use crate::sql::{columns, params, statements};
use crate::tables::resource::resource;
use crate::tables::{count, small};
use crate::{StoreError, Tx};

const TABLE: &str = "ui_events";

columns! {
    /// A last event, and the number of openings that ended with it.
    exit_columns => struct ExitColumns { last_event, openings = "COUNT(*)" }
}
const EXIT: ExitColumns = ExitColumns::after(0);
columns! {
    /// A place where the widget trapped, and how often.
    trap_columns => struct TrapColumns { build, offsets, traps = "COUNT(*)" }
}
const TRAP: TrapColumns = TrapColumns::after(0);

columns! {
    /// A step of the widget.
    step_columns => struct StepColumns { event_name, account_id, archive_id, received_at }
}
const STEP: StepColumns = StepColumns::after(0);

statements! {
    STEPS = concat!("SELECT ", step_columns!(""), " FROM ui_events WHERE tenant_id = ?1 AND mode = ?2 \
            AND user_id = ?3 ORDER BY received_at DESC, opening, seq DESC LIMIT ?4");
    PUT_EVENT = "INSERT INTO ui_events (tenant_id, mode, user_id, opening, seq, event_name, after_ms, account_id, \
                 archive_id, received_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) \
                 ON CONFLICT (tenant_id, mode, user_id, opening, seq) DO NOTHING";
    PUT_OPENING = "INSERT INTO ui_openings (tenant_id, mode, user_id, opening, template_id, attempt_id, last_seq, \
                   last_event, received_at, visit_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) \
                   ON CONFLICT (tenant_id, mode, user_id, opening) DO UPDATE SET attempt_id = excluded.attempt_id, \
                   last_seq = excluded.last_seq, last_event = excluded.last_event, \
                   received_at = excluded.received_at WHERE ui_openings.last_seq < excluded.last_seq";
    COUNTED = "SELECT counted, last_seq FROM ui_openings WHERE tenant_id = ?1 AND mode = ?2 AND user_id = ?3 AND opening = ?4";
    PUT_COUNTED = "UPDATE ui_openings SET counted = ?5 WHERE tenant_id = ?1 AND mode = ?2 AND user_id = ?3 AND opening = ?4";
    PUT_TRAP = "INSERT INTO ui_traps (tenant_id, mode, user_id, opening, template_id, build, offsets, received_at) \
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) \
                ON CONFLICT (tenant_id, mode, user_id, opening, build, offsets) DO NOTHING";
    EXITS = concat!("SELECT ", exit_columns!(""), " FROM ui_openings WHERE template_id = ?1 \
            AND received_at >= ?2 GROUP BY last_event ORDER BY COUNT(*) DESC, last_event");
    TRAPS = concat!("SELECT ", trap_columns!(""), " FROM ui_traps WHERE template_id = ?1 AND received_at >= ?2 \
            GROUP BY build, offsets ORDER BY COUNT(*) DESC, build, offsets LIMIT 20");
    OF_VISIT = "SELECT e.event_name FROM ui_openings o JOIN ui_events e ON e.tenant_id = o.tenant_id \
                AND e.mode = o.mode AND e.user_id = o.user_id AND e.opening = o.opening \
                WHERE o.visit_id = ?1 ORDER BY o.received_at DESC, e.seq DESC LIMIT 200";
    DELETE_OLD_EVENTS = "DELETE FROM ui_events WHERE received_at < ?1";
    DELETE_OLD_OPENINGS = "DELETE FROM ui_openings WHERE received_at < ?1";
    DELETE_OLD_TRAPS = "DELETE FROM ui_traps WHERE received_at < ?1";
}

resource! {
    /// Reports of the widget about each opening.
    UiEvents, ui_events
}

impl<'c, S: ReadSession<'c>> UiEvents<'_, S> {
    /// Returns where users left a template's widget since a time: the last event of each opening, with the number of
    /// openings, most frequent first.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn exit_points(
        &mut self,
        template: &LinkTemplateId,
        since: Wall,
    ) -> Result<Vec<(UiEventName, u64)>, StoreError> {
        self.session().query(&EXITS, params![template.as_str(), since.micros()], |row| {
            Ok((parse(TABLE, row.str(EXIT.last_event)?)?, count(TABLE, row.int(EXIT.openings)?)?))
        })
    }

    /// Returns the newest steps of a user, newest first, at most `limit`.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn steps(
        &mut self,
        owner: &Owner,
        user: &UserId,
        limit: usize,
    ) -> Result<Vec<WidgetStep>, StoreError> {
        let wanted = params![owner.tenant.as_str(), owner.mode.as_str(), user.as_str(), limit as i64];
        self.session().query(&STEPS, wanted, |row| {
            let account = row.opt_text(STEP.account_id)?;
            Ok(WidgetStep {
                name: parse(TABLE, row.str(STEP.event_name)?)?,
                received_at: Wall::from_micros(row.int(STEP.received_at)?),
                subject_id: account.map_or_else(|| row.opt_text(STEP.archive_id), |it| Ok(Some(it)))?,
            })
        })
    }

    /// Returns the last page of the widget that opened in a visit.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn last_page_of_visit(
        &mut self,
        visit: &LinkSiteSessionId,
    ) -> Result<Option<UiEventName>, StoreError> {
        let latest = self
            .session()
            .query(&OF_VISIT, params![visit.as_str()], |row| parse::<UiEventName>(TABLE, row.str(0)?))?;
        Ok(latest.into_iter().find(|it| it.is_page()))
    }

    /// Returns the most frequent places where a template's widget trapped since a time, with the number of times.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn traps(
        &mut self,
        template: &LinkTemplateId,
        since: Wall,
    ) -> Result<Vec<(TrapReport, u64)>, StoreError> {
        self.session().query(&TRAPS, params![template.as_str(), since.micros()], |row| {
            let offsets = row.text(TRAP.offsets)?;
            let offsets = offsets.split_whitespace().map(|it| parse(TABLE, it)).collect::<Result<_, _>>()?;
            let build = row.text(TRAP.build)?;
            Ok((TrapReport { build, offsets }, count(TABLE, row.int(TRAP.traps)?)?))
        })
    }
}

impl UiEvents<'_, Tx<'_>> {
    /// Returns an opening as far as the funnel counts it. The session of the request must be locked, so that no other
    /// unit counts for the opening at the same time.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn find_counted(
        &mut self,
        owner: &Owner,
        user: &UserId,
        opening: &str,
    ) -> Result<CountedOpening, StoreError> {
        let place = params![owner.tenant.as_str(), owner.mode.as_str(), user.as_str(), opening];
        let found = self.session().find(&COUNTED, place, |row| {
            let counted: Option<(Date, _)> = row.opt_slice(0)?.map(|it| decode(TABLE, it)).transpose()?;
            let (day, counted) = counted.unzip();
            Ok(CountedOpening {
                counted: counted.unwrap_or_default(),
                day,
                last_seq: small(TABLE, row.int(1)?)?,
            })
        })?;
        Ok(found.unwrap_or_default())
    }

    /// Deletes what the widget reported before a time. Returns how many events were deleted.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_before(&mut self, moment: Wall) -> Result<u64, StoreError> {
        self.session().execute_later(&DELETE_OLD_OPENINGS, params![moment.micros()])?;
        self.session().execute_later(&DELETE_OLD_TRAPS, params![moment.micros()])?;
        self.session().execute(&DELETE_OLD_EVENTS, params![moment.micros()])
    }

    pub(crate) fn put(&mut self, report: &link::UiEvents) -> Result<(), StoreError> {
        let (tenant, mode) = (report.owner.tenant.as_str(), report.owner.mode.as_str());
        let (user, at) = (report.user_id.as_str(), report.received_at.micros());
        for event in &report.events {
            self.session().execute_later(
                &PUT_EVENT,
                params![
                    tenant,
                    mode,
                    user,
                    &report.opening,
                    i64::from(event.seq),
                    event.event_name.as_str(),
                    i64::from(event.after_ms),
                    event.account_id.as_ref().map(|id| id.as_str()),
                    event.archive_id.as_ref().map(|id| id.as_str()),
                    at,
                ],
            )?;
        }
        if let Some(last) = report.last() {
            self.session().execute(
                &PUT_OPENING,
                params![
                    tenant,
                    mode,
                    user,
                    &report.opening,
                    report.template_id.as_str(),
                    report.attempt_id.as_str(),
                    i64::from(last.seq),
                    last.event_name.as_str(),
                    at,
                    report.visit_id.as_ref().map(LinkSiteSessionId::as_str),
                ],
            )?;
        }
        if let Some(counted) = &report.counted {
            let counted = encode(TABLE, counted)?;
            self.session()
                .execute_later(&PUT_COUNTED, params![tenant, mode, user, &report.opening, &counted[..]])?;
        }
        if let Some(trap) = &report.trap {
            let offsets: Vec<String> = trap.offsets.iter().map(u32::to_string).collect();
            let offsets = offsets.join(" ");
            self.session().execute_later(
                &PUT_TRAP,
                params![
                    tenant,
                    mode,
                    user,
                    &report.opening,
                    report.template_id.as_str(),
                    &trap.build,
                    &offsets,
                    at,
                ],
            )?;
        }
        Ok(())
    }
}
