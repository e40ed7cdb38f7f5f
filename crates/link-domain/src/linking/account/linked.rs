//! A connected account as the accounts screen shows it: with a masked login, and times in days.

use link_types::provider::Provider;
use link_types::uploading::{LinkedAccount, LinkedStatus};

use super::error_code::{Remedy, remedy};
use super::{Account, AccountState, MonitorState, Reading};
use crate::kernel::clock::TenantTime;
use crate::linking::account_source::Purpose;
use crate::linking::terms::Terms;

const DAY: u64 = 86_400;
const HIDDEN: &str = "•••";

impl Account {
    /// Returns the account for the accounts screen, or `None` unless it is connected. `provider` is `None` if the
    /// source no longer knows the provider. `terms` are those of the session.
    pub fn to_linked_account(
        &self,
        provider: Option<&Provider>,
        terms: &Terms<'_>,
        now: TenantTime,
    ) -> Option<LinkedAccount> {
        let connection = match &self.state {
            AccountState::Connected(connection) => connection,
            AccountState::Linking(_) | AccountState::Disconnected(_) => return None,
        };
        let (is_complete, error) = match &connection.reading {
            Reading::Running(_) | Reading::Done { missing: None } => (true, None),
            Reading::Done { missing: Some(code) } => (false, Some(*code)),
            Reading::Failed { code } => (connection.read_at.is_some(), Some(*code)),
        };
        let login_helps = match (error.map(remedy), self.monitor.state) {
            (Some(Remedy::SignIn), _) => true,
            // The next sync reads the account again.
            (Some(Remedy::Retry), MonitorState::Active { .. }) => false,
            // The tenant wants no newer data.
            (Some(Remedy::Retry), MonitorState::CustomerDisabled { .. }) => !is_complete,
            (Some(Remedy::Retry), MonitorState::Unsupported {} | MonitorState::UserActionRequired { .. }) => {
                true
            }
            (Some(Remedy::Elsewhere) | None, _) => false,
        };
        let status = match &connection.reading {
            Reading::Running(run) if run.purpose == Purpose::SignIn => LinkedStatus::Reading,
            Reading::Running(_) | Reading::Done { .. } | Reading::Failed { .. } => match login_helps {
                true => LinkedStatus::ActionRequired,
                false => LinkedStatus::Connected,
            },
        };
        let days = |at: TenantTime| u32::try_from(now.since(at).as_secs() / DAY).unwrap_or(u32::MAX);
        Some(LinkedAccount {
            account_id: self.id.clone(),
            provider_id: self.provider_id.clone(),
            provider_name: provider.map_or_else(|| self.provider_id.to_string(), |it| it.name.clone()),
            logo_url: provider.and_then(|it| it.logo_url.clone()),
            login_name: connection.login_name.as_ref().map(|name| mask(name.expose())),
            status,
            last_sync_days_ago: connection.read_at.map(days),
            consent_needed: !terms.are_covered_by(self.consent.as_ref()),
            chosen_data: self.chosen_data(),
        })
    }
}

/// Masks a login so that only its owner recognizes it: `g•••d`, `a•••z@•••`. Short logins reveal even less.
fn mask(login: &str) -> String {
    let (local, at) = match login.trim().split_once('@') {
        Some((local, _)) => (local, "@•••"),
        None => (login.trim(), ""),
    };
    let mut letters = local.chars();
    let (first, last, between) = (letters.next(), letters.next_back(), letters.count());
    match (first, last) {
        (Some(first), Some(last)) if between > 1 => format!("{first}{HIDDEN}{last}{at}"),
        (Some(first), Some(_)) => format!("{first}{HIDDEN}{at}"),
        (Some(_) | None, _) => format!("{HIDDEN}{at}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("good", "g•••d")]
    #[case(" mfa-otp ", "m•••p")]
    #[case("abc", "a•••")]
    #[case("ab", "a•••")]
    #[case("a", "•••")]
    #[case("", "•••")]
    #[case("ligaya@example.com", "l•••a@•••")]
    #[case("ñandú", "ñ•••ú")]
    fn login_name_is_masked(#[case] login: &str, #[case] expected: &str) {
        assert_eq!(mask(login), expected);
    }
}
