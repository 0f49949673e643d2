import {
  conditionedObject,
  controllerNames,
  equalConditions,
  formatTimestamp,
  minutes,
  reconcilePeriods,
} from '@karpenter/core/api';
import { type OverlayVerdict, overlayConditions } from '@karpenter/core/node-overlays';
import type { CacheChange, WatchCache } from '@karpenter/kube/cache';
import type { KubeObject } from '@karpenter/kube/client';
import { changesOf, type Runnable, type Source } from '@karpenter/kube/runtime';
import { nodeOverlays, nodePools, writeStatus } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';

type OverlayContext = Pick<ControllerContext, 'client' | 'caches' | 'cloud' | 'clock' | 'planning'>;

const name = controllerNames.nodeOverlay;
/**
 * The requeue while the instance types of some NodePool cannot be listed: overlays are not evaluated for these
 * NodePools.
 */
const incompleteRetry = minutes(1);

/**
 * Writes whether each NodeOverlay is valid and applied, when an overlay, NodePool or NodeClass changes its
 * generation and every six hours. It applies nothing itself: planning does that with each refresh of instance
 * types.
 */
export function nodeOverlay(context: OverlayContext): Runnable {
  const { caches, cloud, planning } = context;
  const overlays = caches.of(nodeOverlays);
  const classes = cloud.nodeClasses.map((kind) => caches.of({ ...kind, namespaced: false }));
  return {
    singleton: {
      name,
      reconcile: async () => {
        const { overlayVerdicts, typeFailures } = await planning.refresh();
        await Promise.all(overlayVerdicts.map((verdict) => writeVerdict(context, verdict)));
        const isComplete = typeFailures.size === 0;
        return { requeueAfter: isComplete ? reconcilePeriods.nodeOverlay : incompleteRetry };
      },
    },
    sources: [newGenerations(overlays), newGenerations(caches.of(nodePools)), ...classes.map(newGenerations)],
  };
}

async function writeVerdict(
  { client, caches, clock }: OverlayContext,
  verdict: OverlayVerdict,
): Promise<void> {
  const overlay = caches.of(nodeOverlays).get({ name: verdict.overlay });
  if (overlay === undefined) return;
  const object = conditionedObject(overlay);
  const conditions = overlayConditions(object, verdict, formatTimestamp(clock.now()));
  if (equalConditions(conditions, object.conditions)) return;
  await writeStatus(client, nodeOverlays, overlay, { conditions });
}

/**
 * Triggers the singleton on changes of the spec; status writes, its own among them, do not change the
 * generation.
 */
function newGenerations<T extends KubeObject>(cache: WatchCache<T>): Source {
  return changesOf(cache, (change) => (isNewGeneration(change) ? [name] : []));
}

function isNewGeneration<T extends KubeObject>({ type, object, previous }: CacheChange<T>): boolean {
  return type !== 'modified' || object.metadata?.generation !== previous?.metadata?.generation;
}
