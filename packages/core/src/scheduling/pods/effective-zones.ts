import { labelKeys } from '../../api/index.ts';
import {
  type LabelKey,
  type Requirement,
  type Requirements,
  requiredAlternatives,
} from '../../requirements/index.ts';
import type { Steps } from '../../yielding/index.ts';
import { type PlanContext, planContextSteps } from '../context/plan-context.ts';
import type { PlanOptions } from '../plan-result.ts';
import type { PodView, Snapshot } from '../snapshot.ts';
import { Topology } from '../topology/topology.ts';
import { validDomains } from '../topology/valid-domains.ts';
import { volumePlaces } from '../volumes/volume-topology.ts';
import type { PodClass } from './pod-class.ts';
import { podVariants } from './pod-variant.ts';

/** The only zone that a pod can run in, or `flexibleZone` if there are several, or `noZone`. */
export type EffectiveZone = string;
const flexibleZone = 'flexible';
const noZone = 'none';

/** Counts the pods of a snapshot by effective zone, for a metric. */
export function* effectiveZoneSteps(
  snapshot: Snapshot,
  options: PlanOptions,
): Steps<ReadonlyMap<EffectiveZone, number>> {
  const limited = snapshot.pods.filter(mayBeLimited);
  const counts = new Map<EffectiveZone, number>();
  const add = (zone: EffectiveZone, pods: number) => counts.set(zone, (counts.get(zone) ?? 0) + pods);
  if (limited.length < snapshot.pods.length) add(flexibleZone, snapshot.pods.length - limited.length);
  if (limited.length === 0) return counts;
  const context = yield* planContextSteps({ ...snapshot, pods: limited }, options);
  const topology = new Topology(context);
  for (const podClass of context.pods.classes) {
    add(yield* zoneOf(context, topology, podClass), podClass.pods.length);
    yield;
  }
  return counts;
}

/** Whether any field of the pod could constrain its zone; most pods have none, and are not compiled. */
function mayBeLimited({ spec }: PodView): boolean {
  const { nodeSelector, affinity, topologySpreadConstraints = [], volumes = [] } = spec;
  return (
    nodeSelector !== undefined ||
    affinity !== undefined ||
    topologySpreadConstraints.length > 0 ||
    volumes.some(
      ({ persistentVolumeClaim, ephemeral }) =>
        persistentVolumeClaim !== undefined || ephemeral !== undefined,
    )
  );
}

function* zoneOf(context: PlanContext, topology: Topology, podClass: PodClass): Steps<EffectiveZone> {
  const { vocabulary, cluster, options } = context;
  const key = vocabulary.key(labelKeys.zone);
  const ignorePreferences = options.preferencePolicy === 'Ignore';
  const [variant] = podVariants(podClass.spec, { vocabulary, ignorePreferences, hasSoftTaints: false });
  if (variant === undefined) return flexibleZone;
  const groups = (yield* topology.groupsOf(podClass, variant)).filter((group) => group.key === key);
  const podZones = variant.strict.get(key);
  const valid = groups.map((group) => validDomains(group, podZones, group.selects(podClass)));
  if (valid.some((domains) => domains.length === 0)) return noZone;
  const [pod] = podClass.pods;
  const places = pod === undefined ? [] : volumePlaces(vocabulary, cluster.storage, pod);
  const sets = [
    unionOf(requiredAlternatives(vocabulary, podClass.spec), key),
    unionOf(places, key),
    ...valid.map((domains) => new Set(domains)),
  ].filter((zones) => zones !== undefined);
  const [first, ...others] = sets;
  if (first === undefined) return flexibleZone;
  const left = [...first].filter((zone) => others.every((zones) => zones.has(zone)));
  const [only, another] = left;
  if (only === undefined) return noZone;
  return another === undefined ? only : flexibleZone;
}

/** The union of zones that alternatives name; undefined if one of them does not constrain the zone. */
function unionOf(alternatives: readonly Requirements[], key: LabelKey): ReadonlySet<string> | undefined {
  const named = alternatives.map((alternative) => namedZones(alternative.find(key)));
  const zones = named.filter((list) => list !== undefined);
  return named.length === 0 || zones.length < named.length ? undefined : new Set(zones.flat());
}

function namedZones(requirement: Requirement | undefined): readonly string[] | undefined {
  return requirement === undefined || requirement.complement ? undefined : requirement.values();
}
