import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CodedError } from '@karpenter/core/errors';

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
  /** Absent where compressing does not pay. */
  readonly gzipped?: Buffer;
  readonly etag: string;
  /** Its name changes with its content, so a browser need never ask again. */
  readonly isHashed: boolean;
}

/**
 * The files of the built page, all in memory: no request ever becomes a path on disk, and a page that is built again
 * meanwhile does not mix with this one.
 */
export class PageFiles {
  readonly #files: ReadonlyMap<string, PageFile>;

  constructor(files: ReadonlyMap<string, PageFile>) {
    this.#files = files;
  }

  /** Throws `page-not-built` if the directory has no page. */
  static async read(directory: string): Promise<PageFiles> {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
    const files = new Map<string, PageFile>();
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const route = `/${relative(directory, path).split(sep).join('/')}`;
      files.set(route, pageFile(route, await readFile(path)));
    }
    const index = files.get('/index.html');
    if (index === undefined) throw pageNotBuilt(directory);
    return new PageFiles(files.set('/', index));
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  answer(path: string, { headers }: IncomingMessage, response: ServerResponse): void {
    const file = this.#files.get(path);
    if (file === undefined) return;
    const isGzipped = file.gzipped !== undefined && acceptsGzip(headers['accept-encoding']);
    const etag = isGzipped ? file.etag.replace(/"$/, '-gzip"') : file.etag;
    response.setHeader('ETag', etag);
    response.setHeader('Vary', 'Accept-Encoding');
    response.setHeader('Cache-Control', file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    if (matches(headers['if-none-match'], etag)) return void response.writeHead(304).end();
    const bytes = isGzipped ? (file.gzipped ?? file.bytes) : file.bytes;
    if (isGzipped) response.setHeader('Content-Encoding', 'gzip');
    response.writeHead(200, { 'Content-Type': file.type, 'Content-Length': bytes.length }).end(bytes);
  }
}

function pageFile(route: string, bytes: Buffer): PageFile {
  const type = contentTypes[extname(route).toLowerCase()] ?? 'application/octet-stream';
  const isText = /^text|json|svg/.test(type);
  const gzipped = isText ? gzipSync(bytes) : undefined;
  return {
    type,
    bytes,
    ...(gzipped !== undefined && gzipped.length < bytes.length && { gzipped }),
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    isHashed: /^\/assets\/[^/]*-[\w-]{8,}\.\w+$/.test(route),
  };
}

function acceptsGzip(header: string | string[] | undefined): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(String(header ?? ''));
}

function matches(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}

function pageNotBuilt(directory: string): CodedError {
  return new CodedError(
    'page-not-built',
    `cannot show the page: it is not built in ${directory}; run npm run build -w packages/ui in the checkout`,
    { details: { directory } },
  );
}
