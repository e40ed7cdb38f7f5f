/** A page whose button is in a dialog of Headless UI. */
import { Dialog, DialogPanel, DialogTitle } from "@headlessui/react";
import { render } from "./react-dialog.jsx";

render(({ open, setOpen, children }) => (
  <>
    <button id="show" onClick={() => setOpen(true)}>
      Show
    </button>
    <Dialog open={open} onClose={setOpen} style={{ position: "fixed", top: 100, left: 200 }}>
      <DialogPanel id="host-dialog">
        <DialogTitle>Loan</DialogTitle>
        {children}
      </DialogPanel>
    </Dialog>
  </>
));
