import type { SavedBoots } from '../boots/instance-boots.ts';
import type { SavedCloud } from '../saved/saved-cloud.ts';

/**
 * Everything that survives a restart of a simulated account: the account itself and which of its instances
 * run a kubelet.
 */
export interface SavedAccount {
  readonly cloud: SavedCloud;
  readonly boots: SavedBoots;
}
