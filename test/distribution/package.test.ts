import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { InstalledPackage, packArchive } from './installed-package.ts';
import { scratchDirectory, writeFiles } from './scratch-directory.ts';

const { otherNode } = await import(new URL('../../scripts/other-node.mjs', import.meta.url).href);

const directory = scratchDirectory();
let archive: string;

beforeAll(async () => {
  archive = await packArchive(join(directory, 'packed'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const contents = () => execFileSync('tar', ['tzf', archive], { encoding: 'utf8' }).trim().split('\n');

describe('the npm package', () => {
  it('has the program, its parts, the licences and a README, and nothing else', () => {
    const parts = /^package\/dist\/(chunks\/[^/]+\.mjs|page\/.+)$/;
    expect(
      contents()
        .filter((path) => !parts.test(path))
        .sort(),
    ).toEqual([
      'package/LICENSE',
      'package/README.md',
      'package/THIRD-PARTY-LICENSES',
      'package/dist/karpenter.mjs',
      'package/dist/kubectl-karpenter.mjs',
      'package/package.json',
    ]);
    expect(contents().filter((path) => path.endsWith('.map'))).toEqual([]);
  });

  it('is as small as docs/installing/image.md says', () => {
    expect(statSync(archive).size).toBeLessThan(2 * 2 ** 20);
  });

  it('has no dependencies and no scripts, and asks for the Node that the repository asks for', () => {
    const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
    const manifest = read(join(directory, 'packed', 'package', 'package.json'));
    const { version, engines } = read(new URL('../../package.json', import.meta.url).pathname);
    expect(manifest).toMatchObject({ name: 'karpenter-ts', version, engines });
    expect(Object.keys(manifest).filter((key) => /dependencies|scripts|private/i.test(key))).toEqual([]);
  });

  it('is the same archive, byte for byte, when it is packed again', async () => {
    const again = await packArchive(join(directory, 'again'));
    expect(readFileSync(again).equals(readFileSync(archive))).toBe(true);
  });
});

describe.each([
  ['the Node of this run', process.execPath],
  ['the Node of the image', otherNode().path],
])('the package, installed in an empty directory on %s', (name, node) => {
  let installed: InstalledPackage;

  beforeAll(async () => {
    installed = await InstalledPackage.install(archive, join(directory, name), node);
  });

  it('installs no other package', () => {
    const found = readdirSync(join(installed.directory, 'node_modules')).filter(
      (each) => !each.startsWith('.'),
    );
    expect(found).toEqual(['karpenter-ts']);
  });

  it('prints its version and the Node that runs it', async () => {
    const version = JSON.parse(await installed.npx('karpenter', 'version', '-o', 'json'));
    const running = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    expect(version).toMatchObject({ version: '0.1.0', node: running });
  });

  it('is also the plugin of kubectl', async () => {
    expect(await installed.npx('kubectl-karpenter', '--help')).toContain('Usage: kubectl karpenter');
  });

  it('prints the custom resource definitions', async () => {
    const printed = parseAllDocuments(await installed.npx('karpenter', 'crds'));
    expect(printed.map((document) => document.toJS().kind)).toEqual(
      Array(5).fill('CustomResourceDefinition'),
    );
  });

  it('plans manifests', async () => {
    writeFiles(installed.directory, { 'nodepool.json': nodePool, 'pod.json': pod });
    const args = ['simulate', '-f', 'nodepool.json', '-f', 'pod.json', '-o', 'json'];
    expect(JSON.parse(await installed.npx('karpenter', ...args))).toMatchObject({ pods: 1, placed: 1 });
  });

  it('runs a cluster with dev until SIGTERM', async () => {
    const args = ['dev', '--port', '0', '--no-ui', '--kubeconfig', 'kubeconfig'];
    const { printed, code } = await installed.until('Ctrl-C stops it', ...args);
    expect(printed).toContain('A Kubernetes cluster runs at https://127.0.0.1:');
    expect(code).toBe(0);
  });
});

const nodePool = JSON.stringify({
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
});

const pod = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { containers: [{ name: 'web', image: 'web', resources: { requests: { cpu: '1' } } }] },
});
