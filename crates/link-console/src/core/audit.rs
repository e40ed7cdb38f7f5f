//! The page of the audit log: its filters and its events.

use link_types::Mode;
use link_types::audit::{AuditAction, AuditEvent};
use link_types::list::Page;

use super::failure::Failure;
use super::loaded::Loaded;
use super::request::Request;

/// The filters of the list. Empty texts filter nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditFilters {
    /// Environment.
    pub mode: Mode,
    /// Only this action.
    pub action: Option<AuditAction>,
    /// Only this API key, member, or `OPERATOR`.
    pub actor: String,
    /// Only since this day, UTC.
    pub from: String,
    /// Only until this day, UTC.
    pub until: String,
}

impl Default for AuditFilters {
    fn default() -> Self {
        Self {
            mode: Mode::Production,
            action: None,
            actor: String::new(),
            from: String::new(),
            until: String::new(),
        }
    }
}

impl AuditFilters {
    /// Returns the address of a page of the list. `cursor` continues after the page before, and contains the filters.
    pub fn path(&self, cursor: Option<&str>) -> String {
        let mut path = format!("{}?size=50", self.base());
        if let Some(cursor) = cursor {
            path.push_str(&format!("&cursor={cursor}"));
            return path;
        }
        let action = self.action.map(AuditAction::as_str).unwrap_or_default();
        let filters = [
            ("action", action),
            ("actorId", &self.actor),
            ("startDate", &self.from),
            ("endDate", &self.until),
        ];
        for (name, value) in filters.into_iter().filter(|(_, value)| !value.is_empty()) {
            // Identifiers and dates need no escape. Other characters match nothing.
            let value: String =
                value.chars().filter(|it| it.is_ascii_alphanumeric() || "-_".contains(*it)).collect();
            path.push_str(&format!("&{name}={value}"));
        }
        path
    }

    /// Returns the address of the log of the environment.
    pub const fn base(&self) -> &'static str {
        match self.mode {
            Mode::Sandbox => "/sandbox/audit",
            Mode::Production => "/production/audit",
        }
    }
}

/// The audit log as the page shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditLog {
    /// Filters, which apply at once.
    pub filters: AuditFilters,
    /// Events, newest first.
    pub events: Loaded<Vec<AuditEvent>>,
    /// Where the next page begins.
    pub next: Option<String>,
    /// Whether the next page is on its way.
    pub is_loading_more: bool,
}

impl AuditLog {
    /// Returns the request for the first page.
    pub fn first(&self) -> Request {
        Request::ListAudit(self.filters.clone(), None)
    }

    /// Changes the filters. Returns the request for their first page.
    pub(super) fn filter(&mut self, change: impl FnOnce(&mut AuditFilters)) -> Request {
        change(&mut self.filters);
        (self.events, self.next, self.is_loading_more) = (Loaded::Loading, None, false);
        self.first()
    }

    /// Returns the request for the next page, if there is one.
    pub(super) fn more(&mut self) -> Option<Request> {
        let cursor = self.next.clone().filter(|_| !self.is_loading_more)?;
        self.is_loading_more = true;
        Some(Request::ListAudit(self.filters.clone(), Some(cursor)))
    }

    /// Shows a page, unless the filters have changed since it was requested.
    pub(super) fn accept(&mut self, filters: &AuditFilters, cursor: Option<&str>, page: Page<AuditEvent>) {
        if self.filters != *filters {
            return;
        }
        match (&mut self.events, cursor) {
            (Loaded::Ready(events), Some(_)) => events.extend(page.items),
            (events, None) => *events = Loaded::Ready(page.items),
            (Loaded::Loading | Loaded::Failed(_), Some(_)) => return,
        }
        (self.next, self.is_loading_more) = (page.next_cursor, false);
    }

    /// Shows why a page could not be loaded. Returns the failure if it concerns only the next page.
    pub(super) fn refuse(
        &mut self,
        filters: &AuditFilters,
        cursor: Option<&str>,
        failure: Failure,
    ) -> Option<Failure> {
        if self.filters != *filters {
            return None;
        }
        self.is_loading_more = false;
        if cursor.is_some() {
            return Some(failure);
        }
        self.events = Loaded::Failed(failure);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_part_of_the_address() {
        let mut log = AuditLog::default();
        assert_eq!(log.filters.path(None), "/production/audit?size=50");
        log.filter(|it| (it.mode, it.action) = (Mode::Sandbox, Some(AuditAction::UserDeleted)));
        log.filter(|it| it.actor = "mb-1&x=\u{e9}".into());
        log.filter(|it| it.from = "2026-11-20".into());
        let expected = "/sandbox/audit?size=50&action=USER_DELETED&actorId=mb-1x&startDate=2026-11-20";
        assert_eq!(log.filters.path(None), expected);
        assert_eq!(log.filters.path(Some("abc")), "/sandbox/audit?size=50&cursor=abc");
    }

    #[test]
    fn next_page_is_requested_once_and_added() {
        let mut log = AuditLog::default();
        let page = |next: Option<&str>| Page { items: Vec::new(), next_cursor: next.map(str::to_owned) };
        assert_eq!(log.more(), None);
        log.accept(&AuditFilters::default(), None, page(Some("abc")));
        let request = Request::ListAudit(AuditFilters::default(), Some("abc".into()));
        assert_eq!((log.more(), log.more()), (Some(request), None));
        log.accept(&AuditFilters::default(), Some("abc"), page(None));
        assert_eq!((log.events, log.next), (Loaded::Ready(Vec::new()), None));
    }

    #[test]
    fn page_of_earlier_filters_is_ignored() {
        let mut log = AuditLog::default();
        log.filter(|it| it.mode = Mode::Sandbox);
        log.accept(&AuditFilters::default(), None, Page { items: Vec::new(), next_cursor: None });
        assert_eq!(log.refuse(&AuditFilters::default(), None, Failure::Offline), None);
        assert_eq!(log.events, Loaded::Loading);
    }
}
