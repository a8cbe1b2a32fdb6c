// A push service of its own for a browser that has none: subscribing gives keys as a real one does.
{
  const KEPT = "push-subscription";
  const text = (bytes) =>
    btoa(String.fromCharCode(...new Uint8Array(bytes)))
      .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const kept = () => {
    const known = localStorage.getItem(KEPT);
    if (known === null) return null;
    return {
      toJSON: () => JSON.parse(known),
      unsubscribe: async () => localStorage.removeItem(KEPT),
    };
  };
  PushManager.prototype.getSubscription = async () => kept();
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    if (applicationServerKey.length !== 65) throw new Error("no key");
    const pair = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
    const keys = {
      p256dh: text(await crypto.subtle.exportKey("raw", pair.publicKey)),
      auth: text(crypto.getRandomValues(new Uint8Array(16))),
    };
    localStorage.setItem(KEPT, JSON.stringify({ endpoint: "https://push.example/here", keys }));
    return kept();
  };
}
