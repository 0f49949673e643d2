import { useServerTime, useSession, useStore } from '../session/index.ts';
import { type Freshness, freshnessOf } from './freshness.ts';

/** How fresh the data is, looked at every second. */
export function useFreshness(): { readonly freshness: Freshness; readonly seconds: number } {
  const { stream } = useSession();
  const { connection, status } = useStore('connection');
  useServerTime();
  const { silence } = stream;
  return {
    freshness: freshnessOf({ connection, silence, isSynced: status?.isSynced }),
    seconds: Math.round(silence / 1000),
  };
}
