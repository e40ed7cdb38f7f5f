import { scriptAddress } from "./address";
import { LinkModal } from "./link-modal";

/** The version of the release. A test checks that it equals the version of the workspace. */
const BUILD = "0.1.0";

/**
 * Registers the class of this build as the page's only `LinkModal`. Both entry points do this. A second copy of the same
 * build does nothing.
 */
export function register(): void {
  const key = Symbol.for("linchpin");
  const page = globalThis as { [key]?: string; LinkModal?: typeof LinkModal };
  if (!page[key]) {
    // A module, or a script that another one evaluates, has no element in the page.
    LinkModal.script = scriptAddress((document.currentScript as HTMLScriptElement | null)?.src);
    page[key] = BUILD;
    page.LinkModal = LinkModal;
  } else if (page[key] !== BUILD) console.warn("LinkModal: two builds");
}
