/** Under which addresses the page answers. */
export interface OwnAddress {
  /** What the server listens on. */
  readonly host: string;
  readonly port: number;
  /** Further names, with or without a port, such as that of a proxy in front. */
  readonly allowedHosts: readonly string[];
}

/** Whether a text can be the name of a host, with or without a port; a URL or a pattern cannot. */
export function isHostName(text: string): boolean {
  return /^(\[[\da-f:.]+\]|[a-z\d]([\w.-]*[a-z\d])?)(:\d+)?$|^[\da-f:.]*::?[\da-f:.]*$/i.test(text);
}

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];
/** Addresses that mean all interfaces: no browser sends them as the name of a server. */
const wildcards: ReadonlySet<string> = new Set(['0.0.0.0', '::', '[::]', '']);
const defaultPort = 80;

/**
 * The values of the Host header that belong to this server, in lower case, each with the origins of its own pages. Any
 * other host means that a foreign name resolves to this address, which is how DNS rebinding lets a foreign site read it.
 */
export function ownHosts({ host, port, allowedHosts }: OwnAddress): ReadonlyMap<string, ReadonlySet<string>> {
  const bound = wildcards.has(host) ? [] : [bracketed(host)];
  const named = [...loopbackHosts, ...bound].flatMap((name) => withPort(name, port));
  const further = allowedHosts.flatMap((name) =>
    /[^:]:\d+$/.test(name) ? [name] : [bracketed(name), `${bracketed(name)}:${port}`],
  );
  return new Map([
    ...named.map((name) => [name.toLowerCase(), new Set([`http://${name.toLowerCase()}`])] as const),
    ...further.map((name) => [name.toLowerCase(), originsBehindProxy(name.toLowerCase())] as const),
  ]);
}

/** A proxy in front may speak TLS. */
function originsBehindProxy(host: string): ReadonlySet<string> {
  return new Set([`http://${host}`, `https://${host}`]);
}

/** IPv6 addresses are written in brackets where a port may follow. */
export function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

function withPort(name: string, port: number): readonly string[] {
  return port === defaultPort ? [name, `${name}:${port}`] : [`${name}:${port}`];
}
