/** Style sheets that host pages have, and that match elements of other people. */
export const THEMES: Record<string, string> = {
  "limits frames": "iframe{height:auto!important;max-width:100%!important}",
  "pads dialogs": "dialog{padding:2em!important;margin:1em!important}",
  "unsets everything": "*{all:unset!important}",
  "unsets everything in a layer": "@layer a{*{all:unset!important}}",
  "hides unknown elements": ":not(:defined),body>:not(main){display:none!important;visibility:hidden!important}",
  "transforms the body": "body{transform:scale(.9);filter:grayscale(1);perspective:90px;will-change:transform}",
  "animates everything": "@keyframes a{from{opacity:.2}}*{animation:a .3s forwards!important;transition:all 9s!important}",
  "adds content to everything": '*::before{content:"x"!important;display:inline-block!important;height:9px!important}',
  "styles every backdrop": "::backdrop{background:red!important;display:none!important}",
  "styles elements by name": "dialog,iframe,div,button,p{margin:9px;padding:9px;border:9px solid red;opacity:.5}",
  "insists on its scrollbar": "html:root:not(#x){overflow:auto!important;scrollbar-gutter:auto!important}",
  "disables the pointer": "*{pointer-events:none!important;user-select:none!important}#connect{pointer-events:auto!important}",
  "has huge letters": "html{font-size:40px!important;line-height:3!important;letter-spacing:1em!important}",
  "zooms the page": "html{zoom:1.25!important}*{zoom:1.05}",
  "paints above everything": "main{position:relative;z-index:2147483647!important}",
};
