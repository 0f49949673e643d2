/** What a request addresses, parsed from method and URL alone, like `RequestInfo` of kube-apiserver. */
export type RequestInfo = ResourceRequest | OtherRequest;

export interface ResourceRequest {
  readonly isResource: true;
  readonly verb: Verb;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Empty for all namespaces and for cluster-scoped kinds. */
  readonly namespace: string;
  /** Empty for a collection. */
  readonly name: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  readonly path: string;
  readonly query: URLSearchParams;
}

export interface OtherRequest {
  readonly isResource: false;
  readonly verb: string;
  readonly path: string;
  readonly query: URLSearchParams;
}

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

// These follow `namespaces/x/` without being resources in that namespace.
const namespaceSubresources = new Set(['status', 'finalize']);

export function requestInfo(method: string, url: string): RequestInfo {
  const { path, query } = splitUrl(url);
  const resource = resourcePath(path);
  if (resource === undefined) return { isResource: false, verb: method.toLowerCase(), path, query };
  return { isResource: true, ...resource, verb: verbOf(method, resource.name, query), path, query };
}

function splitUrl(url: string): { path: string; query: URLSearchParams } {
  const mark = url.indexOf('?');
  return mark < 0
    ? { path: url, query: new URLSearchParams() }
    : { path: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1)) };
}

type ResourcePath = Pick<
  ResourceRequest,
  'group' | 'version' | 'resource' | 'namespace' | 'name' | 'subresource'
>;

/** Parses `/api/v1/...` and `/apis/group/version/...` with a resource; undefined for any other path. */
function resourcePath(path: string): ResourcePath | undefined {
  const segments = path.split('/').slice(1);
  if (segments.at(-1) === '') segments.pop();
  const decoded = decodeAll(segments);
  if (decoded === undefined || decoded.includes('')) return undefined;
  const [root, ...rest] = decoded;
  if (root === 'api') return inGroup('', rest);
  if (root === 'apis' && rest[0] !== undefined) return inGroup(rest[0], rest.slice(1));
  return undefined;
}

function decodeAll(segments: readonly string[]): readonly string[] | undefined {
  try {
    return segments.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function inGroup(group: string, segments: readonly string[]): ResourcePath | undefined {
  const [version, ...parts] = segments;
  if (version === undefined || parts.length === 0) return undefined;
  const scoped = inNamespace(parts);
  const [resource, name = '', subresource = '', ...more] = scoped.parts;
  if (resource === undefined || more.length > 0) return undefined;
  return { group, version, resource, namespace: scoped.namespace, name, subresource };
}

/** `namespaces/x/pods` is pods in x; `namespaces/x` and `namespaces/x/status` are the namespace itself. */
function inNamespace(parts: readonly string[]): { namespace: string; parts: readonly string[] } {
  const [first, name, next] = parts;
  if (first !== 'namespaces' || name === undefined || next === undefined) return { namespace: '', parts };
  if (namespaceSubresources.has(next) && parts.length === 3) return { namespace: '', parts };
  return { namespace: name, parts: parts.slice(2) };
}

function verbOf(method: string, name: string, query: URLSearchParams): Verb {
  switch (method) {
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return name === '' ? 'deletecollection' : 'delete';
    default:
      if (isTrue(query.get('watch'))) return 'watch';
      return name === '' ? 'list' : 'get';
  }
}

/** Parses a boolean query parameter as kube-apiserver does: present without a value is true. */
export function isTrue(value: string | null): boolean {
  return value !== null && !['false', '0', 'f', 'F', 'FALSE', 'False'].includes(value);
}
