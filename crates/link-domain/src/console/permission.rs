//! The permissions of each role in each environment: one table, from which the documentation, the service's checks and the
//! portal's pages follow.

use link_types::Mode;
use link_types::console::{Permission, Role};

use crate::tenancy::audit::Act;

/// The roles that have a permission.
struct Grant {
    permission: Permission,
    sandbox: &'static [Role],
    production: &'static [Role],
}

const EVERY_ROLE: &[Role] = Role::ALL;
const BUILDERS: &[Role] = &[Role::Owner, Role::Developer];
const HELPERS: &[Role] = &[Role::Owner, Role::Developer, Role::Support];
const SUPPORTERS: &[Role] = &[Role::Owner, Role::Support];
const OWNERS: &[Role] = &[Role::Owner];

/// The table. Support has no secrets, and a viewer never writes.
const GRANTS: &[Grant] = &[
    Grant { permission: Permission::ReadKeys, sandbox: EVERY_ROLE, production: EVERY_ROLE },
    Grant { permission: Permission::ManageKeys, sandbox: BUILDERS, production: OWNERS },
    Grant { permission: Permission::ReadMembers, sandbox: EVERY_ROLE, production: EVERY_ROLE },
    Grant { permission: Permission::ManageMembers, sandbox: OWNERS, production: OWNERS },
    Grant { permission: Permission::ReadWebhooks, sandbox: EVERY_ROLE, production: EVERY_ROLE },
    Grant { permission: Permission::ManageWebhooks, sandbox: BUILDERS, production: OWNERS },
    Grant { permission: Permission::ResendDeliveries, sandbox: HELPERS, production: HELPERS },
    Grant { permission: Permission::ReadEvents, sandbox: EVERY_ROLE, production: BUILDERS },
    Grant { permission: Permission::ReadSandbox, sandbox: EVERY_ROLE, production: &[] },
    Grant { permission: Permission::ManageSandbox, sandbox: BUILDERS, production: &[] },
    Grant { permission: Permission::ReadRequests, sandbox: EVERY_ROLE, production: EVERY_ROLE },
    Grant { permission: Permission::ReadAudit, sandbox: BUILDERS, production: BUILDERS },
    Grant { permission: Permission::ReadUsage, sandbox: EVERY_ROLE, production: EVERY_ROLE },
    Grant { permission: Permission::ReadTemplates, sandbox: EVERY_ROLE, production: EVERY_ROLE },
    Grant { permission: Permission::ManageTemplates, sandbox: BUILDERS, production: OWNERS },
    Grant { permission: Permission::ReadLinkSites, sandbox: EVERY_ROLE, production: EVERY_ROLE },
    Grant { permission: Permission::ManageLinkSites, sandbox: BUILDERS, production: OWNERS },
    Grant { permission: Permission::ReadAnswers, sandbox: EVERY_ROLE, production: BUILDERS },
    Grant { permission: Permission::ReadPeople, sandbox: EVERY_ROLE, production: HELPERS },
    Grant { permission: Permission::HelpPeople, sandbox: HELPERS, production: SUPPORTERS },
    Grant { permission: Permission::InvitePeople, sandbox: HELPERS, production: SUPPORTERS },
    Grant { permission: Permission::ErasePeople, sandbox: BUILDERS, production: OWNERS },
];

/// Returns the permissions of a role in an environment.
pub fn permissions(role: Role, mode: Mode) -> Vec<Permission> {
    let roles = |grant: &Grant| match mode {
        Mode::Sandbox => grant.sandbox,
        Mode::Production => grant.production,
    };
    GRANTS.iter().filter(|grant| roles(grant).contains(&role)).map(|grant| grant.permission).collect()
}

/// Returns whether a role has a permission in an environment.
pub fn is_allowed(role: Role, mode: Mode, permission: Permission) -> bool {
    permissions(role, mode).contains(&permission)
}

/// Returns whether an act with a permission needs a session in which the member proved who they are.
///
/// A mailbox alone is enough for the sandbox, and to read production. It is not for the acts in production that the audit log
/// records: changes, exports, and searches for people.
pub const fn needs_proof(mode: Mode, act: Act) -> bool {
    match (mode, act) {
        (Mode::Production, Act::Audited(_)) => true,
        (Mode::Production, Act::Read | Act::NoAudit(_)) | (Mode::Sandbox, _) => false,
    }
}

#[cfg(test)]
mod tests {
    use link_types::audit::AuditAction;

    use super::*;

    const PAGE: &str = include_str!("../../../../docs/reference/console-roles.md");

    #[test]
    fn page_of_roles_contains_the_table() {
        let mut table =
            String::from("| Permission | Owner | Developer | Support | Viewer |\n|---|---|---|---|---|\n");
        for permission in Permission::ALL {
            table.push_str(&format!("| `{permission}` |"));
            for role in Role::ALL {
                let allowed = |mode| is_allowed(*role, mode, *permission);
                table.push_str(match (allowed(Mode::Sandbox), allowed(Mode::Production)) {
                    (true, true) => " both |",
                    (true, false) => " sandbox |",
                    (false, true) => " production |",
                    (false, false) => " – |",
                });
            }
            table.push('\n');
        }
        assert!(PAGE.contains(&table), "docs/reference/console-roles.md must contain:\n{table}");
    }

    #[test]
    fn mailbox_alone_reads_production_and_works_in_the_sandbox() {
        let (export, preview) =
            (Act::Audited(AuditAction::AuditExported), Act::NoAudit("It changes nothing."));
        assert!(needs_proof(Mode::Production, export));
        assert!(!needs_proof(Mode::Production, Act::Read) && !needs_proof(Mode::Production, preview));
        assert!(!needs_proof(Mode::Sandbox, export));
    }

    #[test]
    fn owner_has_every_permission() {
        assert_eq!(permissions(Role::Owner, Mode::Sandbox), Permission::ALL);
        let of_sandbox = [Permission::ReadSandbox, Permission::ManageSandbox];
        let others = Permission::ALL.iter().filter(|it| !of_sandbox.contains(it));
        assert!(others.eq(&permissions(Role::Owner, Mode::Production)));
    }

    #[test]
    fn each_permission_is_in_the_table_once() {
        let listed: Vec<_> = GRANTS.iter().map(|grant| grant.permission).collect();
        assert_eq!(listed, Permission::ALL);
    }

    #[test]
    fn support_gets_no_secret() {
        for mode in [Mode::Sandbox, Mode::Production] {
            let shows_secrets = [Permission::ManageKeys, Permission::ManageWebhooks];
            assert!(!permissions(Role::Support, mode).iter().any(|it| shows_secrets.contains(it)));
        }
    }

    #[test]
    fn viewer_has_no_permission_to_write() {
        for mode in [Mode::Sandbox, Mode::Production] {
            assert!(permissions(Role::Viewer, mode).iter().all(|it| it.as_str().starts_with("READ_")));
        }
    }

    #[test]
    fn permissions_about_members_are_the_same_in_both_environments() {
        for role in Role::ALL {
            for permission in [Permission::ReadMembers, Permission::ManageMembers] {
                let [sandbox, production] =
                    [Mode::Sandbox, Mode::Production].map(|mode| is_allowed(*role, mode, permission));
                assert_eq!(sandbox, production, "{role} {permission}");
            }
        }
    }
}
