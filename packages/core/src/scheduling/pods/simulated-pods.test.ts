import { drained } from '@karpenter/testkit/disruptable-clusters';
import { describe, expect, it } from 'vitest';
import { parseResourceList, type QuantityTexts, withResource } from '../../values/index.ts';
import { ResourceAxes } from '../context/resource-axes.ts';
import type { PodView } from '../snapshot.ts';
import { type PodsToPlace, SimulatedPods } from './simulated-pods.ts';

const podIndex = 'apps.kubernetes.io/pod-index';
const axes = new ResourceAxes(['cpu', 'memory', 'pods']);

const pod = (name: string, cpu: string, parts: Partial<PodView['spec']> = {}): PodView => ({
  metadata: { name, namespace: 'default', uid: name, labels: { [podIndex]: name } },
  spec: { containers: [{ name: 'main', resources: { requests: { cpu } } }], ...parts },
});

/** Names of the pods of each class, in the order of placement. */
function classesOf(pods: SimulatedPods, toPlace: Partial<PodsToPlace>): readonly (readonly string[])[] {
  const classes = drained(pods.classesOf({ waiting: [], moved: [], mayGoAnywhere: false, ...toPlace }, []));
  return classes.map((podClass) => podClass.pods.map(({ metadata }) => metadata.name));
}

/** Reads the label that tells the pods apart. */
const readsIndex = {
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'topology.kubernetes.io/zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { [podIndex]: '0' } },
    },
  ],
};

describe('the pods of a simulation', () => {
  const [a, b, large] = [pod('a', '1'), pod('b', '1'), pod('large', '2')];

  it('are placed class by class, the largest first', () => {
    expect(classesOf(new SimulatedPods(axes), { waiting: [a, b, large] })).toEqual([['large'], ['a', 'b']]);
  });

  it('that move are apart from those that wait, unless they may go as far', () => {
    const pods = new SimulatedPods(axes);
    expect(classesOf(pods, { waiting: [a], moved: [b] })).toEqual([['a'], ['b']]);
    expect(classesOf(pods, { waiting: [a], moved: [b], mayGoAnywhere: true })).toEqual([['a', 'b']]);
  });

  it('are told apart by labels that a pod of this simulation reads, not one of another', () => {
    const pods = new SimulatedPods(axes);
    const reader = pod('reader', '4', readsIndex);
    expect(classesOf(pods, { moved: [a, b, reader] })).toEqual([['reader'], ['a'], ['b']]);
    expect(classesOf(pods, { moved: [a, b] })).toEqual([['a', 'b']]);
  });

  it('have the same amounts by class as by their parsed requests', () => {
    const pods = new SimulatedPods(axes);
    const requests: QuantityTexts = { cpu: '2', memory: '1Gi' };
    const given = pod('given', '0', { containers: [{ name: 'main', resources: { requests } }] });
    const parsed = parseResourceList(withResource(requests, 'pods', '1'));
    expect(pods.amountsOf(parsed)).toEqual(pods.sizeOf(pods.movedClassOf(given)));
  });
});
