import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { hostname } from 'node:os';
import { errorFields } from '@karpenter/controllers';
import type { Log } from '@karpenter/core/ports';
import { type DurationMs, durationMs } from '@karpenter/core/values';
import { type ClusterConfig, connect } from '@karpenter/kube/client';
import {
  type Clock,
  defaultElectionTimes,
  type ElectionOptions,
  type ElectionTimes,
  LeaseFence,
  lead,
} from '@karpenter/kube/runtime';
import { version } from '../version.ts';
import type { ProcessSettings } from './process-settings.ts';

export interface LeadOptions {
  readonly config: ClusterConfig;
  readonly settings: Pick<
    ProcessSettings,
    'disableLeaderElection' | 'leaderElectionName' | 'leaderElectionNamespace'
  >;
  /** How long leases last. Defaults to the times of Kubernetes' own components. */
  readonly election?: ElectionTimes | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** How the API server is reached; defaults to the network. */
  readonly connect?: typeof connect | undefined;
}

export interface LeaderElector {
  /** Every write of this process passes it; it is open while this process leads. Absent where no leader is elected. */
  readonly fence: LeaseFence | undefined;
  /** When the work begins, nobody else has written for at least this long. */
  readonly timeSinceOtherWrites: DurationMs;
  /** Does the work while this process leads; `isReady` is waited for before it stands for election. */
  lead(isReady: Promise<void>, work: (signal: AbortSignal) => Promise<void>): Promise<void>;
}

/** Where no leader is elected nobody else is expected: the work begins at once and may always write. */
export function leaderElector(options: LeadOptions): LeaderElector {
  const { settings, signal, clock, election = {} } = options;
  if (settings.disableLeaderElection) {
    return { fence: undefined, timeSinceOtherWrites: durationMs(0), lead: (_, work) => work(signal) };
  }
  const lease = { namespace: namespaceOf(options), name: settings.leaderElectionName };
  const fence = new LeaseFence(clock, lease);
  setMaxListeners(0, fence.closed);
  const { leaseDuration, renewDeadline } = { ...defaultElectionTimes, ...election };
  return {
    fence,
    // The earlier leader stops writing at its renew deadline, and its lease can be taken only when its duration is over.
    timeSinceOtherWrites: durationMs(leaseDuration - renewDeadline),
    lead: async (isReady, work) => {
      await isReady;
      await elect({ ...options, lease, fence }, work);
    },
  };
}

type Election = LeadOptions & Pick<ElectionOptions, 'lease' | 'fence'>;

async function elect(options: Election, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const { config, election, clock, log, signal, lease, fence, connect: open = connect } = options;
  // A client of its own: waiting behind other requests has lost many a lease.
  const client = open(config, { clock, userAgent: `karpenter/${version}` });
  // As in client-go, unique for each process: a pod that restarts under the same host name is another candidate, and must
  // not take the lease that its predecessor holds for its own.
  const identity = `${hostname()}_${randomUUID()}`;
  try {
    await lead(
      {
        ...election,
        client,
        clock,
        signal,
        identity,
        lease,
        fence,
        onError: (error) => log.error('error retrieving resource lock', errorFields(error)),
        onLeader: (leader) => log.info('new leader elected', { leader }),
      },
      (leading) => {
        // Every controller and cache waits for the end.
        setMaxListeners(0, leading);
        return work(leading);
      },
    );
  } finally {
    await client.close();
  }
}

/** A pod's own namespace unless another is named. */
function namespaceOf({ config, settings }: LeadOptions): string {
  return settings.leaderElectionNamespace !== ''
    ? settings.leaderElectionNamespace
    : (config.namespace ?? 'default');
}
