/**
 * Uploads one file with tus 1.0: a creation, then one PATCH with all remaining bytes. After an interruption, HEAD returns
 * the offset, so that acknowledged bytes are not sent again.
 *
 * Our own: 1.4 KB (brotli) instead of the 14.1 KB of tus-js-client 4.3 (ADR 55).
 */

import type { FileFact, FileOrder } from "../../generated/types";
import { type TusResponse, type TusRequest, startRequest } from "./request";

export interface Lender {
  /** Base URL of all API paths. */
  apiBase: string;
  /** Returns the session's secret, or null without a session. */
  bearer(): string | null;
}

export type SendOrder = Extract<FileOrder, { send: unknown }>["send"];

/** A file that can be sent after its inspection. */
export interface Sendable {
  pick: { file: File };
  inspection?: { blob: Blob; sha256: string | null };
}

/** The minimum time between progress reports to the program, because each redraws the page. */
const MIN_REPORT_PAUSE_MS = 200;

/** The response in place of one to a file that cannot be read any more. Its words are those for changed bytes. */
const CHANGED: TusResponse = { status: 460, body: { fileFault: "HASH_MISMATCH" }, header: () => null };

/** Limits the wait, because the program receives milliseconds as a 32-bit number. */
const MAX_RETRY_S = 3600;

const TUS = { "tus-resumable": "1.0.0" };

export class Transfer {
  readonly #handle: number;
  readonly #lender: Lender;
  readonly #report: (fact: FileFact) => void;
  #fileId: string | null = null;
  /** Whether the service may have created the file although the response was lost. */
  #mayExist = false;
  /** Increases with every order. Work with an older number stops. */
  #turn = 0;
  #last: Promise<void> = Promise.resolve();
  #abort: (() => void) | null = null;

  constructor(handle: number, lender: Lender, report: (fact: FileFact) => void) {
    this.#handle = handle;
    this.#lender = lender;
    this.#report = report;
  }

  send(order: SendOrder, held: Sendable | undefined): void {
    const blob = held?.inspection?.blob;
    if (!blob) return;
    this.#next(async (turn) => {
      // Firefox never ends a request whose file is gone, and others call it a lost connection.
      const trySend = async (): Promise<TusResponse | null> =>
        this.#send(turn, order, held.pick.file.name, blob, held.inspection?.sha256 ?? null);
      let refused = (await isReadable(blob)) ? await trySend() : CHANGED;
      if (refused?.status === 0 && !(await isReadable(blob))) refused = CHANGED;
      if (turn !== this.#turn) return;
      if (refused) this.#cut(refused);
      else this.#report({ sent: { handle: this.#handle } });
    });
  }

  stop(): void {
    this.#turn += 1;
    this.#abort?.();
  }

  drop(fileId: string | null, done: () => void): void {
    this.stop();
    this.#next(async () => {
      const known = fileId ?? this.#fileId;
      const response = known ? await this.#request("DELETE", `/link/uploads/${known}`, { headers: TUS }) : null;
      if (response && !isGone(response.status)) return this.#cut(response);
      done();
      this.#report({ dropped: { handle: this.#handle } });
    });
  }

  /** Runs work after the current one, so that a file never has two requests at once. */
  #next(work: (turn: number) => Promise<void>): void {
    const turn = (this.#turn += 1);
    this.#last = this.#last.then(() => (turn === this.#turn ? work(turn) : undefined));
  }

  /** Sends the missing bytes. Returns null if the file is complete or the transfer was stopped, or the failed response. */
  async #send(turn: number, order: SendOrder, name: string, blob: Blob, sha256: string | null): Promise<TusResponse | null> {
    let offset = 0;
    this.#fileId = order.fileId ?? null;
    if (this.#fileId === null && this.#mayExist) await this.#find(order, blob.size, sha256);
    if (this.#fileId === null) {
      const refused = await this.#create(order, name, blob.size, sha256);
      if (refused) return refused;
    } else {
      const response = await this.#request("HEAD", this.#path(), { headers: TUS, stoppable: true });
      if (response.status !== 200 && response.status !== 204) return response;
      offset = Number(response.header("upload-offset"));
    }
    this.#sending(offset);
    while (offset < blob.size && turn === this.#turn) {
      const response = await this.#patch(blob, offset);
      const held = Number(response.header("upload-offset"));
      if (response.status !== 204 || response.header("upload-offset") === null) return response;
      // The browser had no more bytes: the file has become shorter.
      if (!(held > offset)) return CHANGED;
      offset = held;
    }
    return null;
  }

  /** Creates the file. This request is never aborted, because the service could have a file with an unknown id. */
  async #create(order: SendOrder, name: string, size: number, sha256: string | null): Promise<TusResponse | null> {
    const facts: [string, string][] = [["archiveId", order.archiveId], ["slot", order.slot], ["filename", name]];
    if (sha256) facts.push(["sha256", sha256]);
    const metadata = facts.map(([key, value]) => `${key} ${base64(value)}`).join(",");
    this.#mayExist = true;
    const headers = { ...TUS, "upload-length": String(size), "upload-metadata": metadata };
    const response = await this.#request("POST", "/link/uploads", { headers });
    const location = response.header("location");
    if (response.status !== 201 || !location) {
      if (response.status >= 400 && response.status < 500) this.#mayExist = false;
      return response;
    }
    this.#fileId = location.split("/").pop() ?? "";
    return null;
  }

  /** Finds the id of the file if an earlier creation succeeded. */
  async #find(order: SendOrder, size: number, sha256: string | null): Promise<void> {
    const { status, body } = await this.#request("GET", `/link/archives/${order.archiveId}`, {});
    if (status !== 200 || sha256 === null) return;
    const { files } = body as { files: { fileId: string; slot: string; sizeBytes: number; sha256: string | null; receivedBytes: number }[] };
    const own = files.find((file) => file.sha256 === sha256 && file.sizeBytes === size && file.slot === order.slot);
    this.#fileId = own?.fileId ?? null;
  }

  /**
   * Sends all bytes from an offset. The reported progress is what the browser has passed to the network, slightly more than
   * what the service has received. Only the response completes a file, and only its offset counts after an interruption.
   */
  #patch(blob: Blob, offset: number): Promise<TusResponse> {
    let reported = performance.now();
    const headers = { ...TUS, "upload-offset": String(offset), "content-type": "application/offset+octet-stream" };
    return this.#request("PATCH", this.#path(), {
      headers,
      body: blob.slice(offset),
      stoppable: true,
      progress: (sent) => {
        if (performance.now() - reported < MIN_REPORT_PAUSE_MS) return;
        reported = performance.now();
        this.#sending(offset + sent);
      },
    });
  }

  async #request(method: string, path: string, { stoppable, ...request }: Omit<TusRequest, "bearer"> & { stoppable?: boolean }): Promise<TusResponse> {
    const { response, abort } = startRequest(method, this.#lender.apiBase + path, { ...request, bearer: this.#lender.bearer() });
    this.#abort = stoppable ? abort : null;
    const done = await response;
    this.#abort = null;
    return done;
  }

  #path(): string {
    return `/link/uploads/${this.#fileId}`;
  }

  #sending(offset: number): void {
    if (this.#fileId) this.#report({ sending: { handle: this.#handle, fileId: this.#fileId, offset } });
  }

  #cut({ status, body, header }: TusResponse): void {
    const fileFault = (body as { fileFault?: never } | null)?.fileFault ?? null;
    const retryInMs = 1000 * Math.min(Number(header("retry-after")) || 0, MAX_RETRY_S);
    this.#report({ cut: { handle: this.#handle, status, fileFault, retryInMs } });
  }
}

/** Returns whether the file is still as it was when the person chose it, as far as the browser notices. */
async function isReadable(blob: Blob): Promise<boolean> {
  return blob.slice(-1).arrayBuffer().then(({ byteLength }) => byteLength === 1, () => false);
}

function isGone(status: number): boolean {
  return (status >= 200 && status < 300) || status === 404 || status === 410;
}

/** Encodes the text's UTF-8 bytes. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
