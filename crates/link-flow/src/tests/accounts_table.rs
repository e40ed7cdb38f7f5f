//! What each page of what is linked does with each button and answer. No wildcard: a new one must be decided here.

use link_types::id::AccountId;
use link_types::uploading::Revocation;

use super::desk::{self, Desk};
use super::stock;
use super::table::{Place, place_of};
use crate::event::{Press, Refusal, Reply};

/// A page of what is linked.
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

/// What happens there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Does {
    Nothing,
    /// Something changes, and it stays with what is linked.
    Works,
    Goes(Place),
}
use Does::{Goes, Nothing, Works};

fn account(number: u8) -> String {
    AccountId::from_bytes([number; 16]).as_str().to_owned()
}

fn right() -> Reply {
    Reply::Revocation(Ok(Revocation { confirmation: "right".to_owned() }))
}

fn linked() -> Reply {
    Reply::Linked(Ok(Box::new(stock::linked())))
}

fn desk_at(page: Page) -> Desk {
    let chosen = |id: &str| {
        let mut desk = desk::at_accounts();
        desk.choose(id);
        desk
    };
    let asking = || {
        let mut desk = chosen(&account(7));
        desk.press(Press::Disconnect);
        desk
    };
    let allowing = || {
        let mut desk = asking();
        desk.press(Press::Confirm);
        desk
    };
    match page {
        Loading => {
            let mut desk = desk::at_success();
            desk.choose("/accounts");
            desk
        }
        List => desk::at_accounts(),
        Connected => chosen(&account(7)),
        NeedsLogin => chosen(&account(8)),
        Document => chosen("archive-06060606060606060606060606060606"),
        Asking => asking(),
        Allowing => allowing(),
        Revoking => {
            let mut desk = allowing();
            desk.reply(right());
            desk
        }
        Failed => {
            let mut desk = allowing();
            desk.reply(Reply::Revocation(Err(Refusal::Limited { retry_in_ms: 60_000 })));
            desk
        }
        Missing => {
            let options = link_types::host::WidgetOptions {
                account_id: Some(account(9)),
                ..link_types::host::WidgetOptions::default()
            };
            let mut desk = Desk::new(options);
            desk.send(desk::opened());
            desk.reply_session(stock::session());
            desk.reply(linked());
            desk
        }
    }
}

fn expected_press(page: Page, press: Press) -> Does {
    match press {
        Press::ChooseAnother => match page {
            List | Missing => Goes(Place::Consent),
            Loading | Connected | NeedsLogin | Document | Asking | Allowing | Revoking | Failed => Nothing,
        },
        Press::Back => match page {
            Connected | NeedsLogin | Document | Asking | Failed => Works,
            Loading | List | Allowing | Revoking | Missing => Nothing,
        },
        Press::SignIn => match page {
            NeedsLogin => Goes(Place::Consent),
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
            // Limited: it goes on by itself when the wait is over.
            Loading | List | Connected | NeedsLogin | Document | Allowing | Revoking | Failed | Missing => {
                Nothing
            }
        },
        Press::Done | Press::Leave => Goes(Place::Closed),
        Press::Agree
        | Press::Submit
        | Press::Retry
        | Press::TryAgain
        | Press::ClearSearch
        | Press::Resend
        | Press::Upload
        | Press::File(..)
        | Press::Stay => Nothing,
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
        // Nobody asked for them here.
        Reply::Session(_)
        | Reply::Providers(_)
        | Reply::Provider(_)
        | Reply::Account(_)
        | Reply::Archive(_) => Nothing,
    }
}

fn done(desk: &mut Desk, step: impl FnOnce(&mut Desk) -> Vec<crate::Effect>) -> Does {
    let before = desk.view();
    let effects = step(desk);
    let after = place_of(&desk.flow.state);
    if after != Place::Accounts {
        return Goes(after);
    }
    // That the service was reached moves the session's clock, which is nothing of the page's.
    if effects.is_empty() && desk.view() == before { Nothing } else { Works }
}

#[test]
fn every_button_does_what_is_written_here() {
    let presses = [
        Press::Agree,
        Press::Submit,
        Press::Back,
        Press::Retry,
        Press::TryAgain,
        Press::ChooseAnother,
        Press::ClearSearch,
        Press::Resend,
        Press::Upload,
        Press::SignIn,
        Press::Disconnect,
        Press::Confirm,
        Press::Done,
        Press::Leave,
        Press::Stay,
    ];
    for page in PAGES {
        for press in presses {
            let done = done(&mut desk_at(page), |desk| desk.press(press));
            assert_eq!(done, expected_press(page, press), "{page:?} + {press:?}");
        }
    }
}

#[test]
fn every_answer_does_what_is_written_here() {
    let replies = [
        linked(),
        right(),
        Reply::Done(Ok(())),
        Reply::Session(Ok(Box::new(stock::session()))),
        Reply::Providers(Ok(stock::providers())),
        Reply::Provider(Ok(Box::new(stock::provider()))),
        Reply::Account(Ok(Box::new(stock::progress(9, stock::logging_in())))),
    ];
    for page in PAGES {
        for reply in &replies {
            let done = done(&mut desk_at(page), |desk| desk.reply(reply.clone()));
            assert_eq!(done, expected_reply(page, reply), "{page:?} + {reply:?}");
        }
    }
}

#[test]
fn a_new_session_goes_on_at_every_page() {
    for page in PAGES {
        let mut desk = desk_at(page);
        let before = desk.heading();
        desk.session_ends();
        assert_eq!(place_of(&desk.flow.state), Place::TokenExpired, "{page:?}");
        desk.send(crate::Event::TokenSet { token: desk::token("second") });
        desk.reply_session(stock::session());
        assert_eq!((place_of(&desk.flow.state), desk.heading()), (Place::Accounts, before), "{page:?}");
    }
}
