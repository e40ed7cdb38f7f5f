//! The clients that strangers generate from docs/openapi.json, in TypeScript and in Python, used against a service.

use crate::failure::Outcome;
use crate::machine::Machine;
use crate::stack::{self, Ports, Stack};
use crate::suite::Tally;

/// Makes both clients and has each do a tenant's round.
pub fn run(machine: &Machine, tally: &mut Tally) -> Outcome {
    stack::build(machine)?;
    let ports = Ports::free()?;
    let folder = machine.cache.join("clients").join(machine.checkout());
    let stack = Stack::start_service(machine, ports.service, folder, &[])?;
    let (key, secret) = stack.sandbox_credentials()?;
    let arguments = [format!("http://localhost:{}/sandbox/v1", ports.service), format!("{key}:{secret}")];

    let bundle = stack.folder.join("main.mjs");
    machine
        .npm_bin("esbuild")
        .args(["tests/clients/main.ts", "--bundle", "--platform=node", "--format=esm"])
        .args(["--log-level=warning", &format!("--outfile={}", bundle.display())])
        .run()?;
    machine.program("node").arg(&bundle).args(&arguments).run()?;
    tally.passed += 1;

    let client = stack.folder.join("python");
    machine
        .program(&machine.api_tool("openapi-python-client").to_string_lossy())
        .args(["generate", "--path", "docs/openapi.json", "--meta", "none", "--overwrite", "--output-path"])
        .arg(client.join("linchpin_client"))
        .output()?;
    machine
        .program(&machine.api_tool("python").to_string_lossy())
        .arg("tests/clients/main.py")
        .args(&arguments)
        .env("PYTHONPATH", &client)
        .run()?;
    tally.passed += 1;
    Ok(())
}
