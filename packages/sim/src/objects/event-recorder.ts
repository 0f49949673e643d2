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
  /** The reporting component: `default-scheduler`, `kubelet`, … */
  readonly component: string;
  readonly log: SimulationLog;
  readonly signal?: AbortSignal;
}

/**
 * Publishes events of Kubernetes' own components. They are not in our event catalogue and are never
 * deduplicated; the count of an Event increases each time. Failed writes are only logged.
 */
export class ComponentEventRecorder {
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
