import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { customResources } from '@karpenter/aws';
import { nodePools } from '@karpenter/controllers';
import { connect } from '@karpenter/kube/client';
import { loadConfig } from '@karpenter/kube/config';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { DevProcess } from '../../clients/dev-process.ts';
import { root } from '../architecture/workspace.ts';
import {
  type BuiltBundle,
  type BuiltBundles,
  buildBundles,
  modulesAtStart,
  modulesOf,
  sourceMapsOf,
} from './built-bundles.ts';

let bundles: BuiltBundles;

beforeAll(async () => {
  bundles = await buildBundles();
});
afterAll(() => bundles.remove());

const names = ['karpenter', 'controller'] as const;

function run({ directory, program }: BuiltBundle, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: directory,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('the bundle of karpenter', () => {
  it('prints its version', () => {
    expect(run(bundles.karpenter, '--version')).toEqual({ status: 0, stdout: '0.1.0\n', stderr: '' });
  });

  it('names the commit that it was built from', () => {
    const { commit } = JSON.parse(run(bundles.karpenter, 'version', '-o', 'json').stdout);
    const head = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout.trim();
    expect(commit?.replace(/-dirty$/, '')).toBe(head === '' ? undefined : head);
  });

  it('prints the custom resource definitions', () => {
    const printed = parseAllDocuments(run(bundles.karpenter, 'crds').stdout);
    expect(printed.map((document) => document.toJS())).toEqual(
      customResources.map(({ definition }) => definition),
    );
  });

  it('plans with the instance types of the catalogue', () => {
    const file = join(bundles.karpenter.directory, 'cluster.json');
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [nodePool, deployment] }));
    const { status, stdout } = run(bundles.karpenter, 'simulate', '-f', file, '-o', 'json');
    expect({ status, plan: JSON.parse(stdout) }).toMatchObject({ status: 0, plan: { pods: 3, placed: 3 } });
  });

  it('exits with 1 and one sentence when a command fails', () => {
    const { status, stderr } = run(bundles.karpenter, 'simulate', '-f', 'missing.yaml');
    expect({ status, lines: stderr.trim().split('\n').length }).toEqual({ status: 1, lines: 1 });
  });

  it('runs a whole cluster with dev, and stops on SIGTERM', async () => {
    const { directory, program } = bundles.karpenter;
    const kubeconfig = join(directory, 'kubeconfig');
    const dev = new DevProcess(['--kubeconfig', kubeconfig], program);
    try {
      await dev.line('Ctrl-C stops it');
      const client = connect(await loadConfig({ kubeconfig }));
      expect((await client.list(nodePools)).items).toHaveLength(1);
      await client.close();
      expect(await dev.stop()).toBe(0);
    } finally {
      await dev.kill();
    }
  });

  it('loads no planner, no controller, no AWS SDK and no simulator before the command is known', () => {
    const ours = modulesAtStart(bundles.karpenter).filter((path) => path.startsWith('packages/'));
    expect(
      ours.filter((path) => !/^packages\/(cli\/src\/(entries\/)?[^/]+\.ts|core\/src\/errors\/)/.test(path)),
    ).toEqual([]);
    expect(modulesAtStart(bundles.karpenter).join()).not.toContain('node_modules/@');
    expect(ours.length).toBeGreaterThan(3);
  });
});

describe('the bundle of the controllers', () => {
  it('prints its version and its settings', () => {
    expect(run(bundles.controller, '--version')).toEqual({ status: 0, stdout: '0.1.0\n', stderr: '' });
    expect(run(bundles.controller, '--help').stdout).toContain('--batch-max-duration');
  });

  it('carries neither the simulator nor dev', () => {
    const simulated = /^packages\/(sim|testkit|cli\/src\/(dev|simulated-account))\//;
    expect(modulesOf(bundles.controller).filter((path) => simulated.test(path))).toEqual([]);
    expect(modulesOf(bundles.karpenter).filter((path) => simulated.test(path))).not.toEqual([]);
  });

  it('refuses a simulated cloud in one sentence', () => {
    const kubeconfig = join(bundles.controller.directory, 'kubeconfig');
    writeFileSync(kubeconfig, JSON.stringify(anyKubeconfig));
    const args = ['--cloud', 'simulated', '--kubeconfig', kubeconfig];
    expect(run(bundles.controller, ...args)).toMatchObject({
      status: 1,
      stderr:
        'karpenter: this installation has no simulated cloud; run it from a checkout, or use --cloud aws\n',
    });
  });

  it('carries only the commands of EC2 that are in use', () => {
    const commands = modulesOf(bundles.controller)
      .filter((path) => path.includes('/client-ec2/dist-es/commands/'))
      .map((path) => /([A-Za-z]+)Command\.js$/.exec(path)?.[1] ?? path);
    const exported = readFileSync(join(root, 'packages/aws/src/sdk/clients/ec2.ts'), 'utf8');
    expect(commands.sort()).toEqual(
      [...exported.matchAll(/([A-Za-z]+)Command\b/g)].map(([, name]) => name).sort(),
    );
  });
});

describe('the bundle of the termination handler', () => {
  it('prints its version, and exits with 1 and one sentence without the name of its node', () => {
    const handler = bundles['node-termination-handler'];
    expect(run(handler, '--version')).toEqual({ status: 0, stdout: '0.1.0\n', stderr: '' });
    const { status, stderr } = run(handler, '--node-name=');
    expect({ status, lines: stderr.trim().split('\n').length }).toEqual({ status: 1, lines: 1 });
  });

  it('carries no controller, no AWS SDK, no simulator and no page', () => {
    const { directory } = bundles['node-termination-handler'];
    const modules = modulesOf(bundles['node-termination-handler']);
    const foreign =
      /^packages\/(?!core|kube|termination-handler|cli\/src\/(entries\/|stop-signals|version))|@aws-sdk/;
    expect(modules.filter((path) => foreign.test(path))).toEqual([]);
    expect(modules.length).toBeGreaterThan(50);
    expect(existsSync(join(directory, 'page'))).toBe(false);
  });
});

describe.each(names)('the launcher of %s', (name) => {
  it('runs the program through a link, from a directory with a space in its name', () => {
    const place = join(bundles[name].directory, 'a place');
    mkdirSync(place);
    symlinkSync(join('..', name), join(place, 'link'));
    const { status, stdout, stderr } = spawnSync('./link', ['--version'], { cwd: place, encoding: 'utf8' });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '0.1.0\n', stderr: '' });
  });
});

describe.each(names)('the start of %s', (name) => {
  it('does not load the client behind fetch', () => {
    const loaded = `process.on('exit', () => process.stderr.write(process.moduleLoadList.join('\\n')))`;
    const program = join(bundles[name].directory, `${name}.mjs`);
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(loaded)}`, program, '--help'],
      { encoding: 'utf8' },
    );
    expect({ status, loaded: stderr.split('\n') }).toEqual({
      status: 0,
      loaded: expect.arrayContaining(['NativeModule http']),
    });
    expect(stderr).not.toContain('undici/undici');
  });
});

describe('the launcher of the kubectl plugin', () => {
  it('runs the program under the name that kubectl gives it', () => {
    const launcher = join(bundles.karpenter.directory, 'kubectl-karpenter');
    const { status, stdout } = spawnSync(launcher, ['--help'], { encoding: 'utf8' });
    expect({ status, usage: stdout.split('\n')[0] }).toEqual({
      status: 0,
      usage: 'Usage: kubectl karpenter [options] [command]',
    });
  });
});

describe('the launcher of the controllers', () => {
  const launch = (environment: Readonly<Record<string, string>> = {}) => {
    const { directory } = bundles.controller;
    const shim = join(directory, 'node');
    writeFileSync(
      shim,
      '#!/bin/sh\necho "$$ $MALLOC_ARENA_MAX $MALLOC_MMAP_THRESHOLD_ $MALLOC_TRIM_THRESHOLD_ $@"\n',
      { mode: 0o755 },
    );
    return spawnSync(join(directory, 'controller'), ['--cluster-name', 'a b'], {
      env: { PATH: `${directory}:${process.env['PATH']}`, ...environment },
      encoding: 'utf8',
    });
  };

  it('bounds the heap by options of Node, sets how glibc allocates and keeps the process id', () => {
    const started = launch();
    expect(started.stdout).toBe(
      `${started.pid} 1 32000 65536 --heap-growing-percent=40 --max-semi-space-size=8 ${bundles.controller.program} --cluster-name a b\n`,
    );
  });

  it('leaves the settings of memory to whoever sets them', () => {
    const own = { MALLOC_ARENA_MAX: '4', MALLOC_MMAP_THRESHOLD_: '5', MALLOC_TRIM_THRESHOLD_: '6' };
    expect(launch(own).stdout).toMatch(/^\d+ 4 5 6 /);
  });
});

describe.each(names)('the files of the bundle of %s', (name) => {
  it('name no path of the machine that built them', () => {
    const { directory } = bundles[name];
    const texts = filesIn(directory).map((path) => ({ path, text: readFileSync(path, 'utf8') }));
    const machine = [root, directory, join(homedir(), '/')];
    const leaking = texts.filter(({ text }) => machine.some((path) => text.includes(path)));
    expect(leaking.map(({ path }) => relative(directory, path))).toEqual([]);
  });

  it('hold ASCII only, which V8 keeps in one byte for each character', () => {
    const { directory, files } = bundles[name];
    const wide = files
      .map((file) => file.name)
      .filter((file) => /\P{ASCII}/u.test(readFileSync(join(directory, file), 'utf8')));
    expect(wide).toEqual([]);
  });

  it('have source maps that lead to the sources', async () => {
    const maps = await sourceMapsOf(bundles[name]);
    const withCode = bundles[name].files.filter(({ modules }) =>
      modules.some((path) => !path.startsWith('\0')),
    );
    expect(maps.map(({ path }) => path)).toEqual(
      expect.arrayContaining(withCode.map((file) => `${file.name}.map`)),
    );
    const sources = maps.flatMap(({ path, sources }) =>
      sources.map((source) => join(root, 'dist', name, dirname(path), source)),
    );
    expect(sources.filter((path) => !path.includes('\0') && !existsSync(path))).toEqual([]);
    expect(sources).toContain(join(root, 'packages/cli/src/entries', `${name}.ts`));
  });

  it('include the licence of every package in them', async () => {
    const licences = readFileSync(join(bundles[name].directory, 'THIRD-PARTY-LICENSES'), 'utf8');
    const packages = (await sourceMapsOf(bundles[name]))
      .flatMap(({ sources }) => sources)
      .flatMap((source) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? []);
    const missing = [...new Set(packages)].filter((title) => !licences.includes(`\n${title}@`));
    expect(missing).toEqual([]);
    expect(packages).toContain('commander');
  });
});

function filesIn(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((path) => join(directory, path))
    .filter((path) => statSync(path).isFile() && /\.(mjs|map)$|LICENSES$/.test(path));
}

/** Resolves when the process has printed the text; rejects when it ends before. */
const nodePool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'default' },
  spec: {
    template: {
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] }],
      },
    },
  },
};

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'web', resources: { requests: { cpu: '1' } } }] },
    },
  },
};

const anyKubeconfig = {
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'any',
  clusters: [{ name: 'any', cluster: { server: 'https://127.0.0.1:9' } }],
  users: [{ name: 'any', user: { token: 'any' } }],
  contexts: [{ name: 'any', context: { cluster: 'any', user: 'any' } }],
};
