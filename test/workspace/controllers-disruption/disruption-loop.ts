import { disruption } from '@karpenter/controllers';
import type { ReconcileResult, Singleton } from '@karpenter/kube/runtime';
import type { ControllerWorld } from '@karpenter/testkit/controller-world';

/** The disruption loop without its queue: commands start but are not carried out. */
export function loopOf(context: ControllerWorld): Singleton {
  const [found] = disruption(context).flatMap((runnable) =>
    'singleton' in runnable ? [runnable.singleton] : [],
  );
  if (found === undefined) throw new Error('disruption has no loop');
  return found;
}

/** Runs one reconcile of the loop and advances the clock for it. */
export async function runLoop(
  world: ControllerWorld,
  loop: Singleton,
  { signal } = new AbortController(),
): Promise<ReconcileResult | undefined> {
  let isOver = false;
  const running = loop.reconcile(signal).finally(() => {
    isOver = true;
  });
  running.catch(() => undefined);
  await world.until(() => isOver);
  return running;
}
