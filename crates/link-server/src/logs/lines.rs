//! Lines on their way to standard error. A request waits for no write of its line: a thread writes what has come since it
//! last did, some dozen times a second.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tracing_subscriber::fmt::MakeWriter;

/// At most this old is a line when it is written.
const EVERY: Duration = Duration::from_millis(20);
/// More than this is not kept: whoever logs waits then until it is written.
const ROOM: usize = 1 << 20;

/// Where lines are left.
#[derive(Debug, Clone, Default)]
pub(super) struct Lines(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    kept: Mutex<Kept>,
    /// Something was left, or the end has come.
    left: Condvar,
    /// What was left is taken.
    taken: Condvar,
}

#[derive(Debug, Default)]
struct Kept {
    bytes: Vec<u8>,
    ended: bool,
}

impl Shared {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = &'a Lines;

    fn make_writer(&'a self) -> Self::Writer {
        self
    }
}

impl Write for &Lines {
    /// Takes a whole line: they come so from the formatter.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let shared = &self.0;
        let mut kept = shared.kept();
        while kept.bytes.len() > ROOM && !kept.ended {
            kept = shared.taken.wait(kept).unwrap_or_else(PoisonError::into_inner);
        }
        if kept.bytes.is_empty() {
            shared.left.notify_one();
        }
        kept.bytes.extend_from_slice(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The thread that writes; dropped, it has written everything.
#[derive(Debug)]
pub struct Writing {
    lines: Lines,
    thread: Option<JoinHandle<()>>,
}

impl Writing {
    /// Writes what is left at `lines` from now on.
    pub(super) fn start(lines: &Lines, to: impl Write + Send + 'static) -> io::Result<Self> {
        let own = lines.clone();
        let thread =
            std::thread::Builder::new().name("log".to_owned()).spawn(move || write_all(&own.0, to))?;
        Ok(Self { lines: lines.clone(), thread: Some(thread) })
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        self.lines.0.kept().ended = true;
        self.lines.0.left.notify_one();
        if let Some(thread) = self.thread.take() {
            // It panics nowhere, and there would be no log left to say so in.
            drop(thread.join());
        }
    }
}

fn write_all(shared: &Shared, mut to: impl Write) {
    let mut bytes = Vec::new();
    loop {
        let ended = {
            let mut kept = shared.kept();
            while kept.bytes.is_empty() && !kept.ended {
                kept = shared.left.wait(kept).unwrap_or_else(PoisonError::into_inner);
            }
            std::mem::swap(&mut bytes, &mut kept.bytes);
            kept.ended
        };
        shared.taken.notify_all();
        // Who closed standard error wants no log, and what a full disk did not take has no other place.
        drop(write(&mut to, &bytes));
        bytes.clear();
        if ended {
            return;
        }
        std::thread::sleep(EVERY);
    }
}

fn write(to: &mut impl Write, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match to.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // Whoever gave us standard error does not want to be waited for in it.
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => std::thread::sleep(EVERY),
            Err(error) => return Err(error),
        }
    }
    to.flush()
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;

    /// Tells each write, and lasts until it is let go on.
    struct Slow {
        written: Sender<Vec<u8>>,
        go_on: Receiver<()>,
    }

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.written.send(bytes.to_vec()).unwrap();
            // Everybody is let go on once the other end is gone.
            let _ = self.go_on.recv();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn slow() -> (Slow, Receiver<Vec<u8>>, Sender<()>) {
        let (written, writes) = channel();
        let (go_on, waits) = channel();
        (Slow { written, go_on: waits }, writes, go_on)
    }

    fn log(lines: &Lines, line: &str) {
        lines.make_writer().write_all(line.as_bytes()).unwrap();
    }

    #[test]
    fn what_comes_during_a_write_is_written_with_the_next_in_order() {
        let (lines, (to, writes, go_on)) = (Lines::default(), slow());
        let writing = Writing::start(&lines, to).unwrap();
        log(&lines, "one\n");
        assert_eq!(writes.recv().unwrap(), b"one\n");
        log(&lines, "two\n");
        log(&lines, "three\n");
        drop(go_on);
        assert_eq!(writes.recv().unwrap(), b"two\nthree\n");
        drop(writing);
    }

    #[test]
    fn nothing_is_lost_at_the_end() {
        let (lines, (to, writes, go_on)) = (Lines::default(), slow());
        let writing = Writing::start(&lines, to).unwrap();
        drop(go_on);
        for number in 0..1_000 {
            log(&lines, &format!("{number}\n"));
        }
        drop(writing);
        let written: Vec<u8> = writes.into_iter().flatten().collect();
        let expected: String = (0..1_000).map(|number| format!("{number}\n")).collect();
        assert_eq!(String::from_utf8(written).unwrap(), expected);
    }

    /// Takes a few bytes, is busy, is interrupted, and begins anew.
    #[derive(Default)]
    struct Halting {
        calls: usize,
        taken: Vec<u8>,
    }

    impl Write for Halting {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.calls += 1;
            match self.calls % 3 {
                0 => Err(io::ErrorKind::WouldBlock.into()),
                1 => Err(io::ErrorKind::Interrupted.into()),
                _ => {
                    let few = &bytes[..bytes.len().min(3)];
                    self.taken.extend_from_slice(few);
                    Ok(few.len())
                }
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_batch_is_written_whole_however_it_is_taken() {
        let mut to = Halting::default();
        super::write(&mut to, b"a line\nand another\n").unwrap();
        assert_eq!(to.taken, b"a line\nand another\n");
    }

    #[test]
    fn who_logs_more_than_is_written_waits_for_room() {
        let (lines, (to, writes, go_on)) = (Lines::default(), slow());
        let writing = Writing::start(&lines, to).unwrap();
        log(&lines, "first\n");
        writes.recv().unwrap();
        log(&lines, &"x".repeat(ROOM + 1));
        let (done, is_done) = channel();
        let waiting = lines.clone();
        let last = std::thread::spawn(move || {
            log(&waiting, "last\n");
            done.send(()).unwrap();
        });
        assert!(is_done.recv_timeout(Duration::from_millis(50)).is_err(), "there was no room");
        drop(go_on);
        is_done.recv().unwrap();
        last.join().unwrap();
        drop(writing);
        assert_eq!(writes.into_iter().last().unwrap(), b"last\n");
    }
}
