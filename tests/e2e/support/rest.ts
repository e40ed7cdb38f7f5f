/** The REST API of a tenant's sandbox, as its server uses it. */
import { expect } from "@playwright/test";

/** An API key of a sandbox. */
export interface ApiKey {
  apiKey: string;
  apiSecret: string;
}

/** Sends a request to the service, and returns the body of its response. Fails unless the response is a success. */
export async function rest({ apiKey, apiSecret }: ApiKey, method: string, path: string, body?: object): Promise<any> {
  const authorization = `Basic ${Buffer.from(`${apiKey}:${apiSecret}`).toString("base64")}`;
  const headers = { authorization, "content-type": "application/json" };
  const url = `${process.env["LINCHPIN_SERVICE_URL"]}/sandbox/v1${path}`;
  const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await response.text();
  expect(response.ok, `${method} ${path}: ${response.status} ${text}`).toBe(true);
  return text ? JSON.parse(text) : null;
}
