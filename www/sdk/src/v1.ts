import { register } from "./register";

console.warn("LinkModal v1 is deprecated: load v2/linchpin.v2.js");
register();
