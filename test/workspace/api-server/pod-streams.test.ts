import { once } from 'node:events';
import type { JsonObject } from '@karpenter/core/schema';
import { SimulatedContainers } from '@karpenter/sim';
import { type ApiServer, startApiServer } from '@karpenter/sim/apiserver';
import { ConformanceApi } from '@karpenter/testkit/api-conformance';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';

let server: ApiServer;
let api: ConformanceApi;

beforeEach(async () => {
  server = await startApiServer({ containers: new SimulatedContainers() });
  api = new ConformanceApi(server, 'default');
  const spec = {
    nodeName: 'node-a',
    containers: [{ name: 'main', image: 'web:1', ports: [{ containerPort: 80 }] }],
  };
  (
    await api.post(api.path('pods'), { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec })
  ).expect(201);
});

afterEach(async () => {
  api.close();
  await server.stop();
});

function open(path: string, protocols: readonly string[], token = server.token): WebSocket {
  const url = `${server.url.replace('https', 'wss')}${api.path('pods')}/${path}`;
  const headers = { authorization: `Bearer ${token}` };
  return new WebSocket(url, [...protocols], { ca: server.caPem, headers });
}

/** The status code and message with which the server refuses to open a WebSocket. */
async function refusal(socket: WebSocket): Promise<readonly [number, string]> {
  const [, response] = await once(socket, 'unexpected-response');
  let body = '';
  for await (const chunk of response) body += chunk;
  return [response.statusCode, JSON.parse(body).message];
}

/** The token of a service account that may do so much with a subresource of pods. */
async function tokenWith(subresource: string, verbs: string[]): Promise<string> {
  const name = verbs.join('-');
  const rbac = 'rbac.authorization.k8s.io/v1';
  const create = async (path: string, object: JsonObject) => (await api.post(path, object)).expect(201);
  await create(api.path('serviceaccounts'), { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } });
  await create(api.path('roles', rbac), {
    apiVersion: rbac,
    kind: 'Role',
    metadata: { name },
    rules: [{ apiGroups: [''], resources: [`pods/${subresource}`], verbs }],
  });
  await create(api.path('rolebindings', rbac), {
    apiVersion: rbac,
    kind: 'RoleBinding',
    metadata: { name },
    subjects: [{ kind: 'ServiceAccount', name, namespace: 'default' }],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
  });
  const reply = await create(`${api.path('serviceaccounts')}/${name}/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: {},
  });
  return String(reply.at('status.token'));
}

/** The texts of the channels of a command by number. */
async function channelsOf(socket: WebSocket): Promise<Record<number, string>> {
  const texts: Record<number, string> = {};
  socket.on('message', (message: Buffer) => {
    texts[message[0] ?? -1] = message.subarray(1).toString();
  });
  await once(socket, 'close');
  return texts;
}

describe('a command in a simulated pod', () => {
  it.each(['v5.channel.k8s.io', 'v4.channel.k8s.io'])(
    'fails with a sentence and a code in %s',
    async (protocol) => {
      const socket = open('web/exec?command=ls&command=-l', [protocol]);
      const channels = await channelsOf(socket);
      expect(socket.protocol).toBe(protocol);
      expect(channels[2]).toBe(
        'cannot run "ls -l" in container main of pod default/web: the pod is simulated, and no process runs in it\n',
      );
      expect(JSON.parse(channels[3] ?? '')).toMatchObject({
        status: 'Failure',
        reason: 'NonZeroExitCode',
        details: { causes: [{ reason: 'ExitCode', message: '126' }] },
      });
    },
  );

  it('cannot be attached to', async () => {
    const channels = await channelsOf(open('web/attach', ['v5.channel.k8s.io']));
    expect(channels[2]).toContain('cannot attach to container main of pod default/web');
  });

  it.each([
    ['none/exec?command=ls', 404, /pods "none" not found/],
    ['web/exec', 400, /at least 1 command/],
    ['web/exec?command=ls&container=x', 400, /container x is not valid for pod web/],
    ['web/portforward', 400, /pod is not running. Current status=Pending/],
  ])('is refused with a status: %s', async (path, code, message) => {
    expect(await refusal(open(path, ['v5.channel.k8s.io']))).toEqual([code, expect.stringMatching(message)]);
  });

  it('needs a protocol that the server speaks, and rights', async () => {
    const unknown = await refusal(open('web/exec?command=ls', ['v9.channel.k8s.io']));
    expect(unknown).toEqual([400, expect.stringContaining('client supports [v9.channel.k8s.io]')]);
    const [code] = await refusal(open('web/exec?command=ls', ['v5.channel.k8s.io'], 'wrong'));
    expect(code).toBe(401);
    expect((await api.get(`${api.path('pods')}/web/exec?command=ls`)).expect(400).at('message')).toContain(
      'Upgrade request required',
    );
  });

  it.each(['exec?command=ls', 'attach', 'portforward'])(
    'needs the right to create beside that to get: %s',
    async (path) => {
      const [subresource = ''] = path.split('?');
      const reader = await tokenWith(subresource, ['get']);
      expect(await refusal(open(`web/${path}`, ['v5.channel.k8s.io'], reader))).toEqual([
        403,
        `pods "web" is forbidden: User "system:serviceaccount:default:get" cannot create resource "pods/${subresource}" in API group "" in the namespace "default"`,
      ]);
      const writer = await tokenWith(subresource, ['create']);
      expect(await refusal(open(`web/${path}`, ['v5.channel.k8s.io'], writer))).toEqual([
        403,
        expect.stringContaining(`cannot get resource "pods/${subresource}"`),
      ]);
      const both = await tokenWith(subresource, ['get', 'create']);
      const [code] = await refusal(open(`web/${path}`, ['v9.channel.k8s.io'], both));
      expect(code).toBe(400);
    },
  );

  it('leaves other requests that ask for an upgrade alone', async () => {
    expect(await refusal(open('web', ['v5.channel.k8s.io']))).toEqual([200, undefined]);
  });
});
