/** Makes forms work in a host page whose sandbox lacks `allow-forms`. There, browsers ignore submit buttons and Enter. */

/** Sends the `submit` event for clicks on submit buttons if the browser does not. */
export function submitForms(): void {
  if (browserSubmits()) return;
  // Enter in a field clicks the form's submit button, too.
  document.addEventListener("click", (event) => {
    const button = (event.target as Element).closest("button");
    if (button?.type !== "submit" || event.defaultPrevented) return;
    button.form?.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true, submitter: button }));
  });
}

function browserSubmits(): boolean {
  const form = document.createElement("form");
  let submits = false;
  form.onsubmit = (event) => {
    event.preventDefault();
    submits = true;
  };
  document.body.append(form);
  form.requestSubmit();
  form.remove();
  return submits;
}
