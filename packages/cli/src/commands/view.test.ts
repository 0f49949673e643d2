import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from '../main.ts';
import { thirdPartyPackages } from '../view/index.ts';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'karpenter-view-'));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

async function run(...args: readonly string[]) {
  const texts = { out: '', err: '' };
  const code = await main(args, {
    out: (text) => {
      texts.out += text;
    },
    err: (text) => {
      texts.err += text;
    },
  });
  return { code, ...texts };
}

/** A kubeconfig of a server that nobody runs. */
async function kubeconfig(port: number): Promise<string> {
  const path = join(directory, 'kubeconfig');
  await writeFile(
    path,
    JSON.stringify({
      'current-context': 'main',
      clusters: [{ name: 'main', cluster: { server: `https://127.0.0.1:${port}` } }],
      users: [{ name: 'main', user: {} }],
      contexts: [{ name: 'main', context: { cluster: 'main', user: 'main' } }],
    }),
  );
  return path;
}

/** A port that was free a moment ago. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

describe.each(['view', 'cost'])('karpenter %s', (command) => {
  it('says in one sentence that the cluster cannot be reached', async () => {
    const port = await closedPort();
    const { code, out, err } = await run(command, '--kubeconfig', await kubeconfig(port));
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toBe(
      `karpenter: cannot reach the cluster at https://127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}; check that it is running, or choose another with --kubeconfig or --context\n`,
    );
  });

  it('suggests the nearest context', async () => {
    const path = await kubeconfig(1);
    expect(await run(command, '--kubeconfig', path, '--context', 'mian')).toMatchObject({
      code: 1,
      err: 'karpenter: cannot use the kubeconfig: it has no context "mian"; did you mean "main"?\n',
    });
  });

  it('names a kubeconfig that does not exist', async () => {
    expect((await run(command, '--kubeconfig', '/nowhere/config')).err).toMatch(
      /^karpenter: cannot use the kubeconfig: no file at \/nowhere\/config; .*\n$/,
    );
  });

  it('rejects an unknown flag with a suggestion and exits with 2', async () => {
    const { code, err } = await run(command, '--node-selecter', 'a');
    expect(code).toBe(2);
    expect(err).toContain('(Did you mean --node-selector?)');
  });

  it('has help, which exits with 0', async () => {
    const { code, out } = await run(command, '--help');
    expect(code).toBe(0);
    expect(out).toContain(`Usage: karpenter ${command}`);
  });
});

describe('karpenter view', () => {
  it.each([['-v'], ['-version'], ['--version']])('prints the version for %s', async (flag) => {
    const { code, out } = await run('view', flag);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('0.1.0') });
  });

  it('prints third-party notices for every package that it runs with', async () => {
    const { code, out } = await run('view', '-attribution');
    expect(code).toBe(0);
    const packages = join(import.meta.dirname, '../../..');
    const manifests = readdirSync(packages).map((name) =>
      JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')),
    );
    const used = manifests
      .filter(({ name }) => name !== '@karpenter/testkit')
      .flatMap(({ dependencies = {} }) => Object.keys(dependencies))
      .filter((name) => !name.startsWith('@karpenter/'));
    expect(Object.keys(thirdPartyPackages).sort()).toEqual([...new Set(used)].sort());
    for (const name of used) expect(out).toContain(`  ${name}  `);
  });

  it.each([
    [['-style', '#000'], '--style "#000" is not three colours'],
    [['-node-sort=creation=up'], '--node-sort "creation=up" is not an order'],
    [['--columns', 'nam'], '--columns "nam" is not a column; did you mean name?'],
  ])('rejects %j before it reads a cluster', async (args, message) => {
    const { code, err } = await run('view', ...args, '--kubeconfig', '/nowhere');
    expect(code).toBe(1);
    expect(err).toContain(message);
  });
});

describe('karpenter cost', () => {
  it.each([
    [['--by', 'zones'], '--by "zones" is not a grouping; did you mean zone?'],
    [['--by', 'zone', '--namespace', 'shop'], 'leave out --namespace'],
    [['--node-selector', 'a=b=c'], '--node-selector: "a=b=c" is not a label selector'],
  ])('rejects %j before it reads a cluster', async (args, message) => {
    const { code, err } = await run('cost', ...args, '--kubeconfig', '/nowhere');
    expect(code).toBe(1);
    expect(err).toContain(message);
  });
});
