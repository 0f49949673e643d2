import { createHash } from 'node:crypto';
import type { JsonObject } from '@karpenter/core/schema';
import type { ApiServerParts } from '../api-context.ts';
import { aggregatedDiscovery, type DiscoveryVersion } from '../discovery/aggregated-discovery.ts';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from '../discovery/legacy-discovery.ts';
import { parseAccept } from '../http/negotiation.ts';
import { type Incoming, pageNotFound, type Reply } from '../http/reply.ts';
import type { OtherRequest } from '../http/request-info.ts';
import { isManifestCommand, withOlderKinds } from '../older-kinds/index.ts';
import { OpenApiDocuments } from '../openapi/openapi-documents.ts';
import { methodNotAllowed } from '../status/status-errors.ts';

const kubernetesVersion = { major: '1', minor: '36', gitVersion: 'v1.36.1' };

interface Document {
  readonly body: string;
  readonly etag: string;
}

/**
 * Serves discovery, OpenAPI and version documents. Each document is built once per registry generation:
 * clients fetch them all at startup, and the OpenAPI ones are large.
 */
export class DiscoveryHandlers {
  readonly #parts: ApiServerParts;
  readonly #openApi = new OpenApiDocuments(`${kubernetesVersion.major}.${kubernetesVersion.minor}`);
  #documents = new Map<string, Document>();
  #generation = -1;

  constructor(parts: ApiServerParts) {
    this.#parts = parts;
  }

  handle(request: Incoming, info: OtherRequest): Reply {
    if (info.verb !== 'get' && info.verb !== 'head') throw methodNotAllowed();
    const path = info.path.replace(/\/$/, '');
    switch (path) {
      case '/version':
        return { code: 200, body: JSON.stringify(versionDocument) };
      case '/api':
      case '/apis':
        return this.#roots(request, path);
      case '/openapi/v2':
        return swagger(request);
      case '/openapi/v3':
        return this.#cached(request, path, () => this.#openApi.index(this.#parts.registry.all()));
    }
    if (path.startsWith('/openapi/v3/')) {
      const name = path.slice('/openapi/v3/'.length);
      const reply = this.#cached(request, path, () =>
        this.#openApi.document(this.#parts.registry.all(), name),
      );
      return info.query.get('hash') ? immutable(reply) : reply;
    }
    return this.#groups(request, path);
  }

  /**
   * `/api` and `/apis`: aggregated discovery in version v2 or v2beta1 if the client accepts it, else the
   * legacy documents.
   */
  #roots(request: Incoming, path: '/api' | '/apis'): Reply {
    const kinds = this.#parts.registry.all();
    const accepted = parseAccept(request.headers.accept).find(
      ({ parameters: { as, g } }) => as === 'APIGroupDiscoveryList' && g === 'apidiscovery.k8s.io',
    );
    const version = accepted?.parameters['v'];
    if (version === 'v2' || version === 'v2beta1') return this.#aggregated(request, path, version);
    return this.#cached(request, path, () =>
      path === '/api' ? apiVersions(kinds, hostOf(request)) : apiGroupList(kinds),
    );
  }

  #aggregated(request: Incoming, path: '/api' | '/apis', version: DiscoveryVersion): Reply {
    const contentType = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
    const showsOlder = path === '/apis' && isManifestCommand(request.headers);
    const all = this.#parts.registry.all();
    const reply = this.#cached(request, `${path} ${version} ${showsOlder}`, () =>
      aggregatedDiscovery(
        showsOlder ? withOlderKinds(all) : all,
        path === '/api' ? 'core' : 'named',
        version,
      ),
    );
    return { ...reply, contentType };
  }

  #groups(request: Incoming, path: string): Reply {
    const [, root, first, second, ...more] = path.split('/');
    if (more.length > 0 || first === undefined) return pageNotFound;
    if (root === 'api' && second === undefined)
      return this.#resources(request, path, { group: '', version: first });
    if (root !== 'apis') return pageNotFound;
    if (second !== undefined) return this.#resources(request, path, { group: first, version: second });
    return this.#cached(request, path, () => apiGroup(this.#parts.registry.all(), first));
  }

  #resources(
    request: Incoming,
    path: string,
    { group, version }: { readonly group: string; readonly version: string },
  ): Reply {
    return this.#cached(request, path, () => apiResourceList(this.#parts.registry.all(), group, version));
  }

  #cached(request: Incoming, key: string, make: () => JsonObject | undefined): Reply {
    const { generation } = this.#parts.registry;
    if (generation !== this.#generation) {
      this.#generation = generation;
      this.#documents = new Map();
    }
    const document = this.#documents.get(key) ?? documentOf(make());
    if (document === undefined) return pageNotFound;
    this.#documents.set(key, document);
    const headers = { etag: `"${document.etag}"`, vary: 'Accept' };
    if (request.headers['if-none-match'] === headers.etag) return { code: 304, body: '', headers };
    return { code: 200, body: document.body, headers };
  }
}

/** A document requested by its hash is immutable, so clients may cache it for a year. */
function immutable(reply: Reply): Reply {
  return { ...reply, headers: { ...reply.headers, 'cache-control': 'public, max-age=31536000' } };
}

/** Clients send this media type with an `@`, which no media type may contain; the reply has a dot instead. */
const swaggerProtobuf = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

/**
 * Kinds are described in OpenAPI v3 only. Older clients look for a kind in v2 when v3 does not have it; they
 * skip what the document does not describe, but fail if the document is missing. So v2 is an empty document.
 */
function swagger(request: Incoming): Reply {
  const info = { title: 'Kubernetes', version: kubernetesVersion.gitVersion };
  const isProtobuf = parseAccept(request.headers.accept).some(({ type }) => type === swaggerProtobuf);
  if (!isProtobuf) return { code: 200, body: JSON.stringify({ swagger: '2.0', info, paths: {} }) };
  const text = (field: number, value: string) => String.fromCharCode(field * 8 + 2, value.length) + value;
  const body = text(1, '2.0') + text(2, text(1, info.title) + text(2, info.version));
  return { code: 200, body, contentType: swaggerProtobuf.replace('@', '.') };
}

function documentOf(object: JsonObject | undefined): Document | undefined {
  if (object === undefined) return undefined;
  const body = JSON.stringify(object);
  return { body, etag: createHash('sha256').update(body).digest('hex').toUpperCase() };
}

function hostOf({ headers, authority }: Incoming): string {
  return authority || String(headers.host ?? '');
}

const versionDocument = {
  ...kubernetesVersion,
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: 'node',
  platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
};
