import type { IncomingHttpHeaders } from 'node:http';
import { HttpRefusal } from './http-refusal.ts';

type OwnHosts = ReadonlyMap<string, ReadonlySet<string>>;

export interface GuardedRequest {
  readonly method: string;
  /** As in the request line. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Values of all Host headers: a second one could be meant for somebody else. */
  readonly hosts: readonly string[];
}

/**
 * Throws for requests that a foreign site may have caused: through a name of its own that resolves here (Host), from a
 * script (Origin), or by embedding (Sec-Fetch-Site). Opening the page by a link is no such request.
 */
export function refuseForeign(request: GuardedRequest, own: OwnHosts, target: 'page' | 'api'): void {
  const origins = originsOf(request, own);
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin !== undefined && !origins.has(origin.toLowerCase()))
    throw new HttpRefusal(403, 'the page answers scripts of its own origin only');
  if (site === undefined || site === 'same-origin' || site === 'none') return;
  if (target === 'page' && isNavigation(request)) return;
  throw new HttpRefusal(403, 'the page does not answer requests that another site causes');
}

function originsOf({ hosts }: GuardedRequest, own: OwnHosts): ReadonlySet<string> {
  const [host = '', ...others] = hosts.map((name) => name.toLowerCase());
  const origins = own.get(host);
  if (others.length === 0 && origins !== undefined) return origins;
  throw new HttpRefusal(
    421,
    'the page does not answer under this host name; use the address that the command printed, or allow the name with --allowed-host',
  );
}

/** A link that somebody clicks opens the page itself, not a frame in another page. */
function isNavigation({ method, headers }: GuardedRequest): boolean {
  return (
    method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  );
}

/** The path of a request target; anything but a path, such as the absolute form that proxies send, is refused. */
export function pathOf(url: string): { readonly path: string; readonly query: URLSearchParams } {
  const [path = '', ...query] = url.split('?');
  if (!path.startsWith('/')) throw new HttpRefusal(400, 'the request does not name a path; ask for /');
  return { path, query: new URLSearchParams(query.join('?')) };
}
