import { labelKeys } from '../../api/index.ts';
import { Requirements, termRequirements, type Vocabulary } from '../../requirements/index.ts';
import type {
  PersistentVolumeClaimView,
  PersistentVolumeView,
  PodWithVolumes,
  Storage,
  StorageClassView,
} from './storage.ts';

/** Where the volumes of a pod are or may be made, in order; one place that asks for nothing if they leave it free. */
export function volumePlaces(
  vocabulary: Vocabulary,
  storage: Storage,
  pod: PodWithVolumes,
): readonly Requirements[] {
  let combined: readonly Requirements[] = [];
  for (const name of storage.claimNames(pod)) {
    const claim = storage.claim(name);
    const next = claim === undefined ? [] : claimAlternatives(vocabulary, storage, claim);
    combined = combine(combined, next);
  }
  return combined.length === 0 ? [Requirements.none] : combined;
}

function claimAlternatives(
  vocabulary: Vocabulary,
  storage: Storage,
  claim: PersistentVolumeClaimView,
): readonly Requirements[] {
  const volume = storage.volumeOf(claim);
  if (volume !== undefined) return boundAlternatives(vocabulary, volume);
  if (claim.spec.volumeName !== undefined) return [];
  const storageClass = storage.classOf(claim);
  return storageClass === undefined ? [] : unboundAlternatives(vocabulary, storageClass);
}

/** Local volumes name the host they are on, which no new node can be; the rest of the term still counts. */
function boundAlternatives(vocabulary: Vocabulary, { spec }: PersistentVolumeView): readonly Requirements[] {
  const isLocal = spec.local !== undefined || spec.hostPath !== undefined;
  const terms = spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  return terms.flatMap(({ matchExpressions = [] }) => {
    if (matchExpressions.length === 0) return [];
    const kept = isLocal
      ? matchExpressions.filter(({ key }) => key !== labelKeys.hostname)
      : matchExpressions;
    return [termRequirements(vocabulary, { matchExpressions: kept }, 'volume node affinity')];
  });
}

function unboundAlternatives(
  vocabulary: Vocabulary,
  { allowedTopologies = [] }: StorageClassView,
): readonly Requirements[] {
  return allowedTopologies.flatMap(({ matchLabelExpressions = [] }) => {
    if (matchLabelExpressions.length === 0) return [];
    const matchExpressions = matchLabelExpressions.map(({ key, values }) => ({
      key,
      operator: 'In',
      values,
    }));
    return [termRequirements(vocabulary, { matchExpressions }, 'allowed topologies')];
  });
}

/** Every pair, without those that contradict themselves; if all do, they stay, so that the reason can be told. */
function combine(some: readonly Requirements[], more: readonly Requirements[]): readonly Requirements[] {
  if (some.length === 0) return more;
  if (more.length === 0) return some;
  const pairs = some.flatMap((first) => more.map((second) => ({ first, second })));
  const possible = pairs.filter(({ first, second }) => first.intersects(second));
  return (possible.length > 0 ? possible : pairs).map(({ first, second }) => first.and(second));
}
