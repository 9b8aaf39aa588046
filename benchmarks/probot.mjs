// probot as its users run it: verify, parse, dispatch to handlers that do nothing, or write as brat does.
import { createServer } from "node:http";
import { generateKeyPairSync } from "node:crypto";
import { Probot, createNodeMiddleware } from "probot";

const [, , secret, socket] = process.argv;
const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
  publicKeyEncoding: { type: "pkcs1", format: "pem" },
});
let keep = async () => {};
if (socket) {
  const { default: Redis } = await import("ioredis");
  const redis = new Redis({ path: socket });
  keep = async ({ id, payload }) => {
    const job = `repository-${payload.repository?.id}:0`;
    await redis
      .multi()
      .set(`brat:delivery:17:${id}`, "1", "PX", 345600000, "NX")
      .set(`arq:job:${job}`, "{}", "PX", 86400000, "NX")
      .zadd("brat:queue", "LT", Date.now(), job)
      .exec();
  };
}
const probot = new Probot({ appId: 17, privateKey, secret, logLevel: "error" });
const app = (robot) => robot.onAny(keep);
const middleware = await createNodeMiddleware(app, { probot, webhooksPath: "/webhooks/github" });
const server = createServer((request, response) => middleware(request, response));
server.listen(0, "127.0.0.1", () => console.log(`listens on http://127.0.0.1:${server.address().port}`));
