//! `bench interaction`: measures in Chromium how soon the widget shows the result of a press or key, next to React with the
//! same work, the memory of its frame, and whether a page that opens it often grows (`tests/bench/open`).

use super::open::Stage;
use super::service::figures::{self, Figure, Goal, median};
use crate::env::Env;
use crate::failure::{Failure, OrFail, Outcome};

/// The steps of a person that are measured, and whether the response to them has a limit.
const STEPS: [(&str, bool); 4] = [
    ("consent to list", true),
    ("login to progress", true),
    ("consent to long list", false),
    ("key to filtered list", true),
];

/// The factors by which the processor is slowed down.
const CPUS: [&str; 2] = ["1", "4"];

/// The most that the time of ours may be of the time of React.
const MAX_RATIO: f64 = 1.0;

/// The most that the 95th percentile of ours may be with the slower processor, in milliseconds.
const MAX_P95_MS: f64 = 50.0;

/// The most that a page may grow from a tenth of the cycles to all of them.
const MAX_GROWTH: f64 = 1.05;

/// The most providers of the long list.
const MAX_PROVIDERS: u32 = 5_000;

/// The arguments of the task.
#[derive(Debug, PartialEq, Eq)]
pub struct Choices {
    /// How often ours and React take turns.
    rounds: u32,
    /// How often the widget is opened and closed on one page.
    cycles: u32,
    /// How many providers the long list has.
    providers: u32,
    /// Uses the service of the tests instead of the released one.
    debug: bool,
}

/// Reads the arguments: the number of rounds, `--cycles` and `--providers` with their number, and `--debug`.
///
/// # Errors
/// If an argument is unknown, the number of cycles is not a multiple of 10, or there are more than 5,000 providers.
pub fn choices(words: &[&str]) -> Outcome<Choices> {
    let mut choices = Choices { rounds: 5, cycles: 1_000, providers: MAX_PROVIDERS, debug: false };
    let number = |word: &str| word.parse().or_fail(|| format!("`{word}` is not a number"));
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--debug" => choices.debug = true,
            "--cycles" => choices.cycles = number(words.next().copied().unwrap_or_default())?,
            "--providers" => choices.providers = number(words.next().copied().unwrap_or_default())?,
            rounds => choices.rounds = number(rounds)?,
        }
    }
    if choices.rounds == 0 || choices.cycles == 0 || !choices.cycles.is_multiple_of(10) {
        return Err(Failure::new("There must be a round, and a multiple of 10 cycles"));
    }
    if !(100..=MAX_PROVIDERS).contains(&choices.providers) {
        return Err(Failure::new(format!("The long list has 100 to {MAX_PROVIDERS} providers")));
    }
    Ok(choices)
}

/// Runs the benchmark, and prints every figure with its goal.
///
/// # Errors
/// If something does not build, or a screen does not appear. A missed goal is not an error.
pub fn run(env: &Env, Choices { rounds, cycles, providers, debug }: &Choices) -> Outcome {
    let stage = Stage::start(env, *debug)?;
    println!(
        "bench: {rounds} rounds, {cycles} cycles and {providers} providers; 5 rounds and 1,000 cycles take about 45 minutes ..."
    );
    let mut measured = Measured::default();
    let script = stage.script(env, "interaction.mjs").args([rounds, cycles, providers].map(u32::to_string));
    let mut faults = Vec::new();
    let ended = script.watch(|line| faults.extend(measured.add(line).err()))?;
    if let Some(fault) = faults.into_iter().next() {
        return Err(fault);
    }
    if !ended {
        return Err(Failure::new("The measurement failed"));
    }
    figures::print(&measured.figures());
    Ok(())
}

/// The figures of the script.
#[derive(Debug, Default)]
struct Measured {
    samples: Vec<Sample>,
    /// Of ours and of React: the bytes of JavaScript, of the program's memory, and of the DOM.
    memory: [Vec<[f64; 3]>; 2],
    /// The number of cycles; then heap, nodes and listeners of the page.
    cycles: Vec<[f64; 4]>,
}

/// One press or key.
#[derive(Debug)]
struct Sample {
    step: String,
    cpu: String,
    peer: Peer,
    round: u32,
    ms: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Peer {
    Ours,
    React,
}

impl Peer {
    fn read(word: &str) -> Outcome<Self> {
        match word {
            "ours" => Ok(Self::Ours),
            "react" => Ok(Self::React),
            _ => Err(Failure::new(format!("`{word}` is not a peer"))),
        }
    }
}

impl Measured {
    /// Reads a line of the script. Other lines than those with figures are skipped.
    fn add(&mut self, line: &str) -> Outcome {
        let number = |text: &str| text.parse::<f64>().or_fail(|| format!("`{text}` is not a number"));
        match line.split('\t').collect::<Vec<_>>().as_slice() {
            ["sample", step, cpu, peer, round, ms] => self.samples.push(Sample {
                step: (*step).to_owned(),
                cpu: (*cpu).to_owned(),
                peer: Peer::read(peer)?,
                round: round.parse().or_fail(|| format!("`{round}` is not a round"))?,
                ms: number(ms)?,
            }),
            ["memory", peer, script, program, dom] => {
                let [ours, react] = &mut self.memory;
                let list = match Peer::read(peer)? {
                    Peer::Ours => ours,
                    Peer::React => react,
                };
                list.push([number(script)?, number(program)?, number(dom)?]);
            }
            ["cycles", count, heap, nodes, listeners] => {
                self.cycles.push([number(count)?, number(heap)?, number(nodes)?, number(listeners)?]);
            }
            _ => {}
        }
        Ok(())
    }

    fn figures(&self) -> Vec<Figure> {
        let mut figures = Vec::new();
        for cpu in CPUS {
            for (step, is_limited) in STEPS {
                let [ours, react] = [Peer::Ours, Peer::React].map(|peer| self.times(step, cpu, peer, None));
                let name = format!("{step}, {cpu}x CPU");
                let spread = |times: &[f64]| format!("{:.0} / {:.0} ms", median(times), p95(times));
                let value = format!("{}, {}", spread(&ours), spread(&react));
                let title = format!("{name}: median / p95 of ours and React ({} times)", ours.len());
                figures.push(Figure::plain(&title, value));
                let ratio = self.ratio(step, cpu);
                figures.push(Figure::with(&format!("{name}: ours / React"), ratio, Goal::AtMost(MAX_RATIO)));
                if is_limited && Some(&cpu) == CPUS.last() {
                    figures.push(Figure::with(
                        &format!("{name}: p95, ms"),
                        p95(&ours),
                        Goal::AtMost(MAX_P95_MS),
                    ));
                }
            }
        }
        figures.extend(self.memory_figures());
        figures.extend(self.growth());
        figures
    }

    fn times(&self, step: &str, cpu: &str, peer: Peer, round: Option<u32>) -> Vec<f64> {
        let samples = self.samples.iter().filter(|it| it.step == step && it.cpu == cpu && it.peer == peer);
        samples.filter(|it| round.is_none_or(|round| round == it.round)).map(|it| it.ms).collect()
    }

    /// Returns the median of the rounds' ratios. The ratio of a round is that of the medians of ours and React.
    fn ratio(&self, step: &str, cpu: &str) -> f64 {
        let rounds = 1..=self.samples.iter().map(|it| it.round).max().unwrap_or_default();
        let of = |peer, round| median(&self.times(step, cpu, peer, Some(round)));
        let ratios: Vec<f64> = rounds.map(|round| of(Peer::Ours, round) / of(Peer::React, round)).collect();
        median(&ratios)
    }

    fn memory_figures(&self) -> [Figure; 2] {
        let of = |part: usize| {
            self.memory
                .each_ref()
                .map(|peer| median(&peer.iter().map(|it| it[part]).collect::<Vec<_>>()) / 1e6)
        };
        let [script, program, dom] = [of(0), of(1), of(2)];
        let text = |[ours, react]: [f64; 2]| format!("{ours:.1} and {react:.1}");
        let value = format!("{}; {}; {}", text(script), text(program), text(dom));
        let ratio = (script[0] + program[0]) / (script[1] + program[1]);
        [
            Figure::plain(
                "memory of the frame with the long list, MB: JavaScript; wasm; DOM of ours and React",
                value,
            ),
            Figure::with(
                "memory of the frame, JavaScript and wasm: ours / React",
                ratio,
                Goal::AtMost(MAX_RATIO),
            ),
        ]
    }

    /// Compares the page after all cycles with the page after a tenth of them.
    fn growth(&self) -> Vec<Figure> {
        let [first, .., last] = self.cycles.as_slice() else { return Vec::new() };
        let names = ["heap, MB", "DOM nodes", "listeners"];
        let units = [1e6, 1.0, 1.0];
        let lines = names.iter().zip(units).enumerate().map(|(at, (name, unit))| {
            let [before, after] = [first[at + 1] / unit, last[at + 1] / unit];
            let digits = usize::from(unit > 1.0) * 2;
            let cycles = format!("cycles {} and {}", first[0], last[0]);
            let name = format!("page after {cycles}, {name}: {before:.digits$} and {after:.digits$}; ratio");
            Figure::with(&name, after / before, Goal::AtMost(MAX_GROWTH))
        });
        lines.collect()
    }
}

/// Returns the 95th percentile, or NaN if there are no values.
fn p95(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = (sorted.len() * 95).div_ceil(100).saturating_sub(1);
    sorted.get(at).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times of one step at 4x CPU: round, ours and React.
    fn measure(times: &[(u32, f64, f64)]) -> Measured {
        let mut measured = Measured::default();
        for (round, ours, react) in times {
            measured.add(&format!("sample\tconsent to list\t4\tours\t{round}\t{ours}")).unwrap();
            measured.add(&format!("sample\tconsent to list\t4\treact\t{round}\t{react}")).unwrap();
        }
        measured
    }

    fn verdict(figures: &[Figure], name: &str) -> String {
        let figure = figures.iter().map(|it| format!("{it:?}")).find(|it| it.contains(name));
        figure.unwrap_or_default()
    }

    #[test]
    fn arguments_are_read_in_any_order() {
        assert_eq!(
            choices(&[]).unwrap(),
            Choices { rounds: 5, cycles: 1_000, providers: MAX_PROVIDERS, debug: false }
        );
        let few = choices(&["--debug", "--cycles", "20", "--providers", "500", "1"]).unwrap();
        assert_eq!(few, Choices { rounds: 1, cycles: 20, providers: 500, debug: true });
        for wrong in [
            &["many"][..],
            &["0"],
            &["--cycles"],
            &["--cycles", "15"],
            &["--cycles", "0"],
            &["--providers", "9999"],
        ] {
            assert!(choices(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn p95_is_exceeded_by_one_of_twenty() {
        let times: Vec<f64> = (1..=40).rev().map(f64::from).collect();
        assert_eq!(p95(&times), 38.0);
        assert_eq!(p95(&[7.0]), 7.0);
        assert!(p95(&[]).is_nan());
    }

    #[test]
    fn slow_round_of_both_does_not_change_the_ratio() {
        let rounds = [(1, 10.0, 20.0), (1, 12.0, 20.0), (1, 90.0, 21.0), (2, 400.0, 500.0), (3, 10.0, 40.0)];
        assert_eq!(measure(&rounds).ratio("consent to list", "4"), 0.6);
    }

    #[test]
    fn goals_are_for_the_ratio_and_for_the_slower_processor() {
        let figures = measure(&[(1, 49.0, 48.0), (1, 51.0, 48.0)]).figures();
        assert!(verdict(&figures, "consent to list, 4x CPU: ours / React").contains("MISSED"));
        assert!(verdict(&figures, "consent to list, 4x CPU: p95").contains("MISSED"));
        assert_eq!(verdict(&figures, "consent to list, 1x CPU: p95"), "");
        // A step without samples has not met its goal.
        assert!(verdict(&figures, "login to progress, 4x CPU: ours / React").contains("MISSED"));
        let figures = measure(&[(1, 50.0, 50.0)]).figures();
        assert!(verdict(&figures, "consent to list, 4x CPU: ours / React").contains(" met"));
        assert!(verdict(&figures, "consent to list, 4x CPU: p95").contains(" met"));
    }

    #[test]
    fn memory_counts_the_program_and_growth_compares_the_ends() {
        let mut measured = Measured::default();
        for line in [
            "memory\tours\t2000000\t3000000\t1",
            "memory\treact\t5000000\t0\t1",
            "cycles\t100\t1000000\t200\t50",
            "cycles\t1000\t1060000\t200\t52",
            "bench: react.js 56000 bytes",
        ] {
            measured.add(line).unwrap();
        }
        let figures = measured.figures();
        assert!(verdict(&figures, "JavaScript and wasm").contains(" met"));
        assert!(verdict(&figures, "heap, MB: 1.00 and 1.06").contains("MISSED"));
        assert!(verdict(&figures, "DOM nodes: 200 and 200").contains(" met"));
        assert!(verdict(&figures, "listeners: 50 and 52").contains(" met"));
        assert!(measured.add("memory\tvue\t1\t1\t1").is_err() && measured.add("cycles\t1\tx\t1\t1").is_err());
    }
}
