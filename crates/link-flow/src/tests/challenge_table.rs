//! The page of each kind of challenge. No wildcard: a new kind or event must be added here.

use link_types::challenge::Challenge;
use link_types::link::{ConnectStep, LinkPhase};

use super::fixtures;
use super::harness::{self, Harness};
use super::table::{StateKind, kind_of};
use crate::event::{Press, RequestError};
use crate::{Effect, Event};

/// A kind. All can be extended; codes and links can be sent again after a while.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Code,
    Choice,
    Image,
    Question,
    Approval,
    Link,
    Page,
}
use Kind::{Approval, Choice, Code, Image, Link, Page, Question};

const KINDS: [Kind; 7] = [Code, Choice, Image, Question, Approval, Link, Page];

/// An event on the page.
#[derive(Clone, Copy, Debug)]
enum Happening {
    Answered,
    AnsweredWithNothing,
    ChoiceTaken,
    MoreTimeWanted,
    SentAgainTooSoon,
    SentAgain,
    SentAnotherWay,
    SecondPassed,
    TimeOver,
    SignedIn,
    ConnectionLost,
    SessionEnded,
    Back,
}
use Happening::{
    Answered, AnsweredWithNothing, Back, ChoiceTaken, ConnectionLost, MoreTimeWanted, SecondPassed,
    SentAgain, SentAgainTooSoon, SentAnotherWay, SessionEnded, SignedIn, TimeOver,
};

const HAPPENINGS: [Happening; 13] = [
    Answered,
    AnsweredWithNothing,
    ChoiceTaken,
    MoreTimeWanted,
    SentAgainTooSoon,
    SentAgain,
    SentAnotherWay,
    SecondPassed,
    TimeOver,
    SignedIn,
    ConnectionLost,
    SessionEnded,
    Back,
];

/// The result: the kind of the first effect, or the visible change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comes {
    Nothing,
    Redrawn,
    Answer,
    Extend,
    Resend,
    Poll,
    Timer,
    To(StateKind),
}
use Comes::{Answer, Extend, Nothing, Poll, Redrawn, Resend, Timer, To};

fn challenge(kind: Kind) -> Challenge {
    let challenge = match kind {
        Code => fixtures::code(),
        Choice => fixtures::choice(),
        Image => fixtures::image(),
        Question => fixtures::question(),
        Approval => fixtures::approval(),
        Link => fixtures::email_link(),
        Page => fixtures::redirect(),
    };
    Challenge { extendable: true, expires_in_ms: Some(120_000), ..challenge }
}

fn expected_effect(kind: Kind, happening: Happening) -> Comes {
    match happening {
        Answered => match kind {
            Code | Image | Question => Answer,
            Choice => Redrawn, // No choice is selected.
            Approval | Link | Page => Nothing,
        },
        AnsweredWithNothing => match kind {
            Code | Choice | Image | Question => Redrawn,
            Approval | Link | Page => Nothing,
        },
        ChoiceTaken => match kind {
            Choice => Redrawn,
            Code | Image | Question | Approval | Link | Page => Nothing,
        },
        MoreTimeWanted => match kind {
            Code | Choice | Image | Question | Approval | Link | Page => Extend,
        },
        SentAgainTooSoon => match kind {
            Code | Choice | Image | Question | Approval | Link | Page => Nothing,
        },
        SentAgain => match kind {
            Code | Link => Resend,
            Choice | Image | Question | Approval | Page => Nothing,
        },
        SentAnotherWay => match kind {
            Code | Link => Resend,
            Choice | Image | Question | Approval | Page => Nothing,
        },
        SecondPassed => match kind {
            Code | Choice | Image | Question | Approval | Link | Page => Timer,
        },
        TimeOver => match kind {
            // The others are polled all the time.
            Code | Choice | Image | Question => Poll,
            Approval | Link | Page => Redrawn,
        },
        SignedIn => match kind {
            // No reply is awaited before the person has answered.
            Code | Choice | Image | Question => Nothing,
            Approval | Link | Page => To(StateKind::Connecting),
        },
        ConnectionLost => match kind {
            Code | Choice | Image | Question => Nothing,
            Approval | Link | Page => Timer,
        },
        SessionEnded => match kind {
            Code | Choice | Image | Question | Approval | Link | Page => To(StateKind::TokenExpired),
        },
        Back => match kind {
            Code | Choice | Image | Question | Approval | Link | Page => Nothing,
        },
    }
}

fn happen(harness: &mut Harness, clock: crate::event::TimerId, happening: Happening) -> Vec<Effect> {
    let cooled =
        |harness: &mut Harness| drop(harness.send(Event::TimerFired { timer: clock, elapsed_ms: 20_000 }));
    match happening {
        Answered => harness.submit_code("1234"),
        AnsweredWithNothing => harness.submit_code(""),
        ChoiceTaken => harness.choose("father"),
        MoreTimeWanted => harness.choose("/extend"),
        SentAgainTooSoon => harness.press(Press::Resend),
        SentAgain => {
            cooled(harness);
            harness.press(Press::Resend)
        }
        SentAnotherWay => {
            cooled(harness);
            harness.choose("/email")
        }
        SecondPassed => harness.send(Event::TimerFired { timer: clock, elapsed_ms: 1_000 }),
        TimeOver => harness.send(Event::TimerFired { timer: clock, elapsed_ms: 120_000 }),
        SignedIn => harness.reply_account(3, LinkPhase::Connecting { step: ConnectStep::LoggingIn }),
        ConnectionLost => harness.refuse_account(RequestError::Unreachable),
        SessionEnded => harness.session_ends(),
        Back => harness.press(Press::Back),
    }
}

fn comes(harness: &mut Harness, clock: crate::event::TimerId, happening: Happening) -> Comes {
    let before = harness.view();
    let effects = happen(harness, clock, happening);
    let after = kind_of(&harness.flow.state);
    if after != StateKind::Challenge {
        return To(after);
    }
    let kinds = effects.iter().find_map(|effect| {
        if matches!(effect, Effect::Answer { .. }) {
            Some(Answer)
        } else if matches!(effect, Effect::Extend { .. }) {
            Some(Extend)
        } else if matches!(effect, Effect::Resend { .. }) {
            Some(Resend)
        } else if matches!(effect, Effect::PollAccount { .. }) {
            Some(Poll)
        } else if matches!(effect, Effect::StartTimer { .. }) {
            Some(Timer)
        } else {
            None
        }
    });
    let is_cooling = matches!(happening, SentAgain | SentAnotherWay);
    kinds.unwrap_or(if harness.view() == before || is_cooling { Nothing } else { Redrawn })
}

#[test]
fn challenge_table_is_complete() {
    for kind in KINDS {
        for happening in HAPPENINGS {
            let mut harness = harness::at_challenge(challenge(kind));
            let clock = harness.timer;
            let comes = comes(&mut harness, clock, happening);
            assert_eq!(comes, expected_effect(kind, happening), "{kind:?} + {happening:?}");
        }
    }
}
