import { setMaxListeners } from 'node:events';
import { durationMs } from '@karpenter/core/values';
import { CacheSet } from '@karpenter/kube/cache';
import type { KubeClient } from '@karpenter/kube/client';
import { type Clock, runController } from '@karpenter/kube/runtime';
import { KubeScheduler } from './kube-scheduler/kube-scheduler.ts';
import { ComponentEventRecorder } from './objects/event-recorder.ts';
import { type SimulationLog, silent } from './objects/simulation-log.ts';
import { attachDetachController } from './workloads/attach-detach/attach-detach-controller.ts';
import type { ControllerSetup, WorkloadControllerContext } from './workloads/controller-setup.ts';
import { cronJobController } from './workloads/cron-job/cron-job-controller.ts';
import { daemonSetController } from './workloads/daemon-set/daemon-set-controller.ts';
import { deploymentController } from './workloads/deployment/deployment-controller.ts';
import { disruptionController } from './workloads/disruption/disruption-controller.ts';
import { jobController } from './workloads/job/job-controller.ts';
import { nodeLifecycleController } from './workloads/node-lifecycle/node-lifecycle-controller.ts';
import { podGarbageCollector } from './workloads/pod-garbage-collection/pod-garbage-collector.ts';
import { replicaSetController } from './workloads/replica-set/replica-set-controller.ts';
import { serviceAccountController } from './workloads/service-account/service-account-controller.ts';
import { statefulSetController } from './workloads/stateful-set/stateful-set-controller.ts';
import { volumeBindingController } from './workloads/volume-binding/volume-binding-controller.ts';

export interface ClusterControllersOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /**
   * Caches shared with other users of the same cluster, so that each kind is watched once; defaults to new
   * ones.
   */
  readonly caches?: CacheSet;
  /** Breaks ties of the scheduler; the same seed gives the same choices. */
  readonly seed?: number;
  readonly log?: SimulationLog;
}

export interface Running {
  /** Stops it; resolves when everything has ended. */
  stop(): Promise<void>;
}

/** Every controller, with the component name under which the real one reports events. */
const controllers: readonly (readonly [
  component: string,
  make: (context: WorkloadControllerContext) => ControllerSetup,
])[] = [
  ['serviceaccount-controller', serviceAccountController],
  ['deployment-controller', deploymentController],
  ['replicaset-controller', replicaSetController],
  ['statefulset-controller', statefulSetController],
  ['daemonset-controller', daemonSetController],
  ['job-controller', jobController],
  ['cronjob-controller', cronJobController],
  ['controllermanager', disruptionController],
  ['node-controller', nodeLifecycleController],
  ['pod-garbage-collector', podGarbageCollector],
  ['persistentvolume-controller', volumeBindingController],
  ['attachdetach-controller', attachDetachController],
];

const backoff = { initial: durationMs(20), max: durationMs(10_000) };
const retries = { perSecond: 100, burst: 500 };

/**
 * Starts what kube-scheduler and kube-controller-manager do in a real cluster. The embedded API server itself
 * does the garbage collection of owned objects and the cleanup of namespaces.
 */
export function startClusterControllers(options: ClusterControllersOptions): Running {
  const { client, clock, seed = 0, log = silent } = options;
  const ended = new AbortController();
  const { signal } = ended;
  setMaxListeners(0, signal);
  const caches = options.caches ?? cachesOf({ client, clock, signal, log });
  const scheduler = new KubeScheduler({ client, clock, caches, signal, log, seed });
  const recorderOf = (component: string) =>
    new ComponentEventRecorder({ client, clock, component, log, signal });
  const runs = controllers
    .map(([component, make]) => make({ client, clock, caches, events: recorderOf(component) }))
    .map(({ controller, sources }) =>
      runController(controller, {
        clock,
        signal,
        sources,
        backoff,
        retries,
        onReconciled: ({ key, error }) => {
          if (error !== undefined && !signal.aborted)
            log('will retry', { controller: controller.name, key, error });
        },
      }),
    );
  const all = Promise.all([scheduler.run(), ...runs]);
  return {
    async stop() {
      ended.abort();
      await all;
    },
  };
}

export interface SchedulerOptions extends ClusterControllersOptions {
  /** The scheduler leaves pods with another schedulerName alone; defaults to `default-scheduler`. */
  readonly schedulerName?: string;
}

/** Starts only kube-scheduler, in a cluster that already has the other controllers. */
export function startScheduler(options: SchedulerOptions): Running {
  const { client, clock, seed = 0, log = silent, schedulerName = 'default-scheduler' } = options;
  const ended = new AbortController();
  const { signal } = ended;
  setMaxListeners(0, signal);
  const caches = options.caches ?? cachesOf({ client, clock, signal, log });
  const run = new KubeScheduler({ client, clock, caches, signal, log, seed, schedulerName }).run();
  return {
    async stop() {
      ended.abort();
      await run;
    },
  };
}

interface CacheOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: SimulationLog;
}

/** New caches of a cluster that log interrupted watches. */
export function cachesOf({ client, clock, signal, log }: CacheOptions): CacheSet {
  return new CacheSet({
    client,
    clock,
    signal,
    onError: (kind, error) => log('watch interrupted', { kind: kind.kind, error }),
  });
}
