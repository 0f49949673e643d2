import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chartPaths, examplePath } from './charts.ts';
import { type Helm, helmFor } from './helm.ts';
import { rendered } from './rendered-chart.ts';

let helm: Helm;
beforeAll(async () => {
  helm = await helmFor('/dev/null');
});
afterAll(() => helm.close());

describe('karpenter-nodepools', () => {
  const render = (values: object, flags: readonly string[] = []) =>
    rendered(helm, { chart: chartPaths.nodePools, values: { clusterName: 'shop', ...values }, flags });

  it.each(['dev', 'staging', 'production'] as const)(
    'passes helm lint with the values of %s',
    async (environment) => {
      const values = [`--values=${examplePath(environment)}`, '--set=clusterName=shop'];
      expect(await helm('lint', '--strict', chartPaths.nodePools, ...values)).toContain('0 chart(s) failed');
    },
  );

  it('takes single fields of an example from another file, and leaves out what that disables', async () => {
    const flags = [
      `--values=${examplePath('dev')}`,
      '--set=nodePools.spot.enabled=false',
      '--set=nodePools.on-demand.spec.limits.cpu=7',
    ];
    const objects = await render({}, flags);
    expect([...objects.keys()].sort()).toEqual(['EC2NodeClass/default', 'NodePool/on-demand']);
    expect(objects.get('NodePool/on-demand')).toMatchObject({
      spec: { weight: 10, limits: { cpu: 7 }, disruption: { budgets: [{ nodes: '100%' }] } },
    });
  });

  it('writes labels and annotations as text, and replaces none of its own labels', async () => {
    const labels = { build: 20_261_105, isOld: false, 'app.kubernetes.io/managed-by': 'me' };
    const objects = await render({
      nodeClasses: { default: { labels } },
      additionalLabels: { build: 'all', team: 7 },
    });
    expect(objects.get('EC2NodeClass/default')?.metadata.labels).toMatchObject({
      build: '20261105',
      isOld: 'false',
      team: '7',
      'app.kubernetes.io/managed-by': 'Helm',
    });
  });

  it('keeps zero and false', async () => {
    const objects = await render({
      nodeClasses: { default: { spec: { associatePublicIPAddress: false } } },
      nodePools: { web: { spec: { replicas: 0, limits: { nodes: 0 } } } },
    });
    expect(objects.get('EC2NodeClass/default')).toMatchObject({ spec: { associatePublicIPAddress: false } });
    expect(objects.get('NodePool/web')).toMatchObject({ spec: { replicas: 0, limits: { nodes: 0 } } });
  });

  it('gives a NodeClass no role that has an instance profile, also if all others have one', async () => {
    const objects = await render({
      nodeClassDefaults: { role: 'nodes' },
      nodeClasses: { default: {}, edge: { spec: { instanceProfile: 'edge' } } },
    });
    expect(objects.get('EC2NodeClass/default')).toMatchObject({ spec: { role: 'nodes' } });
    expect(objects.get('EC2NodeClass/edge')).not.toHaveProperty('spec.role');
  });

  it('gives a NodeClass with a role no instance profile, also if all others have one', async () => {
    const objects = await render({
      nodeClassDefaults: { instanceProfile: 'nodes' },
      nodeClasses: { default: {}, edge: { spec: { role: 'edge' } } },
    });
    expect(objects.get('EC2NodeClass/default')).toMatchObject({ spec: { instanceProfile: 'nodes' } });
    expect(objects.get('EC2NodeClass/edge')).toMatchObject({ spec: { role: 'edge' } });
    expect(objects.get('EC2NodeClass/edge')).not.toHaveProperty('spec.instanceProfile');
  });

  it('writes names as text', async () => {
    const objects = await render({
      nodeClasses: { 1: {} },
      nodePools: { 2: { nodeClass: '1' } },
    });
    expect(objects.get('EC2NodeClass/1')?.metadata.name).toBe('1');
    expect(objects.get('NodePool/2')?.metadata.name).toBe('2');
  });

  it('leaves templates in user data as they are', async () => {
    const userData = 'echo "{{ .Values.clusterName }}"';
    const objects = await render({ nodeClasses: { default: { spec: { userData } } } });
    expect(objects.get('EC2NodeClass/default')).toMatchObject({ spec: { userData } });
  });

  it('adds requirements to the default ones', async () => {
    const requirement = { key: 'team', operator: 'Exists' };
    const objects = await render({
      nodeClasses: { default: {} },
      nodePools: { web: { requirements: [requirement] } },
    });
    expect(objects.get('NodePool/web')).toMatchObject({
      spec: { template: { spec: { requirements: [{ key: 'kubernetes.io/os' }, requirement] } } },
    });
  });

  it('refers to a NodeClass of others if the spec does', async () => {
    const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'theirs' };
    const objects = await render({ nodePools: { web: { spec: { template: { spec: { nodeClassRef } } } } } });
    expect(objects.get('NodePool/web')).toMatchObject({ spec: { template: { spec: { nodeClassRef } } } });
  });
});
