import { instanceType, pod, pool, snapshot } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import type { InstanceType } from '../ports/index.ts';
import { lastChoicesInput, podsForLastChoices } from './index.ts';

const sure = instanceType('sure', { price: 1 });
const suspect: InstanceType = {
  ...sure,
  offerings: sure.offerings.map((offering) => ({ ...offering, available: false, isSuspect: true })),
};
const pods = ['one', 'two'].map((name) => pod(name));
const [one = '', two = ''] = pods.map(({ metadata }) => metadata.uid);
const rejected = (...uids: readonly string[]) => ({
  rejections: uids.map((uid) => ({ pod: uid, message: '', reasons: [] })),
});

describe('suspect offerings', () => {
  it('are for pods without a place, if there are any suspect offerings', () => {
    const types = [suspect];
    expect(podsForLastChoices(snapshot({ pods, types }), rejected(two))).toEqual(new Set([two]));
    expect(podsForLastChoices(snapshot({ pods, types }), rejected())).toEqual(new Set());
    expect(podsForLastChoices(snapshot({ pods, types: [sure] }), rejected(two))).toEqual(new Set());
    expect(podsForLastChoices(snapshot({ pods, types, pools: [] }), rejected(two))).toEqual(new Set());
  });

  it('are not for virtual pods', () => {
    const { metadata, ...room } = pod('room');
    const annotations = { 'karpenter.sh/capacity-buffer-fake-pod': 'true' };
    const virtual = { ...room, metadata: { ...metadata, annotations } };
    const { uid } = metadata;
    const waiting = snapshot({ pods: [...pods, virtual], types: [suspect] });
    expect(podsForLastChoices(waiting, rejected(one, uid))).toEqual(new Set([one]));
  });

  it('are planned with for those pods alone, like any other offering', () => {
    const input = { snapshot: snapshot({ pods, types: [suspect] }), ignored: [], notReady: [pool('late')] };
    const last = lastChoicesInput(input, new Set([two]));
    expect(last.snapshot.pods.map(({ metadata }) => metadata.uid)).toEqual([two]);
    expect(last.snapshot.instanceTypes.get('default')).toEqual([sure]);
    expect(last.notReady).toEqual(input.notReady);
  });
});
