//! What the page of each kind of challenge does. No wildcard: a new kind or a new happening must be decided here.

use link_types::challenge::Challenge;
use link_types::link::{ConnectStep, LinkPhase};

use super::desk::{self, Desk};
use super::stock;
use super::table::{Place, place_of};
use crate::event::{Press, Refusal};
use crate::{Effect, Event};

/// A kind; all may be extended here, and codes and links sent again after a while.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Code,
    Choice,
    Image,
    Question,
    Approval,
    Link,
}
use Kind::{Approval, Choice, Code, Image, Link, Question};

const KINDS: [Kind; 6] = [Code, Choice, Image, Question, Approval, Link];

/// What happens on the page.
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

/// What comes of it: the first effect's kind, or what else can be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comes {
    Nothing,
    Redrawn,
    Answer,
    Extend,
    Resend,
    Poll,
    Timer,
    To(Place),
}
use Comes::{Answer, Extend, Nothing, Poll, Redrawn, Resend, Timer, To};

fn challenge(kind: Kind) -> Challenge {
    let challenge = match kind {
        Code => stock::code(),
        Choice => stock::choice(),
        Image => stock::image(),
        Question => stock::question(),
        Approval => stock::approval(),
        Link => stock::email_link(),
    };
    Challenge { extendable: true, expires_in_ms: Some(120_000), ..challenge }
}

fn expected(kind: Kind, happening: Happening) -> Comes {
    match happening {
        Answered => match kind {
            Code | Image | Question => Answer,
            Choice => Redrawn, // Nothing was chosen.
            Approval | Link => Nothing,
        },
        AnsweredWithNothing => match kind {
            Code | Choice | Image | Question => Redrawn,
            Approval | Link => Nothing,
        },
        ChoiceTaken => match kind {
            Choice => Redrawn,
            Code | Image | Question | Approval | Link => Nothing,
        },
        MoreTimeWanted => match kind {
            Code | Choice | Image | Question | Approval | Link => Extend,
        },
        SentAgainTooSoon => match kind {
            Code | Choice | Image | Question | Approval | Link => Nothing,
        },
        SentAgain => match kind {
            Code | Link => Resend,
            Choice | Image | Question | Approval => Nothing,
        },
        SentAnotherWay => match kind {
            Code | Link => Resend,
            Choice | Image | Question | Approval => Nothing,
        },
        SecondPassed => match kind {
            Code | Choice | Image | Question | Approval | Link => Timer,
        },
        TimeOver => match kind {
            // The others are asked for all the time.
            Code | Choice | Image | Question => Poll,
            Approval | Link => Redrawn,
        },
        SignedIn => match kind {
            // Nobody waits for an answer where the person has not answered.
            Code | Choice | Image | Question => Nothing,
            Approval | Link => To(Place::Connecting),
        },
        ConnectionLost => match kind {
            Code | Choice | Image | Question => Nothing,
            Approval | Link => Timer,
        },
        SessionEnded => match kind {
            Code | Choice | Image | Question | Approval | Link => To(Place::TokenExpired),
        },
        Back => match kind {
            Code | Choice | Image | Question | Approval | Link => Nothing,
        },
    }
}

fn happen(desk: &mut Desk, clock: crate::event::TimerId, happening: Happening) -> Vec<Effect> {
    let cooled = |desk: &mut Desk| drop(desk.send(Event::TimerFired { timer: clock, elapsed_ms: 20_000 }));
    match happening {
        Answered => desk.submit_code("1234"),
        AnsweredWithNothing => desk.submit_code(""),
        ChoiceTaken => desk.choose("father"),
        MoreTimeWanted => desk.choose("/extend"),
        SentAgainTooSoon => desk.press(Press::Resend),
        SentAgain => {
            cooled(desk);
            desk.press(Press::Resend)
        }
        SentAnotherWay => {
            cooled(desk);
            desk.choose("/email")
        }
        SecondPassed => desk.send(Event::TimerFired { timer: clock, elapsed_ms: 1_000 }),
        TimeOver => desk.send(Event::TimerFired { timer: clock, elapsed_ms: 120_000 }),
        SignedIn => desk.reply_account(3, LinkPhase::Connecting { step: ConnectStep::LoggingIn }),
        ConnectionLost => desk.refuse_account(Refusal::Unreachable),
        SessionEnded => desk.session_ends(),
        Back => desk.press(Press::Back),
    }
}

fn comes(desk: &mut Desk, clock: crate::event::TimerId, happening: Happening) -> Comes {
    let before = desk.view();
    let effects = happen(desk, clock, happening);
    let after = place_of(&desk.flow.state);
    if after != Place::Challenge {
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
    kinds.unwrap_or(if desk.view() == before || is_cooling { Nothing } else { Redrawn })
}

#[test]
fn every_kind_does_with_every_happening_what_is_written_here() {
    for kind in KINDS {
        for happening in HAPPENINGS {
            let mut desk = desk::at_challenge(challenge(kind));
            let clock = desk.timer;
            let comes = comes(&mut desk, clock, happening);
            assert_eq!(comes, expected(kind, happening), "{kind:?} + {happening:?}");
        }
    }
}
