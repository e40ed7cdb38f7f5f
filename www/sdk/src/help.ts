/**
 * What the bridge needs only if something takes long or fails: the look and the texts of its screen in seven languages,
 * and advice for the console. The bridge loads this script when the page is idle (`/sdk/help/p1.js`).
 *
 * A bridge of another build may load it, so its functions keep their meaning as long as the protocol `p1` is served
 * (ADR 200).
 */
import { ADVICE, BLAME, warnOfContainer, warnOfOptions } from "./help/advice";
import { draw } from "./help/draw";
import { wordsFor } from "./help/words";
import type { Fail, Parts } from "./helper";
import type { LinkOptions } from "./options";

export { swallow } from "./help/swallow";

/** Translates the dialog, and draws its cover. `cause` is set if the cover shows a failure. */
export function screen({ dialog, frame, cover }: Parts, options: LinkOptions, cause?: string): void {
  const words = wordsFor([options.locale, document.documentElement.lang, ...navigator.languages]);
  dialog.ariaLabel = words.title;
  if (frame) frame.title = words.title;
  if (cover?.isConnected) draw(cover, words, cause);
  warnOfOptions(options);
  warnOfContainer(dialog, options);
}

/** Writes an error to the console, with what the developer can do about it. */
export function report({ cause, message }: { cause: string; message: string }): void {
  const known = cause as keyof typeof ADVICE;
  const blame = BLAME[known];
  const what = [blame, message !== cause && message].filter(Boolean).join(": ");
  console.error(`LinkModal: ${cause}: ${what}. ${ADVICE[known] ?? ""}`);
}

/** How long `onTokenExpired` may take to give a new token, before that is reported. */
const TOKEN_MS = 5_000;

/** Reports if the modal has no new token in time. It may still come later. */
export function awaitToken(modal: LinkOptions, userToken: string, fail: Fail): void {
  setTimeout(() => {
    // After it was closed, no one waits.
    if (modal.userToken !== userToken || !/^open/.test((modal as { state?: string }).state ?? "")) return;
    fail("token-handler", modal.onTokenExpired ? "no new token within 5 s" : "onTokenExpired is not set");
  }, TOKEN_MS);
}
