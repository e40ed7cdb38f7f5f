import { register } from "./register";

register((document.currentScript as HTMLScriptElement).src);
