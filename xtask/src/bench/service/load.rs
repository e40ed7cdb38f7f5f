//! wrk, and what it tells.

use std::path::PathBuf;

use super::places::Places;
use crate::failure::{Failure, Outcome};
use crate::files;

const SECONDS: &str = "3s";

/// Requests that wrk sends.
pub struct Load<'a> {
    places: &'a Places<'a>,
    script: &'static str,
    paths: PathBuf,
    authorization: String,
}

/// What came of a load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loaded {
    /// Answers a second.
    pub per_second: f64,
    /// All but one in a hundred were answered within this.
    pub p99_ms: f64,
}

impl<'a> Load<'a> {
    /// GETs of these paths at random; `name` is theirs alone.
    pub fn get(places: &'a Places<'a>, name: &str, paths: &[String], authorization: &str) -> Outcome<Self> {
        let file = places.folder.join(format!("{name}.txt"));
        files::write(&file, paths.join("\n"))?;
        Ok(Self {
            places,
            script: "tests/bench/get.lua",
            paths: file,
            authorization: authorization.to_owned(),
        })
    }

    /// POSTs of an empty object.
    pub fn post(places: &'a Places<'a>, authorization: &str) -> Self {
        let authorization = authorization.to_owned();
        Self { places, script: "tests/bench/post.lua", paths: PathBuf::new(), authorization }
    }

    /// Sends the script's own requests to a port over so many connections.
    pub fn run(&self, port: u16, connections: u32) -> Outcome<Loaded> {
        self.run_at(port, connections, "/")
    }

    /// Sends them to an address.
    pub fn run_at(&self, port: u16, connections: u32, path: &str) -> Outcome<Loaded> {
        let env = self.places.env;
        let told = env
            .program("wrk")
            .args(["--latency", "--threads", "1", "--duration", SECONDS, "--script", self.script])
            .args(["--connections", &connections.to_string()])
            .arg(format!("http://localhost:{port}{path}"))
            .env("BENCH_PATHS", &self.paths)
            .env("BENCH_AUTHORIZATION", &self.authorization)
            .output()?;
        read(&told)
    }
}

/// Reads what wrk printed; an answer that is no success makes the whole figure worthless.
fn read(told: &str) -> Outcome<Loaded> {
    if told.contains("Non-2xx") || told.contains("Socket errors") {
        return Err(Failure::new("requests of the bench were not answered as they should").why(told));
    }
    let after = |label: &str| {
        told.lines().find_map(|line| line.trim().strip_prefix(label)).map(str::trim).unwrap_or_default()
    };
    let per_second = after("Requests/sec:").parse().ok();
    match (per_second, milliseconds(after("99%"))) {
        (Some(per_second), Some(p99_ms)) => Ok(Loaded { per_second, p99_ms }),
        (Some(_) | None, Some(_) | None) => Err(Failure::new("wrk told no figures").why(told)),
    }
}

fn milliseconds(text: &str) -> Option<f64> {
    let units = [("us", 0.001), ("ms", 1.0), ("s", 1_000.0)];
    let (number, scale) = units.iter().find_map(|(unit, scale)| Some((text.strip_suffix(unit)?, scale)))?;
    number.parse::<f64>().ok().map(|number| number * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOLD: &str =
        "  Latency Distribution\n     50%  635.00us\n     99%    1.50ms\n  Requests/sec:  12345.6\n";

    #[test]
    fn rate_and_latency_are_read() {
        assert_eq!(read(TOLD).unwrap(), Loaded { per_second: 12_345.6, p99_ms: 1.5 });
        assert_eq!(milliseconds("635.00us"), Some(0.635));
        assert_eq!(milliseconds("1.20s"), Some(1_200.0));
    }

    #[test]
    fn refusals_are_no_figure() {
        let told = format!("{TOLD}  Non-2xx or 3xx responses: 5\n");
        assert!(read(&told).unwrap_err().to_string().contains("Non-2xx"));
        assert!(read("").is_err());
    }
}
