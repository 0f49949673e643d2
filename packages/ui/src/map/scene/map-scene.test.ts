import type { PageNode, PagePod, RowsDelta } from '@karpenter/core/page-api';
import { describe, expect, it } from 'vitest';
import { ClusterStore } from '../../store/index.ts';
import { MapScene } from './map-scene.ts';

const none = { changed: [], removed: [] };
const node = (name: string, zone = 'a'): PageNode => ({
  id: name,
  name,
  nodeName: name,
  nodePool: 'default',
  zone,
  labels: {},
  phase: 'ready',
  phaseSince: 0,
  isReady: true,
  readySince: 0,
  isCordoned: false,
  isDeleting: false,
  isProtected: false,
  createdAt: 0,
  capacity: { cpu: 4 },
  allocatable: { cpu: 4 },
  requested: { cpu: 1 },
  daemons: {},
});
const pod = (uid: string, nodeName?: string): PagePod => ({
  uid,
  namespace: 'default',
  name: uid,
  phase: nodeName === undefined ? 'pending' : 'starting',
  statusPhase: 'Pending',
  workload: { kind: 'Deployment', name: 'web' },
  labels: {},
  requests: { cpu: 1 },
  isDaemon: false,
  createdAt: 0,
  restarts: 0,
  ...(nodeName !== undefined && { nodeName }),
});

function sceneOf(isMoving = true) {
  const store = new ClusterStore((flush) => flush());
  const changes = store.rows.follow(() => {});
  const scene = new MapScene(store.rows, changes);
  scene.setView({ width: 1000, height: 600, groupBy: 'nodepool', isMoving });
  const apply = (delta: Partial<RowsDelta>) =>
    store.applyRows({ isReset: false, at: 0, nodes: none, pods: none, pools: none, ...delta });
  apply({
    isReset: true,
    nodes: { changed: [node('n1'), node('n2')], removed: [] },
    pods: { changed: [pod('p')], removed: [] },
  });
  return { scene, apply };
}

const ids = (boxes: ReadonlySet<{ node: PageNode }>) => [...boxes].map(({ node: { id } }) => id);

describe('the scene', () => {
  it('draws everything once at first, without motion, and then nothing', () => {
    const { scene } = sceneOf();
    expect(scene.advance(1_000).isFull).toBe(true);
    expect(scene.advance(1_016)).toMatchObject({ isFull: false, isPendingDirty: false });
    expect(scene.advance(1_016).boxes.size).toBe(0);
  });

  it('draws only the node whose pods changed', () => {
    const { scene, apply } = sceneOf();
    scene.advance(1_000);
    apply({ pods: { changed: [pod('q', 'n2')], removed: [] } });
    const work = scene.advance(2_000);
    expect([work.isFull, ids(work.boxes)]).toEqual([false, ['n2']]);
    scene.advance(2_500);
    expect(scene.advance(2_600).boxes.size).toBe(0);
  });

  it('lets a bound pod fly from the pending pods to its node, and draws the node when it arrives', () => {
    const { scene, apply } = sceneOf();
    scene.advance(1_000);
    expect(scene.pending.total).toBe(1);
    apply({ pods: { changed: [pod('p', 'n1')], removed: [] } });
    scene.advance(2_000);
    expect(scene.pending.total).toBe(0);
    expect(scene.flights).toHaveLength(1);
    expect(scene.boxes.get('n1')?.tiles.get('p')?.hiddenUntil).toBe(2_650);
    scene.advance(2_500);
    const arrival = scene.advance(2_700);
    expect([ids(arrival.boxes), scene.flights.length]).toEqual([['n1'], 0]);
  });

  it('moves nothing where people asked for less motion', () => {
    const { scene, apply } = sceneOf(false);
    scene.advance(1_000);
    apply({
      nodes: { changed: [node('n3')], removed: [] },
      pods: { changed: [pod('p', 'n1')], removed: [] },
    });
    scene.advance(2_000);
    expect(scene.flights).toEqual([]);
    expect(scene.boxes.get('n1')?.motion.at(2_000)).toEqual(scene.layout.boxes.get('n1'));
    expect(scene.advance(2_016).isFull).toBe(false);
  });

  it('moves the others when a node comes or goes', () => {
    const { scene, apply } = sceneOf();
    scene.advance(1_000);
    apply({ nodes: { changed: [], removed: ['n1'] } });
    expect(scene.advance(2_000).isFull).toBe(true);
    expect([...scene.boxes.keys()]).toEqual(['n2']);
    expect(scene.boxes.get('n2')?.motion.at(2_000)).not.toEqual(scene.layout.boxes.get('n2'));
    expect(scene.advance(2_500).isFull).toBe(false);
    expect(scene.boxes.get('n2')?.motion.at(2_500)).toEqual(scene.layout.boxes.get('n2'));
  });

  it('finds the pod, the node or the pending pod under the pointer', () => {
    const { scene, apply } = sceneOf(false);
    apply({ pods: { changed: [pod('q', 'n1')], removed: [] } });
    scene.advance(1_000);
    const box = scene.boxes.get('n1')?.motion.target;
    const at = (x: number, y: number) => scene.targetAt(x, y, 0);
    const [left, top] = [scene.origin.x + (box?.x ?? 0), scene.origin.y + (box?.y ?? 0)];
    expect(at(left + 10, top + (box?.height ?? 0) - 10)).toMatchObject({
      node: { id: 'n1' },
      pod: { uid: 'q' },
    });
    expect(at(left + 5, top + 5)?.pod).toBeUndefined();
    expect(at(left + 5, top + 5)?.node?.id).toBe('n1');
    const cell = scene.pending.cells.get('p')?.motion.target;
    expect(at((cell?.x ?? 0) + 1, (cell?.y ?? 0) + 1)).toEqual({
      pod: expect.objectContaining({ uid: 'p' }),
    });
    expect(at(999, 599)).toBeUndefined();
  });
});
