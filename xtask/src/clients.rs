//! Tests clients that are generated from docs/openapi.json, in TypeScript and Python, against a service: those of our
//! packages, and one of a generator that is not ours.

use crate::env::Env;
use crate::failure::Outcome;
use crate::packages;
use crate::stack::{self, Ports, Stack};
use crate::suite::tally::Tally;

/// Generates the clients and runs a tenant's typical requests with each.
pub fn run(env: &Env, tally: &mut Tally) -> Outcome {
    stack::build(env)?;
    let ports = Ports::free()?;
    let folder = env.cache.join("clients").join(env.checkout());
    let stack = Stack::start_service(env, ports.service, folder, &[])?;
    let (key, secret) = stack.sandbox_credentials()?;
    let arguments = [format!("http://localhost:{}/sandbox/v1", ports.service), format!("{key}:{secret}")];

    let bundle = stack.folder.join("main.mjs");
    env.esbuild()
        .args(["tests/clients/main.ts", "--bundle", "--platform=node", "--format=esm"])
        .args(["--log-level=warning", &format!("--outfile={}", bundle.display())])
        .run()?;
    env.program("node").arg(&bundle).args(&arguments).run()?;
    tally.passed += 1;

    let client = stack.folder.join("python");
    env.program(&env.api_tool("openapi-python-client").to_string_lossy())
        .args(["generate", "--path", "docs/openapi.json", "--meta", "none", "--overwrite", "--output-path"])
        .arg(client.join("linchpin_client"))
        .output()?;
    env.program(&env.api_tool("python").to_string_lossy())
        .arg("tests/clients/main.py")
        .args(&arguments)
        .env("PYTHONPATH", &client)
        .run()?;
    tally.passed += 1;

    let python = packages::python::install(env)?;
    env.program(&python.to_string_lossy()).args(["-B", "tests/clients/package.py"]).args(&arguments).run()?;
    tally.passed += 1;
    Ok(())
}
