import { ec2NodeClass, nodeClaim, nodePool } from '@karpenter/testkit/custom-resources';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedControlPlane } from '../shared-control-plane.ts';
import { definitions, installCustomResources, storeWithStatus } from './installed-kinds.ts';

const plane = sharedControlPlane();

async function kubectl(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await plane.kubectl(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** The cells of each line. Columns are at least three spaces apart, unless a line has an empty cell. */
const header = (table: string) => (table.split('\n')[0] ?? '').trim().split(/\s{2,}/);

beforeAll(async () => {
  await installCustomResources(plane);
  for (const object of [nodePool, nodeClaim, ec2NodeClass]) await storeWithStatus(plane, object);
});

describe('kubectl', () => {
  it('explains the budgets of a NodePool, every field with a sentence', async () => {
    const text = await kubectl('explain', 'nodepool.spec.disruption.budgets');
    expect(text).toContain('FIELD: budgets <[]Object>');
    expect(text).toMatch(/nodes\t<string> -required-\n {4}The most nodes of the pool/);
    for (const field of ['duration', 'reasons', 'schedule']) expect(text).toMatch(new RegExp(`${field}\\t<`));
  });

  it.each(definitions)('explains what a $spec.names.kind is', async ({ spec }) => {
    const text = await kubectl('explain', spec.names.plural);
    const { description } = spec.versions[0]?.schema.openAPIV3Schema ?? {};
    expect(text).toContain(`KIND:       ${spec.names.kind}`);
    expect(text.replace(/\s+/g, ' ')).toContain(`DESCRIPTION: ${description}`);
  });

  it('lists NodePools as Karpenter does', async () => {
    const table = await kubectl('get', 'nodepools', 'general', '-o', 'wide');
    expect(header(table)).toEqual(['NAME', 'NODECLASS', 'NODES', 'READY', 'AGE', 'WEIGHT', 'CPU', 'MEMORY']);
    expect(table).toMatch(/general +default +1 +True +\S+ +10 +5 +7680Mi/);
  });

  it('lists NodeClaims as Karpenter does', async () => {
    const table = await kubectl('get', 'nodeclaims', '-o', 'wide');
    const columns = ['TYPE', 'CAPACITY', 'ZONE', 'NODE', 'READY', 'AGE'];
    const wide = ['IMAGEID', 'ID', 'NODEPOOL', 'NODECLASS', 'DRIFTED'];
    expect(header(table)).toEqual(['NAME', ...columns, ...wide]);
    expect(table).toMatch(
      /general-x7k2p .*ip-10-0-0-1\.ec2\.internal +True +\S+ +ami-\w+ +aws:\/\/\/\S+ +default/,
    );
  });

  it('lists EC2NodeClasses as Karpenter does', async () => {
    const table = await kubectl('get', 'ec2nc', 'default', '-o', 'wide');
    expect(header(table)).toEqual(['NAME', 'READY', 'AGE', 'ROLE']);
    expect(table).toMatch(/default +True +\S+ +KarpenterNodeRole-dev/);
  });

  it('knows the short names and categories', async () => {
    for (const name of ['overlays', 'cb', 'ec2ncs', 'karpenter', 'autoscaling']) {
      expect((await plane.kubectl(['get', name, '--all-namespaces'])).code).toBe(0);
    }
  });

  it('scales a static NodePool through its scale subresource', async () => {
    await plane.request('POST', '/apis/karpenter.sh/v1/nodepools', {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name: 'scaled' },
      spec: {
        replicas: 1,
        template: {
          spec: {
            requirements: [],
            nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
          },
        },
      },
    });
    await kubectl('scale', 'nodepool', 'scaled', '--replicas=4');
    expect(await kubectl('get', 'nodepool', 'scaled', '-o', 'jsonpath={.spec.replicas}')).toBe('4');
  });
});
