import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningCluster, startEmbedded } from '../../clients/running-clusters.ts';
import { installCustomResources } from '../custom-resources/installed-kinds.ts';

let embedded: RunningCluster;
let cache: string;

beforeAll(async () => {
  cache = mkdtempSync(join(tmpdir(), 'karpenter-discovery-'));
  embedded = await startEmbedded();
  await installCustomResources(embedded);
});

afterAll(async () => {
  await embedded.stop();
  rmSync(cache, { recursive: true, force: true });
});

const kubectl = (args: readonly string[], input?: string) =>
  embedded.kubectl([`--cache-dir=${cache}`, ...args], input === undefined ? {} : { input });

const older = [
  ['karpenter.sh/v1alpha5', 'Provisioner'],
  ['karpenter.sh/v1beta1', 'NodePool'],
  ['karpenter.k8s.aws/v1alpha1', 'AWSNodeTemplate'],
  ['karpenter.k8s.aws/v1beta1', 'EC2NodeClass'],
] as const;

describe('kubectl on the embedded server', () => {
  it.each(
    older.flatMap(([apiVersion, kind]) =>
      [['apply'], ['apply', '--server-side'], ['apply', '--dry-run=client'], ['create']].map((command) => ({
        apiVersion,
        kind,
        command,
      })),
    ),
  )('shows the hint for $kind of $apiVersion with $command', async ({ apiVersion, kind, command }) => {
    const object = { apiVersion, kind, metadata: { name: 'a' }, spec: {} };
    const { code, stderr } = await kubectl([...command, '--filename=-'], JSON.stringify(object));
    expect(code).toBe(1);
    expect(stderr).toContain(
      `${kind} of ${apiVersion} is an older version that is not served any more; run "karpenter convert -f FILE" and use what it prints`,
    );
  });

  it('lists and explains only what is served', async () => {
    const resources = await kubectl(['api-resources', '--api-group=karpenter.sh', '--output=name']);
    expect(resources.stdout.trim().split('\n').toSorted()).toEqual([
      'nodeclaims.karpenter.sh',
      'nodeoverlays.karpenter.sh',
      'nodepools.karpenter.sh',
    ]);
    expect((await kubectl(['explain', 'nodepool'])).stdout).toContain('VERSION:    v1\n');
    expect(await kubectl(['get', 'nodepools,ec2nodeclasses'])).toMatchObject({ code: 0 });
  });

  it('does not discover older versions with a command that sends no manifest', async () => {
    const fresh = mkdtempSync(join(cache, 'fresh-'));
    const { stdout } = await embedded.kubectl([`--cache-dir=${fresh}`, 'api-versions']);
    const ours = stdout.split('\n').filter((line) => line.startsWith('karpenter'));
    expect(ours).toEqual(['karpenter.k8s.aws/v1', 'karpenter.sh/v1', 'karpenter.sh/v1alpha1']);
  });
});
