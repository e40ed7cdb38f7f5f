import { scriptAddress } from "./address";
import { LinkModal, whenIdle } from "./link-modal";

/** The version of the release. A test checks that it equals the version of the workspace. */
const BUILD = "0.1.0";

const loadHelp = async (script: string): Promise<unknown> => import(`${new URL("../help/p1.js", script)}`);

/**
 * Registers the class of this build as the page's only `LinkModal`. Both entry points do this. A second copy of the same
 * build only adds the address, if the first one did not know it.
 */
export function register(): void {
  const key = Symbol.for("linchpin");
  const page = globalThis as { [key]?: string; LinkModal?: typeof LinkModal };
  if (!page[key]) {
    page[key] = BUILD;
    page.LinkModal = LinkModal;
  }
  if (page[key] !== BUILD) return console.warn("LinkModal: two builds");
  // A module, or a script that another one evaluates, has no element in the page.
  if (page.LinkModal) page.LinkModal.script ||= scriptAddress((document.currentScript as HTMLScriptElement | null)?.src);
  // So that the bridge's own screen has its texts and its look if the person is offline when the page creates the modal.
  if (!RELEASED) whenIdle(() => void loadHelp(LinkModal.script).catch(() => {}));
}
