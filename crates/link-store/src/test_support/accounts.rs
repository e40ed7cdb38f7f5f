//! Accounts for benchmarks, in the states that the service stores.

#![expect(clippy::expect_used, reason = "a benchmark cannot run without its accounts")]

use link_domain::kernel::context::Context;
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::sealing::Sealed;
use link_domain::linking::account::{Account, AccountInput, Login, NewAccount, Submission};
use link_domain::linking::account_source::{SourceState, Step};
use link_domain::linking::consent::Consent;
use link_domain::linking::consent_reading::Sentences;
use link_domain::linking::guesses::{LoginTries, Tries};
use link_types::Sensitive;
use link_types::id::{AttemptId, ConsentTemplateId, LinkSessionId, ProviderId, UserId};
use link_types::link::{ConsentGivenBy, ConsentReceipt};
use link_types::sealing::SealedBox;
use link_types::template::{Retention, SyncInterval};

/// Returns a user's connected account, which is being read. `number` is part of its login.
pub fn connect_account(owner: Owner, user: &UserId, number: u64, context: &mut Context) -> Account {
    let provider: ProviderId = "mx_social_security".parse().expect("a provider's id");
    let new = NewAccount {
        owner: owner.clone(),
        user_id: user.clone(),
        provider_id: provider.clone(),
        visit_id: None,
    };
    let form = Sealed {
        session_id: LinkSessionId::from_bytes([6; 16]),
        attempt_id: AttemptId::from_bytes([5; 16]),
        sealed: SealedBox { key_id: "key".into(), enc: "enc".into(), ciphertext: "ciphertext".into() },
    };
    let name = format!("login-{number}");
    let tries = Tries::from_own(LoginTries::none(owner, user.clone(), provider, Digest32::from_text(&name)));
    let receipt = ConsentReceipt {
        consent_template_id: ConsentTemplateId::from_bytes([2; 16]),
        version: "1.0".into(),
        locale: "en".into(),
        given_by: ConsentGivenBy::Person,
        sync_interval: None,
        retention: Retention::FromConnection,
        data_choice: None,
    };
    let submission = Submission {
        login: Some(Login { option: "password".into(), name: Sensitive::new(name), form }),
        sync: Some(SyncInterval::DEFAULT),
        retention: Retention::FromLastSync,
        consent: Some(Consent {
            receipt,
            consented_at: context.now().tenant(),
            text: Digest32::from_text("You share your data."),
            sentences: Sentences::new("en", None, Retention::FromConnection),
            company: "Ardilla Loans".into(),
            given_in: None,
        }),
        tries: tries.clone(),
    };
    let (account, _) = Account::begin(new, submission, context).expect("a valid submission");
    let step = Step::Connected { state: SourceState::new("cookie=1") };
    let stepped = AccountInput::Stepped { version: account.version, step, tries: Some(tries) };
    account.apply(stepped, context).expect("the account's own step").0
}
