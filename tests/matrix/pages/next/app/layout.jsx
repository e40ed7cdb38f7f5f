import Script from "next/script";

/** The server of the host pages replaces `__SERVICE__` in the built files, because its port differs in each run. */
export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        {children}
        <Script src="/launch.js" strategy="beforeInteractive" />
        <Script src="__SERVICE__/sdk/v2/linchpin.v2.js" strategy="beforeInteractive" />
      </body>
    </html>
  );
}
