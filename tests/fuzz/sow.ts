/**
 * Creates one resource of each kind in a new sandbox through the API, and prints their ids, because Schemathesis cannot
 * generate ids that exist. `{PATH: {PARAMETER: [ID, …]}}`, newest first.
 */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { seal } from "../../www/frame/seal";

type Json = any;

const [origin, keysFile] = process.argv.slice(2);
assert(origin && keysFile, "usage: sow.ts ORIGIN KEYS_FILE");
const keys = JSON.parse(await readFile(keysFile, "utf8")).sandbox;
const basic = `Basic ${Buffer.from(`${keys.apiKey}:${keys.apiSecret}`).toString("base64")}`;
const HOST_ORIGIN = "https://tenant.example";
const CONSENT = { consentedAt: "2026-11-20T11:07:11.000Z", type: "TERMS", version: "1", consentedWith: "I agree." };
const PERSON = { mobileNumber: "525500000100", emailAddress: "success@example.com" };

async function call(method: string, path: string, body?: object, authorization = basic): Promise<Json> {
  const headers = { authorization, "content-type": "application/json" };
  const answer = await fetch(`${origin}/sandbox/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  assert(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
  return text ? JSON.parse(text) : null;
}

/** Polls until the condition is true. */
async function until(path: string, isSo: (found: Json) => boolean): Promise<Json> {
  for (let tries = 0; tries < 600; tries += 1) {
    const found = await call("GET", path);
    if (isSo(found)) return found;
    await new Promise((wake) => setTimeout(wake, 50));
  }
  throw new Error(`${path} did not reach the expected state in time`);
}

/** Opens a widget session for a new user, as the frame does. */
async function session(): Promise<{ userId: string; bearer: string; state: Json }> {
  const user = await call("POST", "/users", {});
  const secret = randomBytes(32).toString("base64url");
  const bearer = `Bearer ${secret}`;
  const templateId = keys.linkTemplateId;
  const exchange = { token: user.token.accessToken, secret, templateId, hostOrigin: HOST_ORIGIN };
  await call("POST", "/link/sessions", exchange, bearer);
  return { userId: user.id, bearer, state: await call("GET", "/link/session", undefined, bearer) };
}

type Session = Awaited<ReturnType<typeof session>>;

/** Links an account as the widget does, with credentials encrypted to the session. Returns its id. */
async function link(provider: Json, { userId, bearer, state }: Session): Promise<string> {
  const option = provider.loginOptions[0];
  const name = option?.id === "email" ? "good@example.com" : "good";
  const form = option && { [option.fields[0].name]: name, password: "pass" };
  const key = await call("GET", "/link/sealingKey", undefined, bearer);
  const context = ["credentials", state.sessionId, state.attempt.id, provider.id] as const;
  const { accountId } = await call(
    "POST",
    "/link/accounts",
    {
      providerId: provider.id,
      loginOption: option?.id ?? null,
      loginName: option ? name : null,
      credentials: option ? await seal(key, form, [...context]) : null,
      consent: { consentTemplateId: keys.consentTemplateId, version: "1.0", locale: "en", givenBy: "PERSON", syncInterval: "MONTHLY", retention: "FROM_LAST_SYNC" },
    },
    bearer,
  );
  await until(`/tasks?userId=${userId}`, ({ items }) => items[0]?.finishedAt);
  return accountId;
}

/** Starts to upload a document with consent, as the widget does. Returns the archive's and the file's id. */
async function upload({ bearer }: Session): Promise<[string, string]> {
  const consent = { consentTemplateId: keys.consentTemplateId, version: "1.0", locale: "en", givenBy: "PERSON", syncInterval: "MONTHLY", retention: "FROM_LAST_SYNC" };
  const { archiveId } = await call("POST", "/link/archives", { type: "PAYSLIP", consent }, bearer);
  const metadata = Object.entries({ archiveId, slot: "PAGE", filename: "payslip.pdf" });
  const announced = await fetch(`${origin}/sandbox/v1/link/uploads`, {
    method: "POST",
    headers: {
      authorization: bearer,
      "tus-resumable": "1.0.0",
      "upload-length": "1024",
      "upload-metadata": metadata.map(([key, value]) => `${key} ${btoa(value)}`).join(","),
    },
  });
  const address = announced.headers.get("location");
  assert(address, `the upload was answered ${announced.status}`);
  return [archiveId, address.split("/").at(-1) ?? ""];
}

/** Opens the link of an invitation's mail and submits the form, as an invited person does. */
async function answerForm(linkTemplateId: string): Promise<void> {
  const invite = await call("POST", "/invites", {
    fullName: "Ana Ruiz",
    emailAddress: "ana@example.com",
    inviteTemplateId: keys.inviteTemplateId,
    linkTemplateId,
  });
  const entered = await fetch(invite.landingPageUrl, { method: "POST", redirect: "manual" });
  const cookie = entered.headers.get("set-cookie")?.split(";")[0];
  assert(cookie, `the landing page answered ${entered.status}`);
  const form = new URL("/visit/form", invite.landingPageUrl);
  const sent = await fetch(form, { method: "POST", redirect: "manual", headers: { cookie }, body: new URLSearchParams({ purpose: "Car" }) });
  assert.equal(sent.status, 303, await sent.text());
}

await call("PATCH", `/linkTemplates/${keys.linkTemplateId}`, {
  allowedOrigins: [HOST_ORIGIN],
  uploadsEnabled: true,
  syncEnabled: true,
});
const webhook = { url: "https://example.com/linchpin", eventTypes: ["ALL_EVENTS"], secret: "a secret of the tenant" };
await call("POST", "/webhooks", webhook);

// The oldest users have no data: DELETE uses them.
for (let count = 0; count < 6; count += 1) await call("POST", "/users", {});
const { items: providers } = await call("GET", "/providers?size=150");
for (const provider of providers.filter((it: Json) => it.enabled)) await link(provider, await session());
const [open, ended] = [await session(), await session()];
const account = await link(providers.find((it: Json) => it.id === "mx_social_security"), open);
const [archive, file] = await upload(open);
const { items: users } = await call("GET", "/users");
const content = (await readFile("docs/samples/payslip-mx.pdf")).toString("base64");
for (const user of users.slice(0, 2)) {
  await call("POST", "/archives", { userId: user.id, type: "PAYSLIP", files: [{ name: "payslip.pdf", content }] });
}
const verification = {
  firstName: "Valeria",
  lastName: "Olmedal",
  dob: "1990-05-24",
  ids: [{ type: "CURP", number: "HEGG560427MVZRRL04" }],
  mobileNumber: PERSON.mobileNumber,
};
const { mobileNumber, emailAddress } = PERSON;
const record = { templateId: "tpl-sss003001", ...PERSON, fullName: "Valeria Olmedal", curp: "HEGG560427MVZRRL04" };
const asked: [string, object][] = [
  ["/alpha/socialSecurities", record],
  ["/alpha/blacklists", { mobileNumber }],
  ["/beta/borrowerBehaviors", { mobileNumber }],
  ["/beta/borrowerScreenings", { mobileNumber }],
  ["/beta/creditLifecycles", { mobileNumber }],
  ["/alpha/footprints", PERSON],
  ["/beta/multipleApplicationWarnings", { mobileNumber }],
  ["/alpha/verifications", verification],
  ["/socialSecuritySignals", { mobileNumber, curp: "HEGG560427MVZRRL04" }],
  ["/incomeEstimators", { emailAddress }],
];
const links: Json[] = [];
const fields = [{ name: "purpose", label: "What is it for?", type: "CHOICE", choices: ["Car", "Home"] }];
for (const round of [1, 2]) {
  for (const [path, body] of asked) await call("POST", path, { ...body, consent: CONSENT });
  const template = await call("GET", `/linkTemplates/${keys.linkTemplateId}`);
  const { consentTemplateId } = template;
  const form = { name: "About the loan", reference: "loan-2026", fields };
  const { id } = await call("POST", "/linkTemplates", { name: `Sown ${round}`, companyName: "Sol", consentTemplateId, form });
  await answerForm(id);
  const pages = { startPage: { title: "Loans", text: "Answer." }, endPage: { title: "Thank you", text: "Done." } };
  const steps = ["FORM", "WIDGET", "THANK_YOU"];
  const site = { name: `Sown ${round}`, slug: `sown-${round}`, linkTemplateId: id, steps, form, ...pages };
  await call("POST", "/alpha/linkSites", site);
  await call("POST", "/alpha/linkSiteHosts", { host: `sown-${round}.example` });
  const consentTemplate = { type: "TERMS", title: "Consent", version: `${round}`, text: "I agree.", locale: "en" };
  await call("POST", "/consentTemplates", consentTemplate);
  const { id: _, createdAt, updatedAt, revision, ...inviteTemplate } = await call("GET", `/inviteTemplates/${keys.inviteTemplateId}`);
  await call("POST", "/inviteTemplates", inviteTemplate);
  links.push(await call("POST", "/linkSessions", { templateId: id }));
  await call("POST", "/scenarios", { login: `sown-${round}`, data: {} });
}
const hooked = await call("POST", "/webhooks", webhook);
await call("POST", "/users", {});

const document = await (await fetch(`${origin}/openapi.json`)).json();
const secretOf = ({ bearer }: Session): string[] => [bearer.replace("Bearer ", "")];
// The resources of the widget's operations, and the secrets of its sessions.
const widgets: Record<string, string> = { accounts: account, archives: archive, uploads: file, providers: "mx_social_security" };
const known: Record<string, Record<string, string[]>> = { "/link/": { open: secretOf(open), ended: secretOf(ended) } };
const ids = async (list: string): Promise<string[]> => {
  const { items } = await call("GET", `${list}?size=150`);
  assert(items.length, `${list} is empty`);
  return items.map(({ id }: Json) => id);
};
for (const path of Object.keys(document.paths)) {
  const list = /^(.*)\/\{id\}/.exec(path)?.[1];
  if (!list) continue;
  if (list === "/linkSessions") {
    known[path] = { id: links.map((it) => it.id).reverse() };
    continue;
  }
  const ofWidget = widgets[list.replace("/link/", "")];
  if (ofWidget) {
    known[path] = { id: [ofWidget] };
    continue;
  }
  known[path] = path.includes("{deliveryId}")
    ? { id: [hooked.id], deliveryId: await ids(`/webhooks/${hooked.id}/deliveries`) }
    : { id: await ids(list), ...(path.includes("{version}") ? { version: ["1"] } : {}) };
}
console.log(JSON.stringify(known));
