import type { JsonObject } from '@karpenter/core/schema';
import { type ApiServer, startApiServer } from '@karpenter/sim/apiserver';
import { ConformanceApi } from '@karpenter/testkit/api-conformance';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe('the embedded API server', () => {
  let server: ApiServer;
  let api: ConformanceApi;
  const errors: unknown[] = [];

  beforeAll(async () => {
    server = await startApiServer({ onError: (error) => errors.push(error) });
    api = new ConformanceApi(server, 'default');
    const metadata = { name: 'plain', labels: { app: 'a' } };
    (await api.post(api.path('configmaps'), { apiVersion: 'v1', kind: 'ConfigMap', metadata })).expect(201);
  });
  afterAll(async () => {
    api.close();
    await server.stop();
    expect(errors).toEqual([]);
  });

  const inherited = ['constructor', 'toString', 'hasOwnProperty', 'valueOf'];

  it.each(inherited)('has no label %s unless an object has it', async (name) => {
    const count = async (selector: string) => {
      const reply = await api.get(`${api.path('configmaps')}?labelSelector=${encodeURIComponent(selector)}`);
      return (reply.expect(200).at('items') as readonly unknown[]).length;
    };
    const all = await count('');
    expect(await count(name)).toBe(0);
    expect(await count(`${name}=a`)).toBe(0);
    expect(await count(`!${name}`)).toBe(all);
    expect(await count(`${name}!=a`)).toBe(all);
    expect(await count(`${name} notin (a)`)).toBe(all);
    expect(await count(`${name} in (a)`)).toBe(0);
  });

  it.each([...inherited, '__proto__'])(
    'does not know the resource, name, version or field %s',
    async (name) => {
      for (const path of [
        `/api/v1/namespaces/default/${name}`,
        `/api/v1/${name}`,
        `/api/${name}/pods`,
        `/apis/${name}/v1/pods`,
        `/apis/apps/${name}/deployments`,
        `/api/v1/namespaces/default/configmaps/${name}`,
        `/api/v1/namespaces/${name}`,
        `/api/v1/namespaces/default/configmaps/plain/${name}`,
        `/openapi/v3/${name}`,
        `/${name}`,
      ]) {
        expect((await api.get(path)).status, path).toBe(404);
      }
      const selected = `${api.path('pods')}?fieldSelector=${name}%3Da`;
      (await api.get(selected)).expect(400);
    },
  );

  it.each([...inherited, '__proto__'])('prunes or refuses the field %s', async (name) => {
    const body = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"odd"},"${name}":{"a":1}}`;
    const request = { headers: { 'content-type': 'application/json' }, body };
    const path = `${api.path('configmaps')}?fieldValidation=Strict&dryRun=All`;
    const reply = await api.request('POST', path, request);
    expect(reply.status).toBe(400);
    expect(reply.at('message')).toContain(`unknown field "${name}"`);
  });

  const token = (spec: JsonObject) =>
    api.post(`${api.path('serviceaccounts')}/default/token`, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec,
    });
  const withToken = (text: string) =>
    api.request('GET', '/api/v1/namespaces', { headers: { authorization: `Bearer ${text}` } });

  it('refuses a token for another audience', async () => {
    const foreign = (await token({ audiences: ['vault'] })).expect(201).at('status.token');
    (await withToken(String(foreign))).expect(401);
    const own = (await token({})).expect(201).at('status.token');
    (await withToken(String(own))).expect(403);
  });

  it.each([1e300, -1e300, 1.5, 599, 2 ** 33, '3600', [3600], {}, true])(
    'refuses a token that lasts %j',
    async (expirationSeconds) => {
      const { status } = await token({ expirationSeconds });
      expect([400, 422]).toContain(status);
    },
  );

  it('refuses tokens that are no tokens', async () => {
    const [head = '', claims = '', signature = ''] = String((await token({})).at('status.token')).split('.');
    const encoded = (text: string) => Buffer.from(text).toString('base64url');
    const odd = [
      'a',
      '...',
      `${head}.${claims}`,
      `${head}.${claims}.`,
      `${head}.${claims}.${signature}.x`,
      `${head}.${claims}.${'é'.repeat(signature.length)}`,
      `${head}.${encoded('null')}.${signature}`,
      `${head}.${encoded('{')}.${signature}`,
      `${encoded('{"alg":"none"}')}.${claims}.`,
      `${encoded('{"alg":"none"}')}.${claims}.${signature}`,
      `${head}.${claims.slice(1)}.${signature}`,
      'x'.repeat(5_000),
    ];
    for (const each of odd) expect((await withToken(each)).status, each.slice(0, 40)).toBe(401);
  });

  it.each([
    ['an object above the limit of etcd', largeText(1_600_000)],
    ['a hundred thousand members', members(100_000)],
  ])('refuses %s', async (_, data) => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'large' }, data };
    const reply = await api.post(api.path('configmaps'), object);
    expect(reply.status).toBe(413);
    expect(reply.at('message')).toBe('etcdserver: request is too large');
  });

  it.each([
    ['two hundred thousand keys', Array.from({ length: 200_000 }, (_, i) => `k${i}: v`).join('\n'), 413],
    ['a million comments', '#\n'.repeat(1_000_000), 413],
    ['a hundred thousand directives', '%YAML 1.2\n'.repeat(100_000), 413],
    ['a list in a list in a list', '['.repeat(100_000), 400],
    ['an alias of itself', 'a: &a [*a]', 400],
    ['aliases that multiply', laughs(), 400],
  ])('refuses YAML of %s', async (_, body, code) => {
    const reply = await api.request('POST', api.path('configmaps'), {
      headers: { 'content-type': 'application/yaml' },
      body,
    });
    expect(reply.status).toBe(code);
  });

  it('refuses a definition whose rule could cost too much', async () => {
    const numbers = { type: 'array', items: { type: 'integer' } };
    const rule = 'self.all(a, self.all(b, a + b > 0))';
    const x = { ...numbers, 'x-kubernetes-validations': [{ rule }] };
    const reply = await api.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { x } } },
          },
        ],
      },
    });
    expect(reply.status).toBe(422);
    expect(reply.at('message')).toContain(
      'properties[x].x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x',
    );
  });
});

function largeText(length: number): Readonly<Record<string, string>> {
  return { a: 'x'.repeat(length) };
}

function members(count: number): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));
}

function laughs(): string {
  const levels = Array.from({ length: 20 }, (_, index) => {
    const below = index === 0 ? 'x' : `*a${index - 1}`;
    return `a${index}: &a${index} [${Array.from({ length: 10 }, () => below).join(', ')}]`;
  });
  return levels.join('\n');
}
