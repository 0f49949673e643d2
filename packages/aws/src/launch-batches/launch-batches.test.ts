import type { NodeClaim } from '@karpenter/core/api';
import { AwsRefusal } from '@karpenter/testkit/aws-calls';
import { VirtualClock } from '@karpenter/testkit/clock';
import { beforeEach, describe, expect, it } from 'vitest';
import { LaunchBatches } from './launch-batches.ts';
import { batchAnnotation, recordedBatch } from './recorded-batch.ts';

function claimOf(size: string): NodeClaim {
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { name: 'a', labels: { 'karpenter.sh/nodepool': 'default' } },
    spec: {
      requirements: [{ key: 'karpenter.k8s.aws/instance-size', operator: 'In', values: [size] }],
      nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
      expireAfter: 'Never',
    },
  };
}

let ids = 0;
const process = () => new LaunchBatches({ clock: new VirtualClock(1_000), unique: () => `batch-${++ids}` });
const tokenUsed = () => new AwsRefusal('IdempotentParameterMismatch');

beforeEach(() => {
  ids = 0;
});

describe('batches of NodeClaims', () => {
  it('are shared by claims that ask for the same, until the first request or until they are full', async () => {
    const batches = process();
    const assign = (size: string) => batches.assign(claimOf(size));
    expect([assign('large'), assign('large'), assign('small')]).toEqual(['batch-1', 'batch-1', 'batch-2']);
    await batches.request(batches.enter('batch-1'), async () => 'done');
    expect(assign('large')).toBe('batch-3');
    for (let claim = 1; claim < 200; claim += 1) assign('large');
    expect(assign('large')).toBe('batch-4');
  });

  it('are foreign to a process that has not assigned them', () => {
    const batches = process();
    expect(batches.isForeign(batches.assign(claimOf('large')))).toBe(false);
    expect(process().isForeign('batch-1')).toBe(true);
  });

  it('are read from the annotation of the claim that they were recorded on', () => {
    const claim = claimOf('large');
    const recorded = (annotations: Readonly<Record<string, string>>, uid = 'uid-a') =>
      recordedBatch({ ...claim, metadata: { ...claim.metadata, uid, annotations } });
    const own = batchAnnotation({ ...claim, metadata: { ...claim.metadata, uid: 'uid-a' } }, 'batch-1');
    expect(own).toEqual({ 'karpenter.k8s.aws/launch-batch': 'batch-1.uid-a' });
    expect(recorded(own)).toBe('batch-1');
    expect(recorded(own, 'uid-b')).toBeUndefined();
    expect(recorded({})).toBeUndefined();
  });

  it.each(['', 'batch-1', '.uid-a', 'a b.uid-a', `${'a'.repeat(65)}.uid-a`])(
    'are recorded again where the annotation is %j',
    (text) => {
      const { metadata, ...claim } = claimOf('large');
      const annotations = { 'karpenter.k8s.aws/launch-batch': text };
      expect(
        recordedBatch({ ...claim, metadata: { ...metadata, uid: 'uid-a', annotations } }),
      ).toBeUndefined();
    },
  );
});

describe('the requests of a batch', () => {
  const send = (batches: LaunchBatches, outcome: () => unknown = () => undefined) =>
    batches.request(batches.enter('batch-1'), async (token) => {
      const error = outcome();
      if (error !== undefined) throw error;
      return token;
    });

  it('have the same tokens in every process', async () => {
    const [first, second] = [process(), process()];
    expect([await send(first), await send(first)]).toEqual([await send(second), await send(second)]);
    expect(await send(first)).not.toBe(await send(process()));
  });

  it('keep their token when EC2 refuses them or the answer is lost, and not when the token is used', async () => {
    const batches = process();
    const first = await send(process());
    await expect(send(batches, () => new AwsRefusal('TimeoutError'))).rejects.toThrow();
    await expect(send(batches, tokenUsed)).rejects.toThrow();
    expect(batches.lastMismatch('batch-1')).toBe(1_000);
    const second = await send(batches);
    expect(second).not.toBe(first);
  });

  it('follow each other', async () => {
    const batches = process();
    const sent: string[] = [];
    let answer = (_: string) => {};
    const answered = new Promise<string>((resolve) => {
      answer = resolve;
    });
    const entry = batches.enter('batch-1');
    const first = batches.request(entry, (token) => {
      sent.push(token);
      return answered;
    });
    const second = batches.request(entry, async (token) => sent.push(token));
    await new VirtualClock().advance(10);
    expect(sent).toHaveLength(1);
    answer('done');
    await Promise.all([first, second]);
    expect(new Set(sent).size).toBe(2);
  });

  it('are refused if they were made before EC2 said that a token is used', async () => {
    const batches = process();
    const before = batches.enter('batch-1');
    await expect(send(batches, tokenUsed)).rejects.toThrow('IdempotentParameterMismatch');
    await expect(batches.request(before, async (token) => token)).rejects.toThrow(
      'IdempotentParameterMismatch',
    );
    await expect(batches.request(batches.enter('batch-1'), async () => 'done')).resolves.toBe('done');
  });
});
