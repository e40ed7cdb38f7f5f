/**
 * An Angular page, compiled in the browser so that it needs no Angular CLI. With the CLI, write the same classes with
 * `@Component`. The widget is removed together with the component.
 */
import "@angular/compiler";
import { Component, InjectionToken, inject, output, provideZonelessChangeDetection, signal } from "@angular/core";
import { bootstrapApplication } from "@angular/platform-browser";
import { LinkModal } from "@linchpin/link";

const CONFIG = new InjectionToken("where the service is, and the link template");

class Connect {
  connected = output();
  failure = signal("");
  #config = inject(CONFIG);
  #modal;

  ngOnInit() {
    this.#modal = new LinkModal({
      ...this.#config,
      userToken: async () => (await fetch("/link-token", { method: "POST" })).text(),
      onAccountConnected: ({ accountId }) => this.connected.emit(accountId),
    });
    this.#modal.on("error", ({ cause }) => this.failure.set(cause));
  }

  ngOnDestroy() {
    void this.#modal.destroy();
  }

  open() {
    this.failure.set("");
    this.#modal.open();
  }
}

const ConnectComponent = Component({
  selector: "app-connect",
  outputs: ["connected"],
  template: `<p>
    <button type="button" (click)="open()">Connect an account</button>
    @if (failure()) {
      <span role="alert">This did not work ({{ failure() }}).</span>
    }
  </p>`,
})(Connect);

class App {
  shown = signal(true);
  account = signal("");
}

const AppComponent = Component({
  selector: "app-root",
  imports: [ConnectComponent],
  template: `<main>
    <h1>Loans</h1>
    <label><input type="checkbox" checked (change)="shown.set($event.target.checked)" /> Connect an account now</label>
    @if (shown()) {
      <app-connect (connected)="account.set($event)" />
    }
    <p role="status">{{ account() && "Connected: " + account() }}</p>
  </main>`,
})(App);

const config = await (await fetch("/config.json")).json();
await bootstrapApplication(AppComponent, {
  providers: [provideZonelessChangeDetection(), { provide: CONFIG, useValue: config }],
});
