//! Sends load with wrk, and parses its output.

use std::path::PathBuf;

use super::places::Places;
use crate::failure::{Failure, Outcome};
use crate::files;

const SECONDS: &str = "3s";
/// A response that is later than this is an error. A peer whose writers wait for each other can need more than wrk's 2 s.
const TIMEOUT: &str = "30s";

/// Requests that wrk sends.
pub struct Load<'a> {
    places: &'a Places<'a>,
    script: &'static str,
    paths: PathBuf,
    authorization: String,
    /// Whether responses may be refusals.
    is_refused: bool,
}

/// The result of a load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loaded {
    /// Responses per second.
    pub per_second: f64,
    /// The 99th percentile of the latency in milliseconds.
    pub p99_ms: f64,
}

impl<'a> Load<'a> {
    /// Creates a load of GET requests for random paths. `name` must be unique.
    pub fn get(places: &'a Places<'a>, name: &str, paths: &[String], authorization: &str) -> Outcome<Self> {
        Self::of_paths(places, "tests/bench/get.lua", name, paths, authorization)
    }

    /// Creates a load of GET requests for random paths, about 40 a second on each connection.
    pub fn get_slowly(
        places: &'a Places<'a>,
        name: &str,
        paths: &[String],
        authorization: &str,
    ) -> Outcome<Self> {
        Self::of_paths(places, "tests/bench/paced.lua", name, paths, authorization)
    }

    /// Creates a load of people who open link sites and begin visits, about 10 requests a second on each connection. Refusals by a
    /// limit are allowed.
    pub fn visits(places: &'a Places<'a>, name: &str, paths: &[String]) -> Outcome<Self> {
        let visits = Self::of_paths(places, "tests/bench/sites.lua", name, paths, "")?;
        Ok(Self { is_refused: true, ..visits })
    }

    fn of_paths(
        places: &'a Places<'a>,
        script: &'static str,
        name: &str,
        paths: &[String],
        authorization: &str,
    ) -> Outcome<Self> {
        let file = places.folder.join(format!("{name}.txt"));
        files::write(&file, paths.join("\n"))?;
        Ok(Self { places, script, paths: file, authorization: authorization.to_owned(), is_refused: false })
    }

    /// Creates a load of POST requests with an empty object.
    pub fn post(places: &'a Places<'a>, authorization: &str) -> Self {
        let authorization = authorization.to_owned();
        Self {
            places,
            script: "tests/bench/post.lua",
            paths: PathBuf::new(),
            authorization,
            is_refused: false,
        }
    }

    /// Sends the requests of the script to a port, over this number of connections.
    pub fn run(&self, port: u16, connections: u32) -> Outcome<Loaded> {
        self.run_at(port, connections, "/")
    }

    /// Sends the requests to a path.
    ///
    /// # Errors
    /// If a response is not 2xx or 3xx, or if a connection fails.
    pub fn run_at(&self, port: u16, connections: u32, path: &str) -> Outcome<Loaded> {
        let env = self.places.env;
        let printed = env
            .program("wrk")
            .args(["--latency", "--threads", "1", "--duration", SECONDS, "--timeout", TIMEOUT])
            .args(["--script", self.script])
            .args(["--connections", &connections.to_string()])
            .arg(format!("http://localhost:{port}{path}"))
            .env("BENCH_PATHS", &self.paths)
            .env("BENCH_AUTHORIZATION", &self.authorization)
            .output()?;
        parse(&printed, self.is_refused)
    }
}

/// Parses the output of wrk. Fails if any request failed, unless it may be refused, because the figures would be meaningless.
fn parse(printed: &str, is_refused: bool) -> Outcome<Loaded> {
    if (printed.contains("Non-2xx") && !is_refused) || printed.contains("Socket errors") {
        return Err(Failure::new("Some requests of the benchmark failed").why(printed));
    }
    let after = |label: &str| {
        printed.lines().find_map(|line| line.trim().strip_prefix(label)).map(str::trim).unwrap_or_default()
    };
    let per_second = after("Requests/sec:").parse().ok();
    match (per_second, milliseconds(after("99%"))) {
        (Some(per_second), Some(p99_ms)) => Ok(Loaded { per_second, p99_ms }),
        (Some(_) | None, Some(_) | None) => {
            Err(Failure::new("Could not parse the output of wrk").why(printed))
        }
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

    const PRINTED: &str =
        "  Latency Distribution\n     50%  635.00us\n     99%    1.50ms\n  Requests/sec:  12345.6\n";

    #[test]
    fn rate_and_latency_are_parsed() {
        assert_eq!(parse(PRINTED, false).unwrap(), Loaded { per_second: 12_345.6, p99_ms: 1.5 });
        assert_eq!(milliseconds("635.00us"), Some(0.635));
        assert_eq!(milliseconds("1.20s"), Some(1_200.0));
    }

    #[test]
    fn output_with_failed_requests_is_rejected() {
        let printed = format!("{PRINTED}  Non-2xx or 3xx responses: 5\n");
        assert!(parse(&printed, true).is_ok());
        assert!(parse(&printed, false).unwrap_err().to_string().contains("Non-2xx"));
        assert!(parse("", true).is_err());
    }
}
