//! All lists. Tests and benchmarks take them from here, so a new list is covered once it is named here.

use super::data::{data_points, tasks};
use super::documents::archives;
use super::invitations::{forms, invites, link_site_hosts, link_sites};
use super::linking::accounts;
use super::list::List;
use super::lookups::{records, signals};
use super::notifications::delivery::deliveries;
use super::notifications::{events, webhooks};
use super::tenancy::{audit_events, billing, scenarios, templates, users};

/// Every list.
pub(crate) static LISTS: [&List; 20] = [
    &accounts::ACCOUNTS,
    &archives::ARCHIVES,
    &audit_events::AUDIT_EVENTS,
    &billing::BILLING_EVENTS,
    &data_points::DATA_POINTS,
    &deliveries::DELIVERIES,
    &events::EVENTS,
    &forms::FORMS,
    &invites::INVITES,
    &link_site_hosts::LINK_SITE_HOSTS,
    &link_sites::LINK_SITES,
    &records::RECORDS,
    &scenarios::SCENARIOS,
    &signals::SIGNALS,
    &tasks::TASKS,
    &templates::consent_templates::CONSENT_TEMPLATES,
    &templates::invite_templates::INVITE_TEMPLATES,
    &templates::link_templates::LINK_TEMPLATES,
    &users::USERS,
    &webhooks::WEBHOOKS,
];

#[cfg(test)]
mod tests {
    /// Lists that one macro creates are all named by it, so they are counted separately.
    #[test]
    fn every_list_of_a_table_is_named() {
        let named = include_str!("every_list.rs");
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tables");
        let mut paths = vec![folder];
        let mut found = 0;
        while let Some(path) = paths.pop() {
            if path.is_dir() {
                paths.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for line in text.lines() {
                let Some(name) = line.trim().strip_prefix("pub(crate) static ") else { continue };
                let Some(name) = name.strip_suffix(": List = List {") else { continue };
                if name == "$list" {
                    found += text.lines().filter(|line| line.trim() == "templates!(").count();
                } else {
                    assert!(named.contains(&format!("::{name},")), "{name} of {path:?} is in no test");
                    found += 1;
                }
            }
        }
        assert_eq!(found, super::LISTS.len());
    }
}
