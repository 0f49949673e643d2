import { ec2NodeClasses } from '@karpenter/aws';
import { nodePools } from '@karpenter/controllers';
import { connect, kinds } from '@karpenter/kube/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startWebhookCluster,
  type WebhookCluster,
  webhookName,
  webhookNamespace,
} from './webhook-cluster.ts';

const instanceType = 'node.kubernetes.io/instance-type';

function nodePool(name: string, requirements: readonly object[], nodeClassRef: object = awsClass): never {
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name },
    spec: { template: { spec: { nodeClassRef, requirements } } },
  } as never;
}

const awsClass = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };
const known = { key: instanceType, operator: 'In', values: ['m5.large'] };
const unknown = { key: instanceType, operator: 'In', values: ['m5.larg'] };
const huge = { key: 'karpenter.k8s.aws/instance-cpu', operator: 'Gt', values: ['9000'] };

let cluster: WebhookCluster;
beforeAll(async () => {
  cluster = await startWebhookCluster();
});
afterAll(() => cluster.stop());

describe('the admission webhook of two replicas', () => {
  it('refuses a NodePool that cannot work with a sentence that names the field, and stores nothing', async () => {
    await expect(cluster.client.create(nodePools, nodePool('bad', [unknown]))).rejects.toMatchObject({
      message: expect.stringContaining(
        'denied the request: NodePool.karpenter.sh "bad" is invalid: spec.template.spec.requirements[0]: Invalid value: "node.kubernetes.io/instance-type In [m5.larg]": no instance type of EC2 in ',
      ),
    });
    expect(await cluster.client.find(nodePools, { name: 'bad' })).toBeUndefined();
  });

  it('accepts one that can, and completes its nodeClassRef', async () => {
    const made = await cluster.client.create(nodePools, nodePool('good', [known], { name: 'default' }));
    expect(made.spec.template.spec.nodeClassRef).toEqual(awsClass);
  });

  it('refuses an EC2NodeClass whose empty map of tags selects no subnet', async () => {
    const nodeClass = {
      apiVersion: 'karpenter.k8s.aws/v1',
      kind: 'EC2NodeClass',
      metadata: { name: 'wide' },
      spec: {
        role: 'nodes',
        amiSelectorTerms: [{ alias: 'al2023@latest' }],
        subnetSelectorTerms: [{ tags: {} }],
        securityGroupSelectorTerms: [{ name: 'nodes' }],
      },
    };
    await expect(cluster.client.create(ec2NodeClasses, nodeClass as never)).rejects.toMatchObject({
      message: expect.stringContaining('spec.subnetSelectorTerms[0].tags: Invalid value: {}'),
    });
  });

  it('leaves objects alone that are older than it, as far as their spec stays as it is', async () => {
    const { client } = cluster;
    await cluster.unconfigure();
    const old = await client.create(nodePools, nodePool('old', [huge]));
    await cluster.configure();
    const merge = (body: object) => client.patch(nodePools, { name: 'old' }, { type: 'merge', body });
    await merge({ metadata: { labels: { team: 'a' }, finalizers: ['example.com/hold'] } });
    // The stored error stays a warning while another field changes.
    expect((await merge({ spec: { limits: { cpu: '10' } } })).spec.limits).toEqual({ cpu: '10' });
    const { requirements, ...rest } = old.spec.template.spec;
    const worse = { template: { spec: { ...rest, requirements: [...requirements, unknown] } } };
    await expect(merge({ spec: worse })).rejects.toMatchObject({
      message: expect.stringContaining('NodePool.karpenter.sh "old" is invalid'),
    });
    await client.delete(nodePools, { name: 'old' });
    await merge({ metadata: { finalizers: [] } });
    expect(await client.find(nodePools, { name: 'old' })).toBeUndefined();
  });

  it('writes its bundle again where someone has applied a configuration without it', async () => {
    const before = await cluster.bundle();
    await cluster.unconfigure();
    await cluster.configure();
    expect(await cluster.bundle()).toBe(before);
    await expect(cluster.client.create(nodePools, nodePool('bad', [unknown]))).rejects.toThrow('is invalid');
  });

  it('is served by both, the leader and the one that stands by, with one CA', async () => {
    const secret = await cluster.client.get(kinds.secret, { namespace: webhookNamespace, name: webhookName });
    const pem = (name: string) => Buffer.from(secret.data?.[name] ?? '', 'base64').toString('utf8');
    expect(await cluster.bundle()).toBe(pem('ca-cert.pem'));
    for (const port of cluster.ports) {
      const replica = connect({ server: `https://127.0.0.1:${port}`, ca: await cluster.bundle() });
      const review = {
        apiVersion: 'admission.k8s.io/v1',
        kind: 'AdmissionReview',
        request: {
          uid: 'u',
          operation: 'CREATE',
          kind: { group: 'karpenter.sh', version: 'v1', kind: 'NodePool' },
          object: nodePool('bad', [unknown]),
        },
      };
      expect(await replica.request('POST', '/validate', review)).toMatchObject({
        response: { uid: 'u', allowed: false },
      });
      const stored = { apiVersion: 'karpenter.sh/v1beta1', kind: 'NodePool', metadata: { name: 'a' } };
      const conversion = {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'ConversionReview',
        request: { uid: 'u', desiredAPIVersion: 'karpenter.sh/v7', objects: [stored] },
      };
      expect(await replica.request('POST', '/convert', conversion)).toMatchObject({
        response: {
          result: {
            status: 'Failure',
            message: expect.stringMatching(/^NodePool a .*cannot be converted to karpenter.sh\/v7/),
          },
        },
      });
      await replica.close();
    }
  });

  it('does not stop writes when it is gone', async () => {
    await cluster.stopReplicas();
    await cluster.client.create(nodePools, nodePool('unseen', [unknown]));
  });

  it('logs no failure', () => {
    expect(
      cluster.log.filter(({ level, message }) => level === 'ERROR' && message.includes('webhook')),
    ).toEqual([]);
  });
});
