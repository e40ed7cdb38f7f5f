//! An account under way, and where its progress leads.

use link_types::id::AccountId;
use link_types::link::{AccountProgress, LinkPhase};
use link_types::provider::Provider;

use crate::context::Context;
use crate::rest::{self, Door};
use crate::screen::connecting::Connecting;
use crate::screen::login::Form;
use crate::screen::providers::Providers;
use crate::screen::success::Success;
use crate::state::State;
use crate::tell::{self, Subject};

/// An account under way, with the open half of its login so that another try need not ask for it again.
#[derive(Debug)]
pub(crate) struct Linking {
    pub(crate) provider: Provider,
    pub(crate) account: AccountId,
    pub(crate) version: u32,
    pub(crate) form: Form,
}

impl Linking {
    /// Takes up what an earlier page or session began.
    pub(crate) fn resumed(provider: Provider, progress: &AccountProgress, option: Option<&str>) -> Self {
        let AccountProgress { account_id, version, .. } = progress;
        let chosen = provider.login_options.iter().position(|it| Some(it.id.as_str()) == option);
        let form = Form::of_option(chosen.unwrap_or(0));
        Self { provider, account: account_id.clone(), version: *version, form }
    }

    /// The account and provider, as the host page is told.
    pub(crate) fn subject(&self) -> Subject<'_> {
        Subject { account: &self.account, provider: &self.provider.id }
    }

    /// Tells the host page that linking was initiated.
    pub(crate) fn announce_created(&self, context: &mut Context) {
        tell::account_created(self.subject(), context);
    }

    /// Whether progress tells something new about this account.
    pub(crate) fn is_news(&self, progress: &AccountProgress) -> bool {
        progress.account_id == self.account && progress.version > self.version
    }

    /// Goes to the screen of the phase.
    pub(crate) fn follow(self, phase: LinkPhase, context: &mut Context) -> State {
        match phase {
            LinkPhase::Connecting { step } => Connecting::enter(self, step, context),
            phase @ (LinkPhase::Challenge { .. } | LinkPhase::Failed { .. }) => {
                rest::open(Door::Linking(Box::new((self, phase))), context)
            }
            LinkPhase::Connected {} => Success::enter(self, context),
            LinkPhase::Disconnected {} => Providers::enter(context),
        }
    }
}
