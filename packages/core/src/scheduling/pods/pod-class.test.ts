import { describe, expect, it } from 'vitest';
import type { PodView } from '../snapshot.ts';
import { podClasses } from './pod-class.ts';

const replica = (
  index: number,
  parts: Partial<PodView['spec']> = {},
  status?: PodView['status'],
): PodView => ({
  metadata: { name: `web-${index}`, namespace: 'default', uid: `web-${index}`, labels: { app: 'web' } },
  spec: { containers: [{ name: 'main', resources: { requests: { cpu: '1' } } }], ...parts },
  ...(status !== undefined && { status }),
});

/** Names of the pods of each class. */
function classesOf(...pods: readonly PodView[]): readonly (readonly string[])[] {
  return classesBeside([], ...pods);
}

function classesBeside(
  holders: readonly PodView[],
  ...pods: readonly PodView[]
): readonly (readonly string[])[] {
  const steps = podClasses(pods, holders);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value.map((podClass) => podClass.pods.map(({ metadata }) => metadata.name));
  }
}

describe('pod classes', () => {
  it('ignore the token volumes, whose names are random', () => {
    const withToken = (index: number) =>
      replica(index, { volumes: [{ name: `kube-api-access-${index}` }, { name: 'scratch' }] });
    expect(classesOf(withToken(1), withToken(2))).toEqual([['web-1', 'web-2']]);
  });

  it('ignore when and why conditions changed', () => {
    const waiting = (index: number) =>
      replica(
        index,
        {},
        {
          conditions: [
            { type: 'PodScheduled', status: 'False', lastTransitionTime: `2026-01-01T00:00:0${index}Z` },
          ],
        },
      );
    expect(classesOf(waiting(1), waiting(2))).toEqual([['web-1', 'web-2']]);
  });

  it('differ by the claims of volumes, and by pod where volumes are ephemeral', () => {
    const withClaim = (index: number, claimName: string) =>
      replica(index, { volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }] });
    expect(classesOf(withClaim(1, 'a'), withClaim(2, 'b'), withClaim(3, 'a'))).toEqual([
      ['web-1', 'web-3'],
      ['web-2'],
    ]);
    const withEphemeral = (index: number) => replica(index, { volumes: [{ name: 'data', ephemeral: {} }] });
    expect(classesOf(withEphemeral(1), withEphemeral(2))).toEqual([['web-1'], ['web-2']]);
  });

  it('differ by resources that a resize in progress holds, of the container or of the pod', () => {
    const resized = replica(
      1,
      {},
      { containerStatuses: [{ name: 'main', resources: { requests: { cpu: '2' } } }] },
    );
    const resizedPod = replica(2, {}, { resources: { requests: { cpu: '3' } } });
    expect(classesOf(resized, resizedPod, replica(3))).toEqual([['web-1'], ['web-2'], ['web-3']]);
  });

  it('differ by whether a pending resize is infeasible', () => {
    const pending = (index: number, reason: string) =>
      replica(index, {}, { conditions: [{ type: 'PodResizePending', status: 'True', reason }] });
    expect(classesOf(pending(1, 'Infeasible'), pending(2, 'Deferred'))).toEqual([['web-1'], ['web-2']]);
  });
});

describe('pods of a StatefulSet or an indexed Job', () => {
  const podName = 'statefulset.kubernetes.io/pod-name';
  const identified = (index: number, spec: Partial<PodView['spec']> = {}, key: string = podName): PodView => {
    const { metadata, ...pod } = replica(index, spec);
    return { ...pod, metadata: { ...metadata, labels: { app: 'web', [key]: `web-${index}` } } };
  };
  const byLabel = (key: string) => ({
    topologyKey: 'kubernetes.io/hostname',
    labelSelector: { matchExpressions: [{ key, operator: 'Exists' }] },
  });
  const spread = { ...byLabel(podName), maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' };

  it.each([podName, 'apps.kubernetes.io/pod-index', 'batch.kubernetes.io/job-completion-index'])(
    'are one class, whatever their label %s',
    (key) => {
      expect(classesOf(identified(1, {}, key), identified(2, {}, key))).toEqual([['web-1', 'web-2']]);
    },
  );

  it('are one class while rules read other labels', () => {
    const rules = { topologySpreadConstraints: [{ ...spread, ...byLabel('app') }] };
    expect(classesOf(identified(1, rules), identified(2, rules))).toEqual([['web-1', 'web-2']]);
  });

  it('differ by labels of other controllers', () => {
    const key = 'example.com/shard';
    expect(classesOf(identified(1, {}, key), identified(2, {}, key))).toEqual([['web-1'], ['web-2']]);
  });

  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
  const weighted = [{ weight: 1, podAffinityTerm: byLabel(podName) }];
  const readers: readonly [string, Partial<PodView['spec']>][] = [
    ['a spread constraint', { topologySpreadConstraints: [spread] }],
    [
      'the matchLabelKeys of a spread constraint',
      { topologySpreadConstraints: [{ ...spread, labelSelector: {}, matchLabelKeys: [podName] }] },
    ],
    ['pod affinity', { affinity: { podAffinity: { [required]: [byLabel(podName)] } } }],
    ['preferred pod affinity', { affinity: { podAffinity: { [preferred]: weighted } } }],
    ['pod anti-affinity', { affinity: { podAntiAffinity: { [required]: [byLabel(podName)] } } }],
    ['preferred anti-affinity', { affinity: { podAntiAffinity: { [preferred]: weighted } } }],
  ];

  it.each(readers)('differ where %s of another pod reads the label', (_what, spec) => {
    const [first, second] = [identified(1), identified(2)];
    expect(classesOf(first, second, replica(3, spec))).toEqual([['web-1'], ['web-2'], ['web-3']]);
  });

  it('differ where anti-affinity of a bound pod reads the label', () => {
    const term = {
      ...byLabel(podName),
      labelSelector: { matchLabels: { [podName]: 'web-1' } },
    };
    const holder = replica(3, { affinity: { podAntiAffinity: { [required]: [term] } } });
    expect(classesBeside([holder], identified(1), identified(2))).toEqual([['web-1'], ['web-2']]);
  });
});
