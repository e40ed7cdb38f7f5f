/** Each marked line must not compile, with this error, and no other line may fail. */
import { createLinchpin, verifyWebhook } from "@linchpin/server";

const linchpin = createLinchpin({ baseUrl: "https://link.example/v1", apiKey: "key" }); // TS2345
const user = await linchpin.POST("/users", { body: { reference: 5 } }); // TS2322
await linchpin.GET("/people"); // TS2554
console.log(user.data?.token.secret); // TS2339
const event = await verifyWebhook({ body: "", headers: {} }, { secret: "secret", scheme: "sha1" }); // TS2322
if (event.type === "ACCOUNT_LINKED") console.log(event); // TS2367
if (event.type === "ACCOUNT_CONNECTED") console.log(event.data.email); // TS2339
