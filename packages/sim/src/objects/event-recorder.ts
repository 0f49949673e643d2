import { durationMs } from '@karpenter/core/values';
import type { Kind, KubeClient, KubeObject } from '@karpenter/kube/client';
import { type Clock, CoreEventRecorder } from '@karpenter/kube/runtime';
import type { SimulationLog } from './simulation-log.ts';

export interface EventText {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export interface EventRecorderOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Whose events they are: `default-scheduler`, `kubelet`, … */
  readonly component: string;
  readonly log: SimulationLog;
  readonly signal?: AbortSignal;
}

/** Events of Kubernetes' own components, which have no catalogue and are counted up however often they come. */
export class EventRecorder {
  readonly #recorder: CoreEventRecorder;

  constructor({ log, ...options }: EventRecorderOptions) {
    const { component } = options;
    this.#recorder = new CoreEventRecorder({
      ...options,
      onError: (error) => log('event not written', { component, error }),
    });
  }

  publish<T extends KubeObject>(kind: Kind<T>, object: T, { type, reason, message }: EventText): void {
    const definition = { reason, type, objects: [kind.kind], dedupeWindow: durationMs(0), dedupeKey: [] };
    this.#recorder.publish({ definition, kind, object, message });
  }
}
