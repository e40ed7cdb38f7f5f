/** Sends requests that report the progress of their body, which `fetch` cannot. */

export interface Answer {
  /** 0 if there was no response. */
  status: number;
  header(name: string): string | null;
  /** The decoded JSON, or null. */
  body: unknown;
}

export interface Asked {
  bearer: string | null;
  headers?: Record<string, string>;
  body?: Blob;
  progress?: (sent: number) => void;
}

/** Timeout without progress. A request that makes progress has no time limit. */
const STALLED_MS = 30_000;

export function ask(method: string, url: string, { bearer, headers = {}, body, progress }: Asked): { answer: Promise<Answer>; abort: () => void } {
  const request = new XMLHttpRequest();
  const answer = new Promise<Answer>((resolve) => {
    let timer = 0;
    const moved = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => request.abort(), STALLED_MS);
    };
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    if (bearer !== null) request.setRequestHeader("authorization", `Bearer ${bearer}`);
    request.upload.onprogress = ({ loaded }) => {
      moved();
      progress?.(loaded);
    };
    request.onloadend = () => {
      clearTimeout(timer);
      resolve({ status: request.status, header: (name) => request.getResponseHeader(name), body: parsed(request.responseText) });
    };
    moved();
    request.send(body ?? null);
  });
  return { answer, abort: () => request.abort() };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
