import type { SavedBoots } from '../boots/instance-boots.ts';
import type { SavedCloud } from '../saved/saved-cloud.ts';

/** All that is kept of a simulated account: the account itself and which of its machines are up. */
export interface SavedAccount {
  readonly cloud: SavedCloud;
  readonly boots: SavedBoots;
}
