import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { podTiles, type TiledPod } from './pod-tiles.ts';

const allocatable = { cpu: 8, memory: 32, pods: 58 };
const pods = fc
  .array(
    fc.record({
      cpu: fc.double({ min: 0, max: 2, noNaN: true }),
      memory: fc.double({ min: 0, max: 6, noNaN: true }),
    }),
    {
      maxLength: 60,
    },
  )
  .map((list) =>
    list.map(
      (requests, index): TiledPod => ({
        uid: `p${index}`,
        isDaemon: index % 9 === 0,
        createdAt: index,
        requests,
      }),
    ),
  );
const sum = (list: readonly TiledPod[], name: 'cpu' | 'memory') =>
  list.reduce((all, { requests }) => all + (requests[name] ?? 0), 0);
const requestedBy = (list: readonly TiledPod[]) => ({ cpu: sum(list, 'cpu'), memory: sum(list, 'memory') });
const tilesOf = (list: readonly TiledPod[], aspect = 1.4, requested = requestedBy(list)) =>
  podTiles({ allocatable, requested }, list, aspect);

describe('the tiles of pods', () => {
  it('each lie inside the node, also where more is requested than there is', () => {
    fc.assert(
      fc.property(pods, fc.double({ min: 0.3, max: 4, noNaN: true }), (list, aspect) => {
        const tiles = tilesOf(list, aspect);
        expect(new Set(tiles.map(({ uid }) => uid)).size).toBe(list.length);
        for (const { share } of tiles) {
          expect(share.width > 0 && share.height > 0).toBe(true);
          expect(share.x >= 0 && share.y >= -1e-9).toBe(true);
          expect(share.x + share.width <= 1 + 1e-9 && share.y + share.height <= 1 + 1e-9).toBe(true);
        }
      }),
    );
  });

  it('fill the share of the node that is requested of the scarcer resource', () => {
    const list = [4, 2].map((cpu, index) => ({
      uid: `p${index}`,
      isDaemon: false,
      createdAt: 0,
      requests: { cpu, memory: 1 },
    }));
    const area = tilesOf(list).reduce((all, { share }) => all + share.width * share.height, 0);
    expect(area).toBeCloseTo(6 / 8);
  });

  it('stay inside a node of which more is requested than it has', () => {
    const list = [6, 6].map((cpu, index) => ({
      uid: `p${index}`,
      isDaemon: false,
      createdAt: 0,
      requests: { cpu },
    }));
    for (const { share } of tilesOf(list)) expect(share.y).toBeGreaterThanOrEqual(0);
  });

  it('are as large as their part of the requests', () => {
    const list = [3, 1].map((cpu, index) => ({
      uid: `p${index}`,
      isDaemon: false,
      createdAt: index,
      requests: { cpu },
    }));
    const [large, small] = tilesOf(list).map(({ share }) => share.width * share.height);
    expect((large ?? 0) / (small ?? 1)).toBeCloseTo(3);
  });

  it('show pods that request nothing', () => {
    const list = [{ uid: 'p', isDaemon: false, createdAt: 0, requests: {} }];
    expect(tilesOf(list)[0]?.share.height).toBeGreaterThan(0);
  });

  it('do not depend on the order in which pods arrived at the page', () => {
    fc.assert(
      fc.property(pods, (list) => {
        expect(tilesOf(list.toReversed(), 1.4, requestedBy(list))).toEqual(tilesOf(list));
      }),
    );
  });
});
