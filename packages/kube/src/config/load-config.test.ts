import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { durationMs } from '@karpenter/core/values';
import { VirtualClock } from '@karpenter/testkit/clock';
import { startHttpServer } from '@karpenter/testkit/http-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLeaf } from '../certificates/index.ts';
import { connect } from '../client/index.ts';
import { type LoadOptions, loadConfig } from './load-config.ts';

async function directory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

interface Parts {
  readonly cluster?: object;
  readonly user?: object;
  readonly context?: object;
}

function kubeconfig({ cluster = {}, user = {}, context = {} }: Parts = {}): object {
  return {
    'current-context': 'main',
    contexts: [{ name: 'main', context: { cluster: 'main', user: 'main', ...context } }],
    clusters: [{ name: 'main', cluster: { server: 'https://main.example:6443', ...cluster } }],
    users: [{ name: 'main', user }],
  };
}

async function load(content: unknown, options: LoadOptions = {}) {
  const path = await directory();
  const file = join(path, 'config');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return loadConfig({ kubeconfig: file, env: {}, home: path, ...options });
}

describe('a kubeconfig', () => {
  it('provides the server, CA and credentials', async () => {
    const config = await load(
      kubeconfig({
        cluster: {
          'certificate-authority-data': Buffer.from('CA').toString('base64'),
          'tls-server-name': 'inside',
          'insecure-skip-tls-verify': true,
        },
        user: { token: 'secret', as: 'someone' },
        context: { namespace: 'shop' },
      }),
    );
    expect(config).toMatchObject({
      server: 'https://main.example:6443',
      ca: Buffer.from('CA'),
      tlsServerName: 'inside',
      insecure: true,
      namespace: 'shop',
    });
    expect(await config.credentials?.current()).toEqual({
      authorization: 'Bearer secret',
      headers: { 'impersonate-user': 'someone' },
    });
  });

  it('is YAML, with paths relative to its directory', async () => {
    const path = await directory();
    await mkdir(join(path, 'pki'));
    await Promise.all(
      ['ca', 'cert', 'key'].map((name) => writeFile(join(path, 'pki', name), name.toUpperCase())),
    );
    const file = join(path, 'config');
    await writeFile(
      file,
      `current-context: main
contexts: [{name: main, context: {cluster: main, user: main}}]
clusters:
- name: main
  cluster:
    server: https://main.example
    certificate-authority: pki/ca
users:
- name: main
  user: {client-certificate: pki/cert, client-key: pki/key}
`,
    );
    const config = await loadConfig({ kubeconfig: file });
    expect(config.ca).toEqual(Buffer.from('CA'));
    expect(await config.credentials?.current()).toEqual({
      certificate: { cert: Buffer.from('CERT'), key: Buffer.from('KEY') },
    });
  });

  it('may be split over several files, of which the first wins', async () => {
    const path = await directory();
    const first = { 'current-context': 'main', users: [{ name: 'main', user: { token: 'first' } }] };
    await writeFile(join(path, 'one'), JSON.stringify(first));
    await writeFile(
      join(path, 'two'),
      JSON.stringify({ ...kubeconfig({ user: { token: 'second' } }), 'current-context': 'x' }),
    );
    const env = { KUBECONFIG: ['one', 'absent', 'two'].map((name) => join(path, name)).join(delimiter) };
    const config = await loadConfig({ env });
    expect(config.server).toBe('https://main.example:6443');
    expect(await config.credentials?.current()).toEqual({ authorization: 'Bearer first' });
  });

  it('is read from the home directory by default', async () => {
    const home = await directory();
    await mkdir(join(home, '.kube'));
    await writeFile(join(home, '.kube', 'config'), JSON.stringify(kubeconfig()));
    expect((await loadConfig({ env: {}, home })).server).toBe('https://main.example:6443');
  });

  it('uses the requested context', async () => {
    const both = { contexts: [{ name: 'other', context: { cluster: 'main' } }] };
    const config = await load(
      { ...kubeconfig({ user: { token: 'secret' } }), ...both },
      { context: 'other' },
    );
    expect(await config.credentials?.current()).toEqual({});
  });

  it('supports basic authentication', async () => {
    const config = await load(kubeconfig({ user: { username: 'me', password: 'pass' } }));
    expect(await config.credentials?.current()).toEqual({ authorization: 'Basic bWU6cGFzcw==' });
  });

  it.each([
    ['is not YAML', '{', /^cannot use the kubeconfig: .*config is not YAML$/],
    ['is not an object', '[]', /config holds no kubeconfig$/],
    ['has no current context', {}, /it has no current context; choose one with kubectl config use-context$/],
    [
      'lacks its context',
      { ...kubeconfig(), 'current-context': 'gone' },
      /it has no context "gone"; it has main$/,
    ],
    [
      'lacks a context like the wanted one',
      { ...kubeconfig(), 'current-context': 'mian' },
      /it has no context "mian"; did you mean "main"\?$/,
    ],
    ['lacks its cluster', { ...kubeconfig(), clusters: [] }, /it has no cluster "main"; it has none$/],
    ['lacks its user', { ...kubeconfig(), users: [] }, /it has no user "main"; it has none$/],
    [
      'has no server',
      kubeconfig({ cluster: { server: '' } }),
      /the cluster of context "main" has no usable server address$/,
    ],
    [
      'refers to a missing file',
      kubeconfig({ user: { 'client-key': 'gone' } }),
      /its client-key file .*gone cannot be read$/,
    ],
    [
      'impersonates groups',
      kubeconfig({ user: { as: 'me', 'as-groups': ['ops'] } }),
      /impersonates more than a name; use another$/,
    ],
  ])('that %s is rejected with one sentence', async (_what, content, message) => {
    await expect(load(content)).rejects.toMatchObject({
      code: 'invalid-kubeconfig',
      message: expect.stringMatching(message),
    });
  });

  it('reports what was tried when it is missing', async () => {
    await expect(loadConfig({ kubeconfig: '/absent/config' })).rejects.toMatchObject({
      code: 'invalid-kubeconfig',
      message: 'cannot use the kubeconfig: no file at /absent/config; set KUBECONFIG to a file that exists',
    });
    await expect(loadConfig({ env: {}, home: '/absent' })).rejects.toMatchObject({
      code: 'no-cluster',
      message:
        'found no cluster: KUBECONFIG is not set, this is no pod and /absent/.kube/config is not usable; set KUBECONFIG',
    });
  });
});

describe('a token in a file', () => {
  it('is read again every minute and after a 401', async () => {
    const path = await directory();
    const clock = new VirtualClock();
    await writeFile(join(path, 'token'), 'one\n');
    const config = await load(kubeconfig({ user: { tokenFile: join(path, 'token'), token: 'ignored' } }), {
      clock,
    });
    const current = async () => (await config.credentials?.current())?.authorization;
    expect(await current()).toBe('Bearer one');
    await writeFile(join(path, 'token'), 'two\n');
    await clock.advance(59_999);
    expect(await current()).toBe('Bearer one');
    await clock.advance(1);
    expect(await current()).toBe('Bearer two');
    await writeFile(join(path, 'token'), 'three\n');
    expect(config.credentials?.renew?.()).toBe(true);
    expect(await current()).toBe('Bearer three');
  });
});

describe('the service account of a pod', () => {
  const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };

  it('is used inside a pod', async () => {
    const path = await directory();
    const files = { token: 'secret', namespace: 'karpenter\n', 'ca.crt': 'CA' };
    await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(path, name), text)));
    const config = await loadConfig({ env, accountDirectory: path });
    expect(config).toMatchObject({ server: 'https://[fd00::1]:443', ca: 'CA', namespace: 'karpenter' });
    expect(await config.credentials?.current()).toEqual({ authorization: 'Bearer secret' });
  });

  it('causes an error when it is not mounted', async () => {
    await expect(loadConfig({ env, accountDirectory: '/absent' })).rejects.toMatchObject({
      code: 'credentials-failed',
      message:
        'cannot use the account of the pod: /absent/ca.crt is missing or unreadable; mount a service account token',
    });
  });
});

describe('an exec credential plugin', () => {
  async function withProgram(script: string) {
    const path = await directory();
    const program = join(path, 'program');
    await writeFile(program, `#!/bin/sh\necho run >> ${path}/runs\n${script}\n`);
    await chmod(program, 0o755);
    const clock = new VirtualClock();
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: program,
      args: ['a'],
      env: [{ name: 'X', value: 'y' }],
    };
    const config = await load(kubeconfig({ user: { exec } }), { clock });
    const runs = async () => (await readFile(join(path, 'runs'), 'utf8')).split('\n').length - 1;
    return { config, clock, runs };
  }

  const answer = (token: string, expires = '') =>
    `echo '{"kind":"ExecCredential","status":{"token":"${token}"${expires}}}'`;

  it('runs once for many requests, with KUBERNETES_EXEC_INFO', async () => {
    const { config, runs } = await withProgram(
      `[ "$1$X" = ay ] && [ -n "$KUBERNETES_EXEC_INFO" ] && ${answer('t')}`,
    );
    const all = await Promise.all(Array.from({ length: 5 }, () => config.credentials?.current()));
    expect(all).toEqual(Array.from({ length: 5 }, () => ({ authorization: 'Bearer t', headers: {} })));
    expect(await runs()).toBe(1);
  });

  it('runs again after a 401', async () => {
    const { config, runs } = await withProgram(answer('t', ',"expirationTimestamp":"2100-01-01T00:00:00Z"'));
    await config.credentials?.current();
    config.credentials?.renew?.();
    await config.credentials?.current();
    expect(await runs()).toBe(2);
  });

  it('reports its own error output when it fails', async () => {
    const { config } = await withProgram('echo "no session; log in" >&2; exit 3');
    await expect(config.credentials?.current()).rejects.toMatchObject({
      code: 'credentials-failed',
      message: 'cannot get credentials for context "main": no session; log in',
    });
  });
});

describe('a client certificate in a kubeconfig', () => {
  it('is presented to the server', async () => {
    const server = await startHttpServer(
      (exchange) => {
        exchange.start(200);
        exchange.end(exchange.clientSubject);
      },
      { clientCertificates: true },
    );
    onTestFinished(() => server.close());
    const leaf = createLeaf(server.authority, {
      from: Date.now(),
      lasts: durationMs(60_000),
      commonName: 'me',
      usage: 'client',
    });
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const config = await load(
      kubeconfig({
        cluster: { server: server.url, 'certificate-authority-data': base64(server.authority.cert) },
        user: { 'client-certificate-data': base64(leaf.cert), 'client-key-data': base64(leaf.key) },
      }),
    );
    const client = connect(config);
    onTestFinished(() => client.close());
    expect(await client.request('GET', '/')).toBe('CN=me');
  });
});
