/**
 * One file on its way by tus 1.0: a creation, then one PATCH from where the service stands to the end. What a cut left
 * there is asked for by HEAD, so that nothing the service has acknowledged is sent again.
 */

import type { FileFact, FileOrder } from "../generated/types";
import { type Answer, type Asked, ask } from "./uploads-ask";

export interface Lender {
  /** Address every API path is relative to. */
  apiBase: string;
  /** The session's secret; null when there is no session. */
  bearer(): string | null;
}

export type SendOrder = Extract<FileOrder, { send: unknown }>["send"];

/** What of a file is sent. */
export interface Sendable {
  pick: { file: File };
  inspection?: { blob: Blob; sha256: string | null };
}

/** Progress goes to the program this often at most: each report draws the page anew. */
const REPORT_EVERY_MS = 200;

/** Numbers go to the program as 32 bits. */
const LONGEST_RETRY_S = 3600;

const TUS = { "tus-resumable": "1.0.0" };

export class Transfer {
  readonly #handle: number;
  readonly #lender: Lender;
  readonly #report: (fact: FileFact) => void;
  #fileId: string | null = null;
  /** A creation may have reached the service without its answer reaching us. */
  #mayExist = false;
  /** Grows with every order; work under an older number is over. */
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
      const refused = await this.#send(turn, order, held.pick.file.name, blob, held.inspection?.sha256 ?? null);
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
      const answer = known ? await this.#ask("DELETE", `/link/uploads/${known}`, { headers: TUS }) : null;
      if (answer && !isGone(answer.status)) return this.#cut(answer);
      done();
      this.#report({ dropped: { handle: this.#handle } });
    });
  }

  /** After whatever is under way: never two at once for one file. */
  #next(work: (turn: number) => Promise<void>): void {
    const turn = (this.#turn += 1);
    this.#last = this.#last.then(() => (turn === this.#turn ? work(turn) : undefined));
  }

  /** Null when the service holds all of it, or when it was told to stop; else the answer that stood in the way. */
  async #send(turn: number, order: SendOrder, name: string, blob: Blob, sha256: string | null): Promise<Answer | null> {
    let offset = 0;
    this.#fileId = order.fileId ?? null;
    if (this.#fileId === null && this.#mayExist) await this.#find(order, blob.size, sha256);
    if (this.#fileId === null) {
      const refused = await this.#create(order, name, blob.size, sha256);
      if (refused) return refused;
    } else {
      const answer = await this.#ask("HEAD", this.#path(), { headers: TUS, stoppable: true });
      if (answer.status !== 200 && answer.status !== 204) return answer;
      offset = Number(answer.header("upload-offset"));
    }
    this.#sending(offset);
    while (offset < blob.size && turn === this.#turn) {
      const answer = await this.#patch(blob, offset);
      const held = Number(answer.header("upload-offset"));
      if (answer.status !== 204 || !(held > offset)) return answer;
      offset = held;
    }
    return null;
  }

  /** Not stopped half-way: the service would hold a file of which nobody here knew. */
  async #create(order: SendOrder, name: string, size: number, sha256: string | null): Promise<Answer | null> {
    const facts: [string, string][] = [["archiveId", order.archiveId], ["slot", order.slot], ["filename", name]];
    if (sha256) facts.push(["sha256", sha256]);
    const metadata = facts.map(([key, value]) => `${key} ${base64(value)}`).join(",");
    this.#mayExist = true;
    const headers = { ...TUS, "upload-length": String(size), "upload-metadata": metadata };
    const answer = await this.#ask("POST", "/link/uploads", { headers });
    const location = answer.header("location");
    if (answer.status !== 201 || !location) {
      if (answer.status >= 400 && answer.status < 500) this.#mayExist = false;
      return answer;
    }
    this.#fileId = location.split("/").pop() ?? "";
    return null;
  }

  /** Whether an earlier creation came through after all. */
  async #find(order: SendOrder, size: number, sha256: string | null): Promise<void> {
    const { status, body } = await this.#ask("GET", `/link/archives/${order.archiveId}`, {});
    if (status !== 200 || sha256 === null) return;
    const { files } = body as { files: { fileId: string; slot: string; sizeBytes: number; sha256: string | null; receivedBytes: number }[] };
    const own = files.find((file) => file.sha256 === sha256 && file.sizeBytes === size && file.slot === order.slot);
    this.#fileId = own?.fileId ?? null;
  }

  /**
   * The bytes reported on the way are those that the browser has handed to the network: a little ahead of what the
   * service holds, never behind. Only its answer makes a file complete, and after a cut only its offset counts.
   */
  #patch(blob: Blob, offset: number): Promise<Answer> {
    let reported = performance.now();
    const headers = { ...TUS, "upload-offset": String(offset), "content-type": "application/offset+octet-stream" };
    return this.#ask("PATCH", this.#path(), {
      headers,
      body: blob.slice(offset),
      stoppable: true,
      progress: (sent) => {
        if (performance.now() - reported < REPORT_EVERY_MS) return;
        reported = performance.now();
        this.#sending(offset + sent);
      },
    });
  }

  async #ask(method: string, path: string, { stoppable, ...asked }: Omit<Asked, "bearer"> & { stoppable?: boolean }): Promise<Answer> {
    const { answer, abort } = ask(method, this.#lender.apiBase + path, { ...asked, bearer: this.#lender.bearer() });
    this.#abort = stoppable ? abort : null;
    const done = await answer;
    this.#abort = null;
    return done;
  }

  #path(): string {
    return `/link/uploads/${this.#fileId}`;
  }

  #sending(offset: number): void {
    if (this.#fileId) this.#report({ sending: { handle: this.#handle, fileId: this.#fileId, offset } });
  }

  #cut({ status, body, header }: Answer): void {
    const fileFault = (body as { fileFault?: never } | null)?.fileFault ?? null;
    const retryInMs = 1000 * Math.min(Number(header("retry-after")) || 0, LONGEST_RETRY_S);
    this.#report({ cut: { handle: this.#handle, status, fileFault, retryInMs } });
  }
}

function isGone(status: number): boolean {
  return (status >= 200 && status < 300) || status === 404 || status === 410;
}

/** Of the text's UTF-8. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
