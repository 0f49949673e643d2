const base = 'http://localhost';

/**
 * The URL that a client requests, for its path and query. Never throws: `//` is a path that Node passes on and that
 * `new URL` refuses, and an error in a request listener ends the process.
 */
export function requestUrl({ url = '/' }: { readonly url?: string | undefined }): URL {
  if (url.startsWith('/')) return new URL(`${base}${url}`);
  return URL.canParse(url) ? new URL(url) : new URL(base);
}
