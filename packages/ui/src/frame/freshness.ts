import { staleAfterMs } from '../connection/index.ts';
import type { ConnectionState } from '../store/index.ts';

/** How far the page can be believed. */
export type Freshness = 'live' | 'connecting' | 'lost' | 'stale' | 'syncing';

interface FreshnessFacts {
  readonly connection: ConnectionState;
  /** Milliseconds since the server was last heard. */
  readonly silence: number;
  /** Whether all nodes and pods were read; undefined before the first status. */
  readonly isSynced: boolean | undefined;
}

export function freshnessOf({ connection, silence, isSynced }: FreshnessFacts): Freshness {
  if (connection === 'connecting') return 'connecting';
  if (silence >= staleAfterMs) return 'stale';
  if (connection === 'lost') return 'lost';
  return isSynced === false ? 'syncing' : 'live';
}
