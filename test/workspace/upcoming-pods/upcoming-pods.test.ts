import { gunzipSync } from 'node:zlib';
import { replayFile } from '@karpenter/cli';
import { seconds } from '@karpenter/core/api';
import { kinds } from '@karpenter/kube/client';
import { afterEach, describe, expect, it } from 'vitest';
import { testPool } from '../controllers/objects.ts';
import { Trickle, type TrickleOptions } from './trickle.ts';

let trickle: Trickle;

afterEach(() => trickle.stop());

async function begin(options: TrickleOptions = {}): Promise<void> {
  trickle = await Trickle.start(options);
}

/** The annotation of each NodeClaim that says what it was sized for, and its cheapest type. */
async function sizes(): Promise<readonly (readonly [string | undefined, string | undefined])[]> {
  return (await trickle.claims()).map(({ metadata, spec }) => {
    const named =
      spec.requirements.find(({ key }) => key === 'node.kubernetes.io/instance-type')?.values ?? [];
    const cpus = named.map((name) => Number(name.split('.')[1]));
    return [metadata.annotations?.['karpenter-ts/upcoming-pods'], `c.${Math.min(...cpus)}`];
  });
}

const web = { namespace: 'default', name: 'web' };

describe('a node for the first pods of a workload', () => {
  it('is sized for the other pods of a ReplicaSet, and says so', async () => {
    await begin();
    await trickle.replicaSet('web', 32);
    const [first = ''] = await trickle.arrive('ReplicaSet/web', 1);
    await trickle.settled();
    expect(await sizes()).toEqual([['31 of ReplicaSet default/web', 'c.32']]);
    const created = trickle.world.log.lines.find(({ message }) => message === 'created nodeclaim');
    expect(created).toMatchObject({ fields: { 'upcoming-pods': '31 of ReplicaSet default/web' } });
    const [decision] = trickle.world.decisions.list();
    expect(decision).toMatchObject({
      kind: 'plan',
      summary: expect.stringMatching(/^1 pod: 1 on 1 new node \(\$1\.600\/h\) sized for 31 more$/),
      newNodes: [{ upcomingPods: [{ owner: 'ReplicaSet default/web', pods: 31 }] }],
    });
    expect(trickle.world.cluster.snapshot().heldPods.map(({ pod }) => pod.metadata.uid)).toEqual([first]);
  });

  it('is sized for new ReplicaSets that have no pods yet, whose pods take their places', async () => {
    await begin();
    await trickle.replicaSet('web', 16);
    await trickle.replicaSet('api', 16);
    await trickle.arrive('ReplicaSet/web', 1);
    await trickle.settled();
    expect(await sizes()).toEqual([['16 of ReplicaSet default/api, 15 of ReplicaSet default/web', 'c.32']]);
    await trickle.arrive('ReplicaSet/api', 16);
    await trickle.settled();
    expect(await trickle.claims()).toHaveLength(1);
    expect(trickle.world.cluster.snapshot().heldPods).toHaveLength(17);
  });

  it('is not sized for a ReplicaSet that has created no pod within twenty seconds', async () => {
    await begin();
    await trickle.replicaSet('api', 16);
    await trickle.pass(21_000);
    await trickle.replicaSet('web', 2);
    await trickle.arrive('ReplicaSet/web', 2);
    await trickle.settled();
    expect(await sizes()).toEqual([[undefined, 'c.2']]);
  });

  it('is planned again by a replay of the decision', async () => {
    await begin();
    await trickle.replicaSet('web', 60);
    await trickle.arrive('ReplicaSet/web', 3);
    await trickle.settled();
    const [{ id = '' } = {}] = trickle.world.decisions.list();
    const text = gunzipSync((await trickle.world.decisions.cluster(id)) ?? '').toString();
    expect(await replayFile({ name: 'decision.json', text })).toMatchObject({
      subject: 'plan',
      differences: [],
    });
  });

  it('is sized for the completions that a Job has left', async () => {
    await begin();
    await trickle.job('import', { parallelism: 20, completions: 7 });
    await trickle.arrive('Job/import', 2);
    await trickle.settled();
    expect(await sizes()).toEqual([['5 of Job default/import', 'c.8']]);
  });

  it('is for the pods that exist when their ReplicaSet created none for ten seconds', async () => {
    await begin({ settings: { batchIdleDuration: seconds(11), batchMaxDuration: seconds(30) } });
    await trickle.replicaSet('web', 30);
    await trickle.arrive('ReplicaSet/web', 2);
    await trickle.settled();
    expect(await sizes()).toEqual([[undefined, 'c.2']]);
  });

  it('is for the pods that exist when the ReplicaSet is scaled down before the plan', async () => {
    await begin();
    await trickle.replicaSet('web', 30);
    await trickle.arrive('ReplicaSet/web', 2);
    const body = { spec: { replicas: 2 } };
    await trickle.world.client.patch(kinds.replicaSet, web, { type: 'merge', body });
    await trickle.seen();
    await trickle.settled();
    expect(await sizes()).toEqual([[undefined, 'c.2']]);
  });

  it('is for the other pods when a ReplicaSet is deleted together with its pods', async () => {
    await begin();
    await trickle.replicaSet('web', 30);
    await trickle.replicaSet('api', 2);
    await trickle.arrive('ReplicaSet/web', 2);
    await trickle.arrive('ReplicaSet/api', 2);
    await trickle.remove('ReplicaSet/web');
    await trickle.settled();
    expect(await sizes()).toEqual([[undefined, 'c.2']]);
  });

  it('is for the pods that exist with the option off', async () => {
    await begin({ settings: { planUpcomingPods: false } });
    await trickle.replicaSet('web', 30);
    await trickle.arrive('ReplicaSet/web', 2);
    await trickle.settled();
    expect(await sizes()).toEqual([[undefined, 'c.2']]);
  });

  it('leaves other pods the limits of the NodePool', async () => {
    await begin({ pool: testPool('default', { limits: { cpu: '8' } }) });
    await trickle.replicaSet('web', 1_000);
    await trickle.replicaSet('api', 5);
    await trickle.arrive('ReplicaSet/web', 2);
    await trickle.arrive('ReplicaSet/api', 5);
    await trickle.settled();
    expect(trickle.world.recorder.texts.filter((text) => text.includes('FailedScheduling'))).toEqual([]);
    expect(trickle.world.cluster.snapshot().heldPods).toHaveLength(7);
  });
});

describe('a pod that arrives while a node sized for it launches', () => {
  it('is nominated for that node and gets no other', async () => {
    await begin();
    await trickle.replicaSet('web', 16);
    await trickle.arrive('ReplicaSet/web', 1);
    await trickle.settled();
    await trickle.pass(15_000);
    await trickle.arrive('ReplicaSet/web', 15);
    await trickle.settled();
    const [claim, ...others] = await trickle.claims();
    expect(others).toEqual([]);
    const nominated = trickle.world.recorder.texts.filter((text) =>
      text.includes(`Pod should schedule on: nodeclaim/${claim?.metadata.name}`),
    );
    expect(nominated).toHaveLength(16);
    const [decision] = trickle.world.decisions.list();
    expect(decision).toMatchObject({
      summary: '15 pods: 15 on 1 existing node',
      placements: [{ node: claim?.metadata.name }],
    });
  });

  it('gets another node if it belongs to another workload', async () => {
    await begin();
    await trickle.replicaSet('web', 16);
    await trickle.arrive('ReplicaSet/web', 1);
    await trickle.settled();
    await trickle.replicaSet('api', 1);
    await trickle.arrive('ReplicaSet/api', 1);
    await trickle.settled();
    expect(await trickle.claims()).toHaveLength(2);
  });
});
