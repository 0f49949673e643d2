import { labelKeys } from '../../api/index.ts';
import { Requirements, termRequirements, type Vocabulary } from '../../requirements/index.ts';
import type {
  PersistentVolumeClaimView,
  PersistentVolumeView,
  PodWithVolumes,
  Storage,
  StorageClassView,
} from './storage.ts';

/**
 * The alternatives for where the volumes of a pod are or may be provisioned, in the order in which Karpenter
 * tries them: the cross product over its claims. A single empty alternative if the volumes do not constrain
 * the node.
 */
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

/**
 * The hostname in the affinity of local volumes is ignored, as in Karpenter; the rest of the term applies.
 */
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

/**
 * Every compatible pair. If no pair is compatible, all stay, so that the rejection can name the
 * contradiction.
 */
function combine(first: readonly Requirements[], second: readonly Requirements[]): readonly Requirements[] {
  if (first.length === 0) return second;
  if (second.length === 0) return first;
  const pairs = first.flatMap((a) => second.map((b) => ({ a, b })));
  const possible = pairs.filter(({ a, b }) => a.intersects(b));
  return (possible.length > 0 ? possible : pairs).map(({ a, b }) => a.and(b));
}
