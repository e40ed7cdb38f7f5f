/** A page whose button is in a dialog of Radix. */
import * as Dialog from "@radix-ui/react-dialog";
import { render } from "./react-dialog.jsx";

render(({ open, setOpen, children }) => (
  <Dialog.Root open={open} onOpenChange={setOpen}>
    <Dialog.Trigger id="show">Show</Dialog.Trigger>
    <Dialog.Portal>
      <Dialog.Overlay style={{ position: "fixed", inset: 0, background: "#0003" }} />
      <Dialog.Content id="host-dialog" aria-describedby={undefined} style={{ position: "fixed", top: 100, left: 200 }}>
        <Dialog.Title>Loan</Dialog.Title>
        {children}
      </Dialog.Content>
    </Dialog.Portal>
  </Dialog.Root>
));
