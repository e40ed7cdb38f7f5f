/** The REST API of a tenant's sandbox, as its server uses it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "@playwright/test";

/** An API key of a sandbox. */
export interface ApiKey {
  apiKey: string;
  apiSecret: string;
}

/** The key of the demo tenant's sandbox, the address of its API, and its templates. */
export interface Keys extends ApiKey {
  baseUrl: string;
  linkTemplateId: string;
  inviteTemplateId: string;
}

/** Returns the key of the demo tenant's sandbox, which the service stores at its first start. */
export async function sandbox(): Promise<Keys> {
  const file = join(process.env["LINCHPIN_DATA"] as string, "first-keys.json");
  return JSON.parse(await readFile(file, "utf8")).sandbox;
}

/** Sends a request to the service, and returns the body of its response. Fails unless the response is a success. */
export function rest(key: ApiKey, method: string, path: string, body?: object): Promise<any> {
  return restOf(process.env["LINCHPIN_SERVICE_URL"] as string, key)(method, path, body);
}

/** Returns the same function for another service. */
export function restOf(service: string, { apiKey, apiSecret }: ApiKey) {
  return async (method: string, path: string, body?: object): Promise<any> => {
    const authorization = `Basic ${Buffer.from(`${apiKey}:${apiSecret}`).toString("base64")}`;
    const headers = { authorization, "content-type": "application/json" };
    const response = await fetch(`${service}/sandbox/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await response.text();
    expect(response.ok, `${method} ${path}: ${response.status} ${text}`).toBe(true);
    return text ? JSON.parse(text) : null;
  };
}
