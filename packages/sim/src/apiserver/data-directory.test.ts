import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect, kinds, tokenCredentials } from '@karpenter/kube/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiServer, openDataDirectory, startApiServer } from './index.ts';

let parent: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'karpenter-data-'));
});
afterAll(() => rm(parent, { recursive: true, force: true }));

const freshDirectory = async () => join(await mkdtemp(join(parent, 'case-')), 'data');

const clientOf = ({ url, caPem, token }: ApiServer) =>
  connect({ server: url, ca: caPem, credentials: tokenCredentials(token) });

/** Every file below the directory with its mode and content. */
async function contentOf(directory: string): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(directory, { recursive: true });
  const files = await Promise.all(
    names.sort().map(async (name): Promise<[string, string]> => {
      const path = join(directory, name);
      const { mode } = await stat(path);
      const isFile = (await stat(path)).isFile();
      return [name, `${mode.toString(8)} ${isFile ? await readFile(path, 'latin1') : ''}`];
    }),
  );
  return new Map(files);
}

const metadata = (name: string) => ({ name, namespace: 'default' });

describe('the data directory of a server', () => {
  it('rejects a second server, which changes nothing in it', async () => {
    const directory = await freshDirectory();
    const server = await startApiServer({ dataDir: directory });
    const client = clientOf(server);
    await client.create(kinds.configMap, { metadata: metadata('first') });
    const before = await contentOf(directory);
    for (const port of [0, server.port]) {
      await expect(startApiServer({ dataDir: directory, port })).rejects.toThrow(
        `cannot use the data directory ${directory}: the process ${process.pid} uses it; stop that process or choose another --data-dir`,
      );
    }
    expect(await contentOf(directory)).toEqual(before);
    await client.create(kinds.configMap, { metadata: metadata('second') });
    await client.close();
    await server.stop();
    const next = await startApiServer({ dataDir: directory });
    const again = clientOf(next);
    const { items } = await again.list(kinds.configMap, { namespace: 'default' });
    expect(items.map((item) => item.metadata?.name)).toEqual(['first', 'kube-root-ca.crt', 'second']);
    await again.close();
    await next.stop();
  });

  it('is unlocked when a server fails to start', async () => {
    const directory = await freshDirectory();
    const other = await startApiServer();
    await expect(startApiServer({ dataDir: directory, port: other.port })).rejects.toThrow('cannot listen');
    await (await startApiServer({ dataDir: directory })).stop();
    await other.stop();
  });

  it('stays locked when a server stops that received it already open', async () => {
    const path = await freshDirectory();
    const dataDir = await openDataDirectory(path);
    await (await startApiServer({ dataDir })).stop();
    await expect(openDataDirectory(path)).rejects.toThrow('uses it');
    await dataDir.close();
    await (await openDataDirectory(path)).close();
  });

  it('is restricted to its owner with all its files, even if others could read it before', async () => {
    const directory = await freshDirectory();
    await (await startApiServer({ dataDir: directory })).stop();
    await writeFile(join(directory, 'kubeconfig'), '');
    await writeFile(join(directory, 'identity.json.0a1b2c3d.part'), 'never finished');
    await chmod(directory, 0o755);
    for (const name of await readdir(directory)) await chmod(join(directory, name), 0o755);
    await (await startApiServer({ dataDir: directory })).stop();
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    const modes = [...(await contentOf(directory))].map(([name, text]) => [name, text.split(' ')[0]]);
    expect(Object.fromEntries(modes)).toEqual({
      acknowledged: '100600',
      'identity.json': '100600',
      kubeconfig: '100600',
      'lock-2': '40700',
      'lock-2/holder.json': '100600',
      'log-0.jsonl': '100600',
      'snapshot-0.jsonl': '100600',
    });
  });

  it('keeps its mode when it contains only files of others', async () => {
    const directory = await freshDirectory();
    await mkdir(directory);
    await chmod(directory, 0o755);
    await writeFile(join(directory, 'photo.jpg'), '');
    await (await startApiServer({ dataDir: directory })).stop();
    expect((await stat(directory)).mode & 0o777).toBe(0o755);
    expect((await stat(join(directory, 'log-0.jsonl'))).mode & 0o777).toBe(0o600);
  });

  it('is rejected with a clear error when it is a file', async () => {
    const path = await freshDirectory();
    await writeFile(path, '');
    await expect(startApiServer({ dataDir: path })).rejects.toThrow(
      new RegExp(
        `^cannot use the data directory ${path}: a file of that name is in the way; fix that or choose another --data-dir$`,
      ),
    );
  });

  it('is rejected with a clear error where no directory can be created', async () => {
    await expect(startApiServer({ dataDir: '/proc/nowhere/data' })).rejects.toThrow(
      /^cannot use the data directory \/proc\/nowhere\/data: its folder does not exist; fix that or choose another --data-dir$/,
    );
  });

  it.each(['', 'null', '1', '{"authority":1,"token":"a","signingKey":"b"}'])(
    'is rejected when the identity is %j',
    async (text) => {
      const directory = await freshDirectory();
      await mkdir(directory);
      await writeFile(join(directory, 'identity.json'), text);
      await expect(startApiServer({ dataDir: directory })).rejects.toMatchObject({
        code: 'damaged-data-directory',
      });
    },
  );

  it('is rejected when the identity is damaged, which --repair replaces', async () => {
    const directory = await freshDirectory();
    await (await startApiServer({ dataDir: directory })).stop();
    const path = join(directory, 'identity.json');
    const text = await readFile(path, 'utf8');
    const damaged = text.replace(/"token":"./, '"token":"!');
    await writeFile(path, damaged);
    await expect(startApiServer({ dataDir: directory })).rejects.toThrow(
      `cannot read the cluster's state in ${path}`,
    );
    expect(await readFile(path, 'utf8')).toBe(damaged);
    const notices: string[] = [];
    const onNotice = (notice: string) => notices.push(notice);
    await (await startApiServer({ dataDir: directory, repair: true, onNotice })).stop();
    expect(notices).toEqual([
      expect.stringContaining('certificates and tokens cannot be read and are created again'),
    ]);
  });
});

describe('a server whose data directory is removed', () => {
  async function ready(server: ApiServer): Promise<string> {
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${server.url}/readyz`, { ca: server.caPem, agent: false }, resolve).on('error', reject);
    });
    return `${reply.statusCode} ${await text(reply)}`;
  }

  it('rejects writes with the reason, still serves reads and watches, and recovers when it is back', async () => {
    const directory = await freshDirectory();
    const server = await startApiServer({ dataDir: directory });
    const client = clientOf(server);
    await client.create(kinds.configMap, { metadata: metadata('before') });
    const { resourceVersion } = await client.list(kinds.configMap);
    await rename(directory, `${directory}-away`);

    const refusal = `cannot save changes in the data directory ${directory}: its log was deleted or replaced`;
    await expect(client.create(kinds.configMap, { metadata: metadata('refused') })).rejects.toMatchObject({
      status: 500,
      reason: 'InternalError',
      message: expect.stringContaining(refusal),
    });
    await expect(client.create(kinds.namespace, { metadata: { name: 'refused' } })).rejects.toThrow(refusal);
    await expect(client.get(kinds.configMap, metadata('refused'))).rejects.toThrow('not found');
    expect((await client.list(kinds.configMap, { namespace: 'default' })).items).toHaveLength(2);
    expect(await ready(server)).toContain(`500 [+]ping ok\n[-]storage failed: ${refusal}`);

    await rename(`${directory}-away`, directory);
    expect(await ready(server)).toBe('200 ok');
    await client.create(kinds.configMap, { metadata: metadata('after') });
    const seen: (string | undefined)[] = [];
    for await (const event of client.watch(kinds.configMap, { resourceVersion })) {
      if (event.type !== 'BOOKMARK') seen.push(event.object.metadata?.name);
      if (seen.includes('after')) break;
    }
    expect(seen).toEqual(['after']);
    await client.close();
    await server.stop();
  });

  it('stops at once and reports that changes were rejected', async () => {
    const directory = await freshDirectory();
    const server = await startApiServer({ dataDir: directory });
    const client = clientOf(server);
    await rm(directory, { recursive: true });
    await expect(client.create(kinds.configMap, { metadata: metadata('refused') })).rejects.toThrow(
      'cannot save',
    );
    await client.close();
    await expect(server.stop()).rejects.toThrow(
      `the log in the data directory ${directory} was deleted or replaced while it was in use; what was in it is not saved`,
    );
  });
});
