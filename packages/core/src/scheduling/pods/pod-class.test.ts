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
  const steps = podClasses(pods);
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
