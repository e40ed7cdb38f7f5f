import { createApp } from "vue";
import App from "./App.vue";

// Vue needs the configuration first.
createApp(App, await (await fetch("/config.json")).json()).mount("#app");
