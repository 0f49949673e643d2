import type { ProcessFact } from '../state/index.ts';
import type { SavedFact } from './saved-cluster.ts';

export function savedFact(fact: ProcessFact): SavedFact {
  return fact.type === 'bufferPodsPlaced' ? { ...fact, byNode: Object.fromEntries(fact.byNode) } : fact;
}

export function restoredFact(fact: SavedFact): ProcessFact {
  return fact.type === 'bufferPodsPlaced' ? { ...fact, byNode: new Map(Object.entries(fact.byNode)) } : fact;
}
