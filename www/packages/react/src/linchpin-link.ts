import { type ComponentPropsWithoutRef, createElement, type MouseEvent, type ReactElement, type ReactNode } from "react";
import { type LinchpinLinkOptions, useLinchpinLink } from "./use-linchpin-link";

/** The options of the modal, and what the button shows. */
export interface LinchpinLinkProps extends LinchpinLinkOptions {
  /** What the button shows. */
  children?: ReactNode;
  /** The attributes of the button, for example `className`. `onClick` can prevent the opening with `preventDefault()`. */
  button?: ComponentPropsWithoutRef<"button"> | undefined;
}

/** A button that opens the widget. For an element of your own, or to show the error, use `useLinchpinLink`. */
export function LinchpinLink({ children, button, ...options }: LinchpinLinkProps): ReactElement {
  const { open } = useLinchpinLink(options);
  return createElement(
    "button",
    {
      type: "button",
      ...button,
      onClick: (event: MouseEvent<HTMLButtonElement>) => {
        button?.onClick?.(event);
        if (!event.defaultPrevented) open();
      },
    },
    children,
  );
}
