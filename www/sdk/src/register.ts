import { LinkModal } from "./link-modal";

/** The release: a test holds it equal to the workspace's. */
const BUILD = "0.1.0";

/**
 * What both script addresses do: make the class of this build the page's one `LinkModal`. A second copy of the same
 * build finds the first and adds nothing.
 */
export function register(script: string): void {
  const key = Symbol.for("linchpin");
  const page = globalThis as { [key]?: string; LinkModal?: typeof LinkModal };
  if (!page[key]) {
    LinkModal.script = script;
    page[key] = BUILD;
    page.LinkModal = LinkModal;
  } else if (page[key] !== BUILD) console.warn("LinkModal: two builds");
}
