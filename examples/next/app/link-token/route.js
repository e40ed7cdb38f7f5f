/** Requests a new token for each launch. A real server knows from its session who the person is. */
import { createLinchpin } from "@linchpin/server";

export async function POST() {
  const { KEY, SECRET, BASE = "http://localhost:8787/sandbox/v1" } = process.env;
  const linchpin = createLinchpin({ baseUrl: BASE, apiKey: KEY, apiSecret: SECRET });
  const { data, error } = await linchpin.POST("/users", { body: { reference: "customer-4711" } });
  if (error) return new Response(null, { status: 502 });
  return new Response(data.token.accessToken, { headers: { "cache-control": "no-store" } });
}
