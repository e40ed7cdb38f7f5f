/** A page whose button is in a dialog of MUI. */
import Dialog from "@mui/material/Dialog";
import DialogTitle from "@mui/material/DialogTitle";
import { render } from "./react-dialog.jsx";

render(({ open, setOpen, children }) => (
  <>
    <button id="show" onClick={() => setOpen(true)}>
      Show
    </button>
    <Dialog open={open} onClose={() => setOpen(false)} slotProps={{ paper: { id: "host-dialog" } }} transitionDuration={0}>
      <DialogTitle>Loan</DialogTitle>
      {children}
    </Dialog>
  </>
));
