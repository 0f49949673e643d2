import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../architecture/workspace.ts';

const script = (name: string) => import(new URL(`../../../scripts/${name}`, import.meta.url).href);
const dockerfile = readFileSync(join(root, 'deploy', 'image', 'Dockerfile'), 'utf8');
const lastStage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM ') + 1);

describe('the Dockerfile', () => {
  it('runs the command with which the assembled root file system is tried', async () => {
    const { entrypoint } = await script('image/entrypoint.mjs');
    expect(JSON.parse(/^ENTRYPOINT (.*)$/m.exec(lastStage)?.[1] ?? '')).toEqual(entrypoint);
  });

  it('sets the environment of the launchers', async () => {
    const { environment } = await script('bundler.mjs');
    const set = [...lastStage.matchAll(/^ENV (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
    expect(Object.fromEntries(set)).toEqual(environment);
  });

  it('runs as the user of the charts', async () => {
    const { userId } = await script('image/root-files.mjs');
    const deployment = readFileSync(join(root, 'charts/karpenter/templates/deployment.yaml'), 'utf8');
    expect(/^USER (.*)$/m.exec(lastStage)?.[1]).toBe(`${userId}:${userId}`);
    expect(/runAsUser: (\d+)/.exec(deployment)?.[1]).toBe(String(userId));
  });

  it('takes the Node that the tests run on', async () => {
    const { otherNode } = await script('other-node.mjs');
    const version = /\/node-(\d+\.\d+\.\d+)\//.exec(otherNode().path)?.[1];
    expect(/^ARG NODE_IMAGE=node:([\d.]+)-/m.exec(dockerfile)?.[1]).toBe(version);
  });

  it('puts nothing into the image but the assembled directory', () => {
    expect(/^FROM (.*)$/m.exec(lastStage)?.[1]).toBe('scratch');
    expect(lastStage.match(/^(COPY|ADD|RUN).*$/gm)).toEqual(['COPY --from=build /image/ /']);
  });

  it('names version and commit as labels', () => {
    const labels = [...lastStage.matchAll(/image\.(\w+)="\$\{(\w+)\}"/g)].map(([, label, value]) => [
      label,
      value,
    ]);
    expect(Object.fromEntries(labels)).toEqual({ version: 'VERSION', revision: 'COMMIT' });
  });
});
