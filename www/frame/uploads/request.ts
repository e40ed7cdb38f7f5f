/** Sends requests that report the progress of their body, which `fetch` cannot. */

export interface TusResponse {
  /** 0 if there was no response. */
  status: number;
  header(name: string): string | null;
  /** The decoded JSON, or null. */
  body: unknown;
}

export interface TusRequest {
  bearer: string | null;
  headers?: Record<string, string>;
  body?: Blob;
  progress?: (sent: number) => void;
}

/** Timeout without progress. A request that makes progress has no time limit. */
const STALLED_MS = 30_000;

export function startRequest(method: string, url: string, { bearer, headers = {}, body, progress }: TusRequest): { response: Promise<TusResponse>; abort: () => void } {
  const request = new XMLHttpRequest();
  const response = new Promise<TusResponse>((resolve) => {
    let timer = 0;
    const restartTimer = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => request.abort(), STALLED_MS);
    };
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    if (bearer !== null) request.setRequestHeader("authorization", `Bearer ${bearer}`);
    request.upload.onprogress = ({ loaded }) => {
      restartTimer();
      progress?.(loaded);
    };
    request.onloadend = () => {
      clearTimeout(timer);
      resolve({ status: request.status, header: (name) => request.getResponseHeader(name), body: parseJson(request.responseText) });
    };
    restartTimer();
    request.send(body ?? null);
  });
  return { response, abort: () => request.abort() };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
