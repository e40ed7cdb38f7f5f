//! The effect of each button and reply on each page of the accounts screen. No wildcard: a new one must be added here.

use link_types::id::AccountId;
use link_types::uploading::Revocation;

use super::fixtures;
use super::harness::{self, Harness};
use super::table::{StateKind, kind_of};
use crate::event::{Press, Reply, RequestError};

/// A page of the accounts screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Page {
    Loading,
    List,
    Connected,
    NeedsLogin,
    Document,
    Asking,
    Allowing,
    Revoking,
    Failed,
    Missing,
}
use Page::{Allowing, Asking, Connected, Document, Failed, List, Loading, Missing, NeedsLogin, Revoking};

const PAGES: [Page; 10] =
    [Loading, List, Connected, NeedsLogin, Document, Asking, Allowing, Revoking, Failed, Missing];

/// The result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Does {
    Nothing,
    /// Something changes on the accounts screen.
    Works,
    Goes(StateKind),
}
use Does::{Goes, Nothing, Works};

fn account(number: u8) -> String {
    AccountId::from_bytes([number; 16]).as_str().to_owned()
}

fn right() -> Reply {
    Reply::Revocation(Ok(Revocation { confirmation: "right".to_owned() }))
}

fn linked_reply() -> Reply {
    Reply::Linked(Ok(Box::new(fixtures::linked_accounts())))
}

fn harness_at(page: Page) -> Harness {
    let chosen = |id: &str| {
        let mut harness = harness::at_accounts();
        harness.choose(id);
        harness
    };
    let asking = || {
        let mut harness = chosen(&account(7));
        harness.press(Press::Disconnect);
        harness
    };
    let allowing = || {
        let mut harness = asking();
        harness.press(Press::Confirm);
        harness
    };
    match page {
        Loading => {
            let mut harness = harness::at_success();
            harness.choose("/accounts");
            harness
        }
        List => harness::at_accounts(),
        Connected => chosen(&account(7)),
        NeedsLogin => chosen(&account(8)),
        Document => chosen("archive-06060606060606060606060606060606"),
        Asking => asking(),
        Allowing => allowing(),
        Revoking => {
            let mut harness = allowing();
            harness.reply(right());
            harness
        }
        Failed => {
            let mut harness = allowing();
            harness.reply(Reply::Revocation(Err(RequestError::Limited { retry_in_ms: 60_000 })));
            harness
        }
        Missing => {
            let options = link_types::host::WidgetOptions {
                account_id: Some(account(9)),
                ..link_types::host::WidgetOptions::default()
            };
            let mut harness = Harness::new(options);
            harness.send(harness::open_event());
            harness.reply_session(fixtures::session());
            harness.reply(linked_reply());
            harness
        }
    }
}

fn expected_press(page: Page, press: Press) -> Does {
    match press {
        Press::ChooseAnother => match page {
            List | Missing => Goes(StateKind::Consent),
            Loading | Connected | NeedsLogin | Document | Asking | Allowing | Revoking | Failed => Nothing,
        },
        Press::Back => match page {
            Connected | NeedsLogin | Document | Asking | Failed => Works,
            Loading | List | Allowing | Revoking | Missing => Nothing,
        },
        Press::SignIn => match page {
            // The provider is loaded: the consent of the account covers the terms.
            NeedsLogin => Goes(StateKind::Starting),
            Loading | List | Connected | Document | Asking | Allowing | Revoking | Failed | Missing => {
                Nothing
            }
        },
        Press::Disconnect => match page {
            Connected | NeedsLogin | Document => Works,
            Loading | List | Asking | Allowing | Revoking | Failed | Missing => Nothing,
        },
        Press::Confirm => match page {
            Asking => Works,
            // The limited request is sent automatically after the wait.
            Loading | List | Connected | NeedsLogin | Document | Allowing | Revoking | Failed | Missing => {
                Nothing
            }
        },
        Press::Done | Press::Leave => Goes(StateKind::Closed),
        Press::Agree
        | Press::Submit
        | Press::Retry
        | Press::TryAgain
        | Press::ClearSearch
        | Press::Resend
        | Press::Listen
        | Press::OpenTab
        | Press::Upload
        | Press::File(..)
        | Press::Photo(..)
        | Press::RemoveRejected(_)
        | Press::Stay
        | Press::Help => Nothing,
    }
}

fn expected_reply(page: Page, reply: &Reply) -> Does {
    match reply {
        Reply::Linked(_) => match page {
            Loading => Works,
            List | Connected | NeedsLogin | Document | Asking | Allowing | Revoking | Failed | Missing => {
                Nothing
            }
        },
        Reply::Revocation(_) => match page {
            Allowing => Works,
            Loading | List | Connected | NeedsLogin | Document | Asking | Revoking | Failed | Missing => {
                Nothing
            }
        },
        Reply::Done(_) => match page {
            Revoking => Works,
            Loading | List | Connected | NeedsLogin | Document | Asking | Allowing | Failed | Missing => {
                Nothing
            }
        },
        // This page waits for none of these replies.
        Reply::Session(_)
        | Reply::Providers(_)
        | Reply::Provider(_)
        | Reply::Account(_)
        | Reply::Archive(_)
        | Reply::Handoff(_) => Nothing,
    }
}

fn observe(harness: &mut Harness, step: impl FnOnce(&mut Harness) -> Vec<crate::Effect>) -> Does {
    let before = harness.view();
    let effects = step(harness);
    let after = kind_of(&harness.flow.state);
    if after != StateKind::Accounts {
        return Goes(after);
    }
    // Each reply of the service restarts the session's clock, which is not part of the page.
    if effects.is_empty() && harness.view() == before { Nothing } else { Works }
}

#[test]
fn accounts_button_table_is_complete() {
    let presses = [
        Press::Agree,
        Press::Submit,
        Press::Back,
        Press::Retry,
        Press::TryAgain,
        Press::ChooseAnother,
        Press::ClearSearch,
        Press::Resend,
        Press::Listen,
        Press::OpenTab,
        Press::Upload,
        Press::SignIn,
        Press::Disconnect,
        Press::Confirm,
        Press::Done,
        Press::Leave,
        Press::Stay,
        Press::Help,
    ];
    for page in PAGES {
        for press in presses {
            let done = observe(&mut harness_at(page), |harness| harness.press(press));
            assert_eq!(done, expected_press(page, press), "{page:?} + {press:?}");
        }
    }
}

#[test]
fn accounts_reply_table_is_complete() {
    let replies = [
        linked_reply(),
        right(),
        Reply::Done(Ok(())),
        Reply::Session(Ok(Box::new(fixtures::session()))),
        Reply::Providers(Ok(fixtures::providers())),
        Reply::Provider(Ok(Box::new(fixtures::provider()))),
        Reply::Account(Ok(Box::new(fixtures::progress(9, fixtures::logging_in())))),
    ];
    for page in PAGES {
        for reply in &replies {
            let done = observe(&mut harness_at(page), |harness| harness.reply(reply.clone()));
            assert_eq!(done, expected_reply(page, reply), "{page:?} + {reply:?}");
        }
    }
}

#[test]
fn accounts_page_resumes_in_new_session() {
    for page in PAGES {
        let mut harness = harness_at(page);
        let before = harness.heading();
        harness.session_ends();
        assert_eq!(kind_of(&harness.flow.state), StateKind::TokenExpired, "{page:?}");
        harness.send(crate::Event::TokenSet { token: harness::token("second") });
        harness.reply_session(fixtures::session());
        assert_eq!(
            (kind_of(&harness.flow.state), harness.heading()),
            (StateKind::Accounts, before),
            "{page:?}"
        );
    }
}
