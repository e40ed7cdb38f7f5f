//! An account that is being linked.

use link_types::id::AccountId;
use link_types::link::AccountProgress;
use link_types::provider::Provider;

use crate::context::Context;
use crate::emit::{self, Subject};
use crate::login_form::LoginForm;

/// An account under way, with the open fields of its login so that a retry can fill them in.
#[derive(Debug)]
pub(crate) struct Linking {
    pub(crate) provider: Provider,
    pub(crate) account: AccountId,
    pub(crate) version: u32,
    pub(crate) form: LoginForm,
}

impl Linking {
    /// Resumes the account of an earlier page or session.
    pub(crate) fn resume(provider: Provider, progress: &AccountProgress, option: Option<&str>) -> Self {
        let AccountProgress { account_id, version, .. } = progress;
        let chosen = provider.login_options.iter().position(|it| Some(it.id.as_str()) == option);
        let form = LoginForm::of_option(chosen.unwrap_or(0));
        Self { provider, account: account_id.clone(), version: *version, form }
    }

    /// Returns the account and its provider as callbacks name them.
    pub(crate) fn subject(&self) -> Subject<'_> {
        Subject { account: &self.account, provider: &self.provider.id }
    }

    /// Reports to the host page that linking has begun.
    pub(crate) fn emit_created(&self, context: &mut Context) {
        emit::account_created(self.subject(), context);
    }

    /// Returns whether the progress is newer than the version known here.
    pub(crate) fn is_newer(&self, progress: &AccountProgress) -> bool {
        progress.account_id == self.account && progress.version > self.version
    }
}
