import { register } from "./register";

register();
