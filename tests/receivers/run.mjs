/**
 * Runs the receivers of docs/how-to/verify-webhooks.md with the vectors of tests/contract. Usage: node run.mjs FOLDER, which
 * gets their sources.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";

const root = new URL("../../", import.meta.url);
const read = (path) => readFileSync(new URL(path, root), "utf8");
const [folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

const GUIDE = "docs/how-to/verify-webhooks.md";
const vectors = JSON.parse(read("tests/contract/webhook-vectors.json"));

/** Returns the code of a language in the guide. */
function source(language) {
  const [, code] = new RegExp(`^\`\`\`${language} receiver\n(.*?)^\`\`\``, "ms").exec(read(GUIDE)) ?? [];
  if (!code) throw new Error(`${GUIDE} has no receiver in ${language}`);
  return code;
}

/** Languages with the names of their files, and the commands that build and start them. */
const LANGUAGES = [
  { language: "js", file: "receiver.mjs", start: () => ["node", "receiver.mjs"] },
  { language: "python", file: "receiver.py", start: () => ["python3", "receiver.py"] },
  { language: "go", file: "receiver.go", build: ["go", "build", "-o", "receiver-go", "receiver.go"], start: () => ["./receiver-go"] },
  { language: "php", file: "receiver.php", start: (port) => ["php", "-d", "post_max_size=32M", "-S", `127.0.0.1:${port}`, "receiver.php"] },
  { language: "ruby", file: "receiver.rb", start: () => ["ruby", "receiver.rb"] },
  { language: "java", file: "Receiver.java", build: ["javac", "Receiver.java"], start: () => ["java", "-cp", ".", "Receiver"] },
];

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Waits until a program listens. */
async function listens(port, child) {
  for (let attempt = 0; attempt < 600 && child.exitCode === null; attempt += 1) {
    const open = await new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
      socket.on("connect", () => socket.destroy());
    });
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("it does not listen");
}

/** Starts a receiver with a secret, and calls `use` with a function that posts a body and returns the status. */
async function withReceiver({ start }, secret, use) {
  const port = await freePort();
  const [program, ...words] = start(port);
  const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port), LANG: "C.UTF-8" };
  const child = spawn(program, words, { cwd: folder, env, stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  child.stderr.on("data", (chunk) => (log += chunk));
  const failed = new Promise((_, reject) => child.on("error", reject));
  try {
    await Promise.race([listens(port, child), failed]);
    await use(async (body, headers) => (await fetch(`http://127.0.0.1:${port}/webhooks`, { method: "POST", body, headers })).status);
  } catch (error) {
    throw new Error(`${error.message}\n${log}`);
  } finally {
    child.kill("SIGKILL");
  }
}

const sha512 = (secret, body) => createHmac("sha512", secret).update(body).digest("hex");

async function check(language) {
  const failures = [];
  const expectStatus = (what, found, expected) => {
    if (found !== expected) failures.push(`${language.language}: ${what}: ${found} instead of ${expected}`);
  };
  writeFileSync(join(folder, language.file), source(language.language));
  if (language.build) {
    const [program, ...words] = language.build;
    // Go needs a folder for its build cache.
    const env = { ...process.env, GOCACHE: join(folder, "go-cache"), GO111MODULE: "off" };
    const built = spawnSync(program, words, { cwd: folder, env, encoding: "utf8" });
    if (built.status !== 0) return [`${language.language}: ${built.error?.message ?? built.stderr}`];
  }
  for (const { name, secret, nextSecret, body, headers } of vectors) {
    const bytes = Buffer.from(body);
    for (const known of [secret, nextSecret].filter(Boolean)) {
      await withReceiver(language, known, async (post) => {
        expectStatus(name, await post(bytes, headers), 204);
        const changed = Buffer.from(bytes);
        changed[changed.length - 2] ^= 1;
        expectStatus(`${name}, one byte changed`, await post(changed, headers), 401);
        const { "Service-Signature": signature } = headers;
        const other = { ...headers, "Service-Signature": signature.slice(0, -1), "Service-Signature-Next": "é" };
        expectStatus(`${name}, a short signature`, await post(bytes, other), 401);
        expectStatus(`${name}, no signature`, await post(bytes, {}), 401);
      });
    }
  }
  await withReceiver(language, "the secret of large bodies", async (post) => {
    const signed = (body) => ({ "Service-Signature": sha512("the secret of large bodies", body) });
    const large = Buffer.from(JSON.stringify({ id: "et-1", type: "TASK_FINISHED", data: randomBytes(10_000_000).toString("hex") }));
    expectStatus("a body of 20 MB", await post(large, signed(large)), 204);
    const huge = Buffer.alloc(33 * 1024 * 1024, " ");
    const status = await post(huge, signed(huge)).catch(() => 413);
    if (status < 400) failures.push(`${language.language}: a body of 33 MB is accepted`);
  });
  return failures;
}

let failed = 0;
for (const language of LANGUAGES) {
  const failures = await check(language).catch((error) => [`${language.language}: ${error.message}`]);
  for (const failure of failures) console.log(failure);
  console.log(`receivers: ${language.language} ${failures.length ? "failed" : "verified the vectors"}`);
  failed += failures.length ? 1 : 0;
}
console.log(`${LANGUAGES.length - failed} passed`);
if (failed) {
  console.log(`${failed} failed`);
  process.exit(1);
}
