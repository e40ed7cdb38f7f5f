//! The alerts of packaging/prometheus and the metrics of a running service, checked by `promtool`.

use crate::env::Env;
use crate::failure::Outcome;
use crate::files;
use crate::process::{Program, is_on_path};
use crate::stack::{self, Ports, Stack};
use crate::suite::tally::Tally;

const FOLDER: &str = "packaging/prometheus";
/// The folder of the tool cache. The version is that of the machine's packages.
const TOOL: &str = "promtool-debian";

/// Tests that each alert fires when it must, and that Prometheus accepts what the service reports.
///
/// # Errors
/// If an alert or a metric is not as it must be, or the service does not start.
pub fn test(env: &Env, tally: &mut Tally) -> Outcome {
    let Some(promtool) = find_promtool(env) else {
        println!("skipped: `promtool` is not on PATH, and apt has no package prometheus");
        tally.skipped += 1;
        return Ok(());
    };
    let check = |words: &[&str]| env.program(&promtool).args(words).dir(&env.at(FOLDER)).run();
    check(&["check", "rules", "alerts.yml"])?;
    check(&["test", "rules", "alerts.test.yml"])?;

    stack::build(env)?;
    let (service, metrics) = (Ports::free()?.service, Ports::free()?.service);
    let listen = format!("127.0.0.1:{metrics}");
    let folder = env.cache.join("prometheus").join(env.checkout());
    let stack = Stack::start_service(env, service, folder, &["--metrics-listen", &listen])?;
    let scrape = stack.folder.join("metrics.txt");
    files::write(
        &scrape,
        Program::new("curl").args(["-sSf", &format!("http://{listen}/metrics")]).output()?,
    )?;
    Program::new("sh").args(["-c", "exec \"$0\" check metrics < \"$1\"", &promtool]).arg(&scrape).run()?;
    tally.passed += 3;
    Ok(())
}

/// Returns the program. The package would also start a server, so it is only unpacked. `None` if apt has no such package.
fn find_promtool(env: &Env) -> Option<String> {
    if is_on_path("promtool", &env.path()) {
        return Some("promtool".to_owned());
    }
    let tool = env.tool("prometheus", TOOL);
    let program = tool.join("usr/bin/promtool");
    if !program.is_file() {
        println!("setup: downloading prometheus with apt for promtool (usually 5 s) ...");
        files::make_dir(&tool).ok()?;
        Program::new("apt-get").args(["download", "-q", "prometheus"]).dir(&tool).output().ok()?;
        let unpack =
            "for package in prometheus_*.deb; do dpkg-deb --extract \"$package\" . && rm \"$package\"; done";
        Program::new("sh").args(["-c", unpack]).dir(&tool).output().ok()?;
    }
    program.is_file().then(|| program.to_string_lossy().into_owned())
}
