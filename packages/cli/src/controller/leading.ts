import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { hostname } from 'node:os';
import { errorFields } from '@karpenter/controllers';
import type { Log } from '@karpenter/core/ports';
import { type ClusterConfig, connect } from '@karpenter/kube/client';
import { type Clock, lead } from '@karpenter/kube/runtime';
import { version } from '../version.ts';
import type { ProcessSettings } from './process-settings.ts';

export interface LeadOptions {
  readonly config: ClusterConfig;
  readonly settings: Pick<
    ProcessSettings,
    'disableLeaderElection' | 'leaderElectionName' | 'leaderElectionNamespace'
  >;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Does the work while this process leads, or at once where nobody else is expected. */
export async function whileLeading(
  options: LeadOptions,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { config, settings, clock, log, signal } = options;
  if (settings.disableLeaderElection) return work(signal);
  // A client of its own: waiting behind other requests has lost many a lease.
  const client = connect(config, { clock, userAgent: `karpenter/${version}` });
  const identity = `${hostname()}_${randomUUID()}`;
  try {
    await lead(
      {
        client,
        clock,
        signal,
        identity,
        lease: { namespace: namespaceOf(options), name: settings.leaderElectionName },
        onError: (error) => log.error('error retrieving resource lock', errorFields(error)),
        onLeader: (leader) => log.info('new leader elected', { leader }),
      },
      (leadership) => {
        // Every controller and cache waits for the end.
        setMaxListeners(0, leadership.signal);
        return work(leadership.signal);
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
