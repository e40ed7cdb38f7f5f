/**
 * Plays the bridge and the service for the frame in the developer portal, which shows the draft of a template (ADR 265). The
 * page loads it before boot.ts. It opens the frame itself, so the frame accepts no message of another page, and it answers
 * every request, so nothing that is typed leaves the page.
 */

import type { LinkSession } from "../../generated/types";
import { FakeService } from "./fake-service";

/** What the service writes into the page. */
interface Answers {
  session: LinkSession;
  /** The providers as the list shows them, and with their login forms. */
  providers: { id: string }[];
  details: { id: string }[];
  /** The options with which a page would open the widget. */
  options: object;
}

/** How long a response takes, in milliseconds. */
const DELAY_MS = 100;

const content = (name: string): string => document.querySelector<HTMLMetaElement>(`meta[name="linchpin-${name}"]`)!.content;
const api = content("api-base");
const { session, providers, details, options } = JSON.parse(content("preview")) as Answers;

class DraftService extends FakeService {
  override session(): object {
    return session;
  }

  override async request(method: string, path: string, body: Record<string, unknown> | null): ReturnType<FakeService["request"]> {
    const provider = details.find(({ id }) => path === `/link/providers/${encodeURIComponent(id)}`);
    if (provider) return { status: 200, body: provider };
    switch (`${method} ${path}`) {
      case "GET /link/providers":
        return { status: 200, body: { items: providers, nextCursor: null } };
      case "GET /link/sealingKey":
        return { status: 200, body: {} };
      case "POST /link/events":
        return { status: 204, body: null };
      case "POST /link/accounts":
        // Every login is accepted.
        return super.request(method, path, { ...body, credentials: {} });
    }
    return super.request(method, path, body);
  }
}

/** In place of the script that encrypts what is sent. The page names this script for it. */
export const seal = async (_key: unknown, value: unknown): Promise<unknown> => value;

const service = new DraftService(DELAY_MS);
const load = window.fetch.bind(window);
window.fetch = async (address, request = {}) => {
  if (typeof address !== "string" || !address.startsWith(api)) return load(address, request);
  const path = address.slice(api.length);
  const sent = request.body ? (JSON.parse(String(request.body)) as Record<string, unknown>) : null;
  const reply = path === "/link/sessions" ? await service.exchange("") : await service.request(request.method ?? "GET", path, sent);
  return new Response(reply.body === null ? null : JSON.stringify(reply.body), { status: reply.status });
};

// The frame must not take the focus from the portal, where the member types.
window.name = "inline";
const { port1, port2 } = new MessageChannel();
port1.onmessage = ({ data }) => {
  if (data.tell) port1.postMessage({ told: { key: data.tell.key } });
  // The bridge removes the frame.
  if (data.close) document.body.replaceChildren();
};
const data = { linchpin: "p1", open: { options, token: "preview" } };
window.onmessage = null;
// Not a real event: Firefox makes none whose source is a window of another origin.
const asked = { data, origin: new URL(api).origin, source: window.parent, ports: [port2] };
window.linchpinAnswers = [asked as unknown as MessageEvent];
