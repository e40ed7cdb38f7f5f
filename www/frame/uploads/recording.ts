/** Plays the recording of a challenge. The policy of the page permits media only from a `blob:` URL of this page. */

import type { FileFact } from "../../generated/types";

export class Recording {
  readonly #report: (fact: FileFact) => void;
  #playing: HTMLAudioElement | null = null;

  constructor(report: (fact: FileFact) => void) {
    this.#report = report;
  }

  /** Plays a `data:` URL from its start. Stops the recording that plays. */
  play(recording: string): void {
    this.stop();
    const audio = new Audio();
    this.#playing = audio;
    audio.onended = () => this.#end(audio, { played: {} });
    audio.onerror = () => this.#end(audio, { unplayable: {} });
    start(audio, recording).catch(() => this.#end(audio, { unplayable: {} }));
  }

  stop(): void {
    const audio = this.#playing;
    if (!audio) return;
    this.#playing = null;
    audio.pause();
    URL.revokeObjectURL(audio.src);
  }

  /** Reports how a recording ended, unless it was stopped before. */
  #end(audio: HTMLAudioElement, fact: FileFact): void {
    if (this.#playing !== audio) return;
    this.stop();
    this.#report(fact);
  }
}

async function start(audio: HTMLAudioElement, recording: string): Promise<void> {
  audio.src = URL.createObjectURL(blob(recording));
  await audio.play();
}

function blob(url: string): Blob {
  const [head = "", body = ""] = url.split(",");
  const type = head.slice("data:".length).split(";")[0] ?? "";
  return new Blob([Uint8Array.from(atob(body), (byte) => byte.charCodeAt(0))], { type });
}
