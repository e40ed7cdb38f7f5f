/** An Angular page. Its zone.js replaces the page's addEventListener, timers and promises. */
import "zone.js";
import "@angular/compiler";
import { Component, provideZoneChangeDetection, signal } from "@angular/core";
import { bootstrapApplication } from "@angular/platform-browser";
import { createModal } from "./launch.js";

const Connect = Component({
  selector: "app-connect",
  template: `<button id="connect" (click)="open()">Connect</button>`,
})(
  class {
    ngOnInit() {
      this.modal = createModal();
    }
    ngOnDestroy() {
      void this.modal.destroy();
    }
    open() {
      this.modal.open();
    }
  },
);

const App = Component({
  selector: "app-root",
  imports: [Connect],
  template: `<main>
    <h1>Loans</h1>
    <input id="name" aria-label="Name" value="Ana" />
    @if (shown()) {
      <app-connect />
    }
  </main>`,
})(
  class {
    shown = signal(true);
    constructor() {
      window.mount = () => this.shown.set(true);
      window.unmount = () => this.shown.set(false);
    }
  },
);

document.getElementById("app").append(document.createElement("app-root"));
await bootstrapApplication(App, { providers: [provideZoneChangeDetection()] });
