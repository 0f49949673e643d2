import type { NodeClaim } from '@karpenter/core/api';
import { type Runnable, readsFrom } from '@karpenter/kube/runtime';
import { stateSources } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import { watchProviderIds } from '../instances/index.ts';
import type { RegistrationHealth } from '../registration-health/index.ts';
import { Finalization } from './finalization.ts';
import { Initialization } from './initialization.ts';
import { Launch } from './launch.ts';
import { LaunchAttempts } from './launch-attempts.ts';
import { LifecycleController } from './lifecycle-controller.ts';
import { Liveness } from './liveness.ts';
import { Registration } from './registration.ts';
import { recordRegistration } from './registration-record.ts';
import { resourceSlices, sliceChanges } from './resource-slices.ts';

export interface LifecycleContext
  extends Pick<
    ControllerContext,
    | 'client'
    | 'caches'
    | 'cluster'
    | 'cloud'
    | 'recorder'
    | 'meters'
    | 'log'
    | 'clock'
    | 'settings'
    | 'decisions'
  > {
  readonly registrationHealth: Pick<RegistrationHealth, 'record'>;
}

/** Wires the lifecycle of NodeClaims: its steps, and the caches whose changes trigger it. */
export function nodeClaimLifecycle(context: LifecycleContext): Runnable {
  const { caches, clock, settings, registrationHealth: health } = context;
  const index = watchProviderIds(caches);
  const nodePools = caches.of(stateSources.NodePool);
  const slices = settings.ignoreDraRequests ? undefined : resourceSlices(caches);
  const attempts = new LaunchAttempts(clock);
  const record = (outcome: 'success' | 'failure') => (claim: NodeClaim) =>
    recordRegistration({ health, nodePools }, claim, outcome);
  // Liveness is last, so that it checks the conditions that the other steps set in the same reconcile.
  const controller = new LifecycleController({
    ...context,
    index,
    steps: [
      new Launch(context, attempts),
      new Registration({ ...context, index, onRegistered: record('success') }),
      new Initialization({
        ...context,
        index,
        ...(slices !== undefined && { slices: () => slices.list() }),
      }),
      new Liveness({ ...context, onTimeout: record('failure') }),
    ],
    finalization: new Finalization({ ...context, index }, attempts),
  });
  const sources = [
    ...index.claimSources(),
    // Triggers nothing, but the result of a registration is lost if its NodePool is not in the cache yet.
    readsFrom(nodePools),
    ...(slices === undefined ? [] : [sliceChanges(slices, index)]),
  ];
  return { controller, sources };
}
