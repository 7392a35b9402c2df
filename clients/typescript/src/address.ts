/** The addresses of a server. */

/** Return the address of a path on a server; `ws://` and `http://`, with or without `/v1/ws`, mean the same server. */
export function buildAddress(server: string, scheme: "ws" | "http", path: string): string {
  const { protocol, host, pathname } = new URL(server, globalThis.location?.href);
  return `${protocol.replace(/^(ws|http)/, scheme)}//${host}${pathname.replace(/\/(v1\/ws)?$/, "")}${path}`;
}
