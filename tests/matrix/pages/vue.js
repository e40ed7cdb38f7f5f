/** A Vue page. */
import { createApp, h, onBeforeUnmount, onMounted, ref } from "vue";
import { createModal } from "./launch.js";

const Connect = {
  setup() {
    let modal;
    onMounted(() => (modal = createModal()));
    onBeforeUnmount(() => void modal.destroy());
    return () => h("button", { id: "connect", onClick: () => modal.open() }, "Connect");
  },
};

createApp({
  setup() {
    const shown = ref(true);
    window.mount = () => (shown.value = true);
    window.unmount = () => (shown.value = false);
    return () =>
      h("main", [h("h1", "Loans"), h("input", { id: "name", "aria-label": "Name" }), shown.value ? h(Connect) : null]);
  },
}).mount("#app");
