//! The scopes that each request of the REST interface needs: one table, from which the checks and the documentation follow.

use link_types::console::KeyScope;

/// A group of requests, and the scopes that admit it.
struct Rule {
    /// Whether the requests are about webhooks and events.
    is_webhooks: bool,
    /// Whether the requests only read.
    is_read: bool,
    /// A key needs one of these scopes. The first one is the narrowest.
    admits: &'static [KeyScope],
}

/// The table.
const RULES: [Rule; 4] = [
    Rule { is_webhooks: true, is_read: true, admits: &[KeyScope::Webhooks, KeyScope::Read, KeyScope::Write] },
    Rule { is_webhooks: true, is_read: false, admits: &[KeyScope::Webhooks, KeyScope::Write] },
    Rule { is_webhooks: false, is_read: true, admits: &[KeyScope::Read, KeyScope::Write] },
    Rule { is_webhooks: false, is_read: false, admits: &[KeyScope::Write] },
];

/// The first segments of the paths about webhooks and events.
const WEBHOOK_PATHS: [&str; 2] = ["webhooks", "events"];

/// Returns the scopes of which a request needs one, the narrowest first. `path` follows the prefix of the environment.
pub fn find_scopes(is_read: bool, path: &str) -> &'static [KeyScope] {
    let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    let is_webhooks = WEBHOOK_PATHS.contains(&first);
    let rule = RULES.iter().find(|it| (it.is_webhooks, it.is_read) == (is_webhooks, is_read));
    rule.map_or(&[KeyScope::Write], |it| it.admits)
}

/// Returns the scope that a key lacks for a request, or `None` if the key may send it.
pub fn missing(scopes: &[KeyScope], is_read: bool, path: &str) -> Option<KeyScope> {
    let admitting = find_scopes(is_read, path);
    if admitting.iter().any(|it| scopes.contains(it)) { None } else { admitting.first().copied() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_scope_admits_only_its_requests() {
        use KeyScope::{Read, Webhooks, Write};
        for (is_read, path, scopes) in [
            (true, "/accounts", &[Read, Write][..]),
            (false, "/accounts", &[Write]),
            (true, "/webhooks/wh-1/deliveries", &[Webhooks, Read, Write]),
            (false, "/webhooks", &[Webhooks, Write]),
            (false, "/events/fire", &[Webhooks, Write]),
            (true, "/webhooksettings", &[Read, Write]),
        ] {
            for scope in KeyScope::ALL {
                let admits = missing(&[*scope], is_read, path).is_none();
                assert_eq!(admits, scopes.contains(scope), "{scope} {path}");
            }
        }
        assert_eq!(missing(&[], false, "/webhooks"), Some(Webhooks));
    }
}
