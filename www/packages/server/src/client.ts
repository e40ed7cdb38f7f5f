import createClient, { type Client } from "openapi-fetch";
import type { paths } from "../../../generated/types";

/** Where the service is, and as whom to call it. */
export interface LinchpinOptions {
  /** The base URL of an environment, such as `https://link.example/sandbox/v1` or `https://link.example/v1`. */
  baseUrl: string;
  /** The id of the API key. */
  apiKey: string;
  /** The secret of the API key. */
  apiSecret: string;
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** A client with a method for each HTTP method: `linchpin.POST("/users", { body })` returns `{ data, error, response }`. */
export type Linchpin = Client<paths>;

/**
 * Creates a client of the REST interface.
 *
 * @throws TypeError that names each option that is missing or wrong.
 */
export function createLinchpin(options: LinchpinOptions): Linchpin {
  const wrong = (["apiKey", "apiSecret"] as const).filter((name) => typeof options[name] !== "string" || !options[name]);
  if (wrong[0]) throw new TypeError(`createLinchpin: check ${wrong.join(", ")}`);
  if (!/^https?:\/\/[^\s/]+\/.*v1\/?$/.test(`${options.baseUrl}`)) {
    throw new TypeError("createLinchpin: baseUrl must be an environment, such as https://link.example/sandbox/v1");
  }
  const credentials = new TextEncoder().encode(`${options.apiKey}:${options.apiSecret}`);
  return createClient<paths>({
    baseUrl: options.baseUrl.replace(/\/$/, ""),
    headers: { authorization: `Basic ${btoa(String.fromCharCode(...credentials))}` },
    ...(options.fetch && { fetch: options.fetch }),
  });
}
