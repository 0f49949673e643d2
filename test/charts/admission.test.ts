import { nodeClaims, nodePools } from '@karpenter/controllers';
import { connect, type Kind, type KubeObject, kinds } from '@karpenter/kube/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChartWorld, chartWorld } from './chart-world.ts';
import { freePort, leadServiceHere } from './local-webhook.ts';

const webhookName = 'karpenter-webhook';
const configurationKinds = [
  kinds.validatingWebhookConfiguration as Kind<KubeObject>,
  kinds.mutatingWebhookConfiguration as Kind<KubeObject>,
];
const instanceType = 'node.kubernetes.io/instance-type';
const known = { key: instanceType, operator: 'In', values: ['m5.large'] };
const unknown = { key: instanceType, operator: 'In', values: ['m5.larg'] };
const team = (name: string) => ({ key: 'team', operator: 'In', values: [name] });
const awsClass = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };

function nodePool(name: string, requirements: readonly object[], nodeClassRef: object = awsClass): never {
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name },
    spec: { template: { spec: { nodeClassRef, requirements } } },
  } as never;
}

let world: ChartWorld;

beforeAll(async () => {
  world = await chartWorld({ webhook: { enabled: true, port: await freePort() } });
  await leadServiceHere(world.client);
}, 180_000);
afterAll(() => world.stop(), 60_000);

function nodeClaim(name: string): never {
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { name },
    spec: { nodeClassRef: awsClass, requirements: [known] },
  } as never;
}

const create = (object: never, dryRun = false) =>
  world.client.create(nodePools, object, { dryRun }).then(
    () => 'accepted',
    (error: Error) => error.message,
  );

const merge = (name: string, body: object) =>
  world.client.patch(nodePools, { name }, { type: 'merge', body });

describe('the admission webhook that the chart installs on a real control plane', () => {
  it('refuses a NodePool that cannot work, with a sentence', async () => {
    // An API server notices a new bundle within moments.
    await world
      .eventually(() => create(nodePool('bad', [unknown]), true))
      .toMatch(
        /admission webhook "validation\.webhook\.karpenter\.sh" denied the request: NodePool\.karpenter\.sh "bad" is invalid: spec\.template\.spec\.requirements\[0\]: Invalid value: "node\.kubernetes\.io\/instance-type In \[m5\.larg\]": no instance type of EC2 in [a-z0-9-]+ meets it/,
      );
    await expect(world.client.create(nodePools, nodePool('bad', [unknown]))).rejects.toMatchObject({
      status: 422,
      reason: 'Invalid',
    });
    expect(await world.client.find(nodePools, { name: 'bad' })).toBeUndefined();
  }, 120_000);

  it('accepts one that can, and completes its nodeClassRef', async () => {
    await world.client.create(nodePools, nodePool('good', [known], { name: 'default' }));
    expect((await world.nodePool('good')).spec.template.spec.nodeClassRef).toEqual(awsClass);
  });

  it('keeps the labels of its configurations when it writes the bundle', async () => {
    for (const kind of configurationKinds) {
      const { metadata } = await world.client.get(kind, { name: webhookName });
      expect(metadata?.labels).toMatchObject({ 'app.kubernetes.io/managed-by': 'Helm' });
    }
  });

  it('lets the schema have the first word', async () => {
    expect(await create(nodePool('odd', [{ key: 'a', operator: 'Is' }]))).toContain(
      'Unsupported value: "Is"',
    );
  });

  it('leaves writable what it did not see, as far as the spec stays as it is', async () => {
    await unseenBy(() => create(nodePool('unseen', [unknown])));
    await merge('unseen', { metadata: { labels: { team: 'a' }, finalizers: ['example.com/hold'] } });
    await merge('unseen', { spec: { limits: { cpu: '10' } } });
    const requirements = [unknown, team('a'), team('b')];
    await expect(merge('unseen', { spec: { template: { spec: { requirements } } } })).rejects.toThrow(
      'spec.template.spec.requirements[2]: Invalid value: "team In [b]": contradicts',
    );
    await world.client.delete(nodePools, { name: 'unseen' });
    await merge('unseen', { metadata: { finalizers: [] } });
    await world.eventually(() => world.client.find(nodePools, { name: 'unseen' })).toBeUndefined();
  });

  it('has all the permissions it needs in the roles of the chart', async () => {
    const requests = await world.requests();
    expect(requests.map(({ what }) => what)).toEqual(
      expect.arrayContaining([
        'get secrets',
        'update secrets',
        'update admissionregistration.k8s.io/validatingwebhookconfigurations',
        'update admissionregistration.k8s.io/mutatingwebhookconfigurations',
      ]),
    );
    expect(requests.filter(({ isAllowed, code }) => !isAllowed || code === 403)).toEqual([]);
  });

  it('does not stop writes when it is gone', async () => {
    await world.stopControllers();
    expect(await create(nodePool('unseen', [unknown]))).toBe('accepted');
  }, 120_000);

  it('does not stop the controller or a deletion either way, even with the failure policy Fail', async () => {
    await merge('unseen', { metadata: { finalizers: ['example.com/hold'] } });
    await world.client.delete(nodePools, { name: 'unseen' });
    await failWithoutAnswer();
    await world
      .eventually(() => create(nodePool('more', [known]), true))
      .toContain('failed calling webhook "defaulting.webhook.karpenter.sh"');
    const pod = connect(world.podConfig);
    await pod.create(nodeClaims, nodeClaim('launched'));
    await pod.close();
    await merge('unseen', { metadata: { finalizers: [] } });
    await world.eventually(() => world.client.find(nodePools, { name: 'unseen' })).toBeUndefined();
  }, 120_000);
});

/** The chart's configurations with the other failure policy. */
async function failWithoutAnswer(): Promise<void> {
  const operations = [{ op: 'replace' as const, path: '/webhooks/0/failurePolicy', value: 'Fail' }];
  for (const kind of configurationKinds)
    await world.client.patch(kind, { name: webhookName }, { type: 'json', operations });
}

/** Does something while the API server knows no validating webhook. */
async function unseenBy(act: () => Promise<unknown>): Promise<void> {
  const kind = kinds.validatingWebhookConfiguration;
  const { metadata: _, ...rest } = await world.client.get(kind, { name: webhookName });
  await world.client.delete(kind, { name: webhookName });
  await world.eventually(() => create(nodePool('unseen', [unknown]), true)).toBe('accepted');
  await act();
  await world.client.create(kind, { ...rest, metadata: { name: webhookName, labels: { app: 'copy' } } });
  await world.eventually(() => create(nodePool('bad', [unknown]), true)).toContain('is invalid');
}
