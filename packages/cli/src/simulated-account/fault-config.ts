import { CodedError } from '@karpenter/core/errors';
import type { WatchCache } from '@karpenter/kube/cache';
import { type Faults, parseFaults, type SimulatedCloud } from '@karpenter/sim/cloud';
import type { ConfigMap } from 'kubernetes-types/core/v1.js';
import { faultConfig } from './controls.ts';

/** Called with the result of a change, in one sentence. */
export type FaultReport = (message: string) => void;

export interface FollowedFaults {
  /** The text of the ConfigMap whose faults are in force; undefined while they are those of the start. */
  inForce(): string | undefined;
  /** Stops watching. */
  stop(): void;
}

interface FollowOptions {
  readonly atStart: Partial<Faults>;
  readonly report: FaultReport;
}

/**
 * Applies the faults of the ConfigMap while it exists; they override those of the start. An invalid ConfigMap changes
 * nothing and is reported.
 */
export function followFaults(
  configMaps: WatchCache<ConfigMap>,
  { faults: board }: SimulatedCloud,
  { atStart, report }: FollowOptions,
): FollowedFaults {
  let inForce: string | undefined;
  const set = (text: string | undefined) => {
    const faults = text === undefined ? {} : parseFaults(text, `ConfigMap ${faultConfig.name}`);
    board.clear();
    board.set({ ...atStart, ...faults });
    inForce = text;
  };
  const stop = configMaps.subscribe(({ type, object, previous }) => {
    if (object.metadata?.namespace !== faultConfig.namespace || object.metadata.name !== faultConfig.name)
      return;
    const text = type === 'deleted' ? undefined : object.data?.[faultConfig.key];
    if (type === 'modified' && text === previous?.data?.[faultConfig.key]) return;
    try {
      set(text);
      report(
        text === undefined
          ? 'faults of the simulated cloud are those of the start'
          : 'faults of the simulated cloud have changed',
      );
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      report(`faults of the simulated cloud stay as they are: ${error.message}`);
    }
  });
  return { inForce: () => inForce, stop };
}
