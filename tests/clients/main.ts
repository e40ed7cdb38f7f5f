/** A tenant's server in TypeScript, with `@linchpin/server`. */
import assert from "node:assert/strict";
import type { paths } from "../../www/generated/types";
import { createLinchpin } from "../../www/packages/server/src/index";

const [baseUrl, credentials] = process.argv.slice(2);
assert(baseUrl && credentials, "usage: main.ts BASE_URL KEY:SECRET");

const [apiKey = "", apiSecret = ""] = credentials.split(":");
const api = createLinchpin({ baseUrl, apiKey, apiSecret });

const created = await api.POST("/users", { body: { reference: "typescript" } });
assert.equal(created.response.status, 201);
assert(created.data?.token.accessToken);

const again = await api.POST("/users", { body: { reference: "typescript" } });
assert.equal(again.response.status, 200);
assert.equal(again.data?.id, created.data.id);

const token = await api.POST("/tokens", { params: { query: { userId: created.data.id } } });
assert.equal(token.data?.mode, "SANDBOX");

const webhook = await api.POST("/webhooks", {
  body: { url: "https://example.com/linchpin", eventTypes: ["ALL_EVENTS"], secret: "a secret of the tenant" },
});
assert.equal(webhook.response.status, 201);
assert.equal(webhook.data?.includePayload, false);

const templates = await api.GET("/linkTemplates");
const template = templates.data?.items[0];
assert(template);
// An update of one field preserves the others. The types must not require them.
const renamed = await api.PATCH("/linkTemplates/{id}", {
  params: { path: { id: template.id } },
  body: { name: "TypeScript" },
});
assert.equal(renamed.data?.name, "TypeScript");
assert.equal(renamed.data.companyName, template.companyName);

type Uploaded =
  paths["/link/uploads/{id}"]["patch"]["requestBody"]["content"]["application/offset+octet-stream"];
const uploaded: Uploaded = new Blob(["%PDF"]);
assert.equal(uploaded.size, 4);

const events = await api.GET("/events", { params: { query: { size: 1 } } });
assert.equal(events.data?.items[0]?.type, "USER_CREATED");

const providers = await api.GET("/providers", { params: { query: { country: "MX" } } });
assert(providers.data && providers.data.items.length > 0);

const accounts = await api.GET("/accounts", { params: { query: { userId: created.data.id } } });
assert.deepEqual(accounts.data, { items: [], nextCursor: null });

const missing = await api.GET("/accounts/{id}", {
  params: { path: { id: "a-0192f0c1a2b37c4d8e5f60718293a4b5" } },
});
assert.equal(missing.error?.code, "MISSING_RESOURCE");

console.log("typescript: all requests of a tenant succeeded");
