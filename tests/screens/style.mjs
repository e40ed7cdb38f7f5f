/** The style of a contact sheet: a row for each screen, with its name at the side. */
export const STYLE =
  "body{margin:16px;font:12px system-ui;background:#ccc;width:max-content}section{display:flex;gap:8px;align-items:end;margin:0 0 16px}" +
  "h2{writing-mode:sideways-lr;font-size:12px;margin:0}img{display:block;height:370px}figure{margin:0}";
