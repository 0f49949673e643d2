import { allowsRules, nodeRulesOf, selects } from './placement-rules.mjs';

const zone = 'topology.kubernetes.io/zone';
/** Fields of a spread that the bound understands; others may make it less strict. */
const understood = ['topologyKey', 'maxSkew', 'whenUnsatisfiable', 'labelSelector'];

/**
 * The groups of pods that are spread over zones, with the least and the most of them that a zone holds. A pod may join
 * a zone if the pods there, with itself, exceed those of the emptiest zone by no more than `maxSkew`, and Karpenter
 * counts every zone in which a NodePool could have nodes for the pod. So in the end no zone exceeds another by more
 * than that.
 *
 * A group is all pods that a spread selects, and only if all of them have that spread and the same rules on nodes: other
 * pods could join a zone after those that have it. Spreads with further fields are left out, which can only make the
 * bound lower.
 *
 * @returns {(pod: object) => { name: string, least: number, most: number } | undefined} the group of a pod
 */
export function zoneGroupsOf(scenario, offers) {
  const groups = new Map();
  for (const { count, pod } of scenario.pods) {
    const spread = ownSpreadOf(pod);
    if (spread === undefined) continue;
    const name = nameOf(pod, spread);
    const group = groups.get(name) ?? { name, pod, spread, count: 0 };
    groups.set(name, { ...group, count: group.count + count });
  }
  const closed = [...groups.values()].filter((group) => isClosed(group, scenario.pods));
  const inZone = new Map(closed.map((group) => [group.name, amountsInZone(group, zonesFor(group, offers))]));
  return (pod) => {
    const spread = ownSpreadOf(pod);
    return spread && inZone.get(nameOf(pod, spread));
  };
}

/** The only spread of a pod over zones, if it is required and selects the pod itself. */
function ownSpreadOf({ metadata, spec }) {
  const [spread, ...others] = (spec.topologySpreadConstraints ?? []).filter(
    ({ topologyKey, whenUnsatisfiable }) => topologyKey === zone && whenUnsatisfiable !== 'ScheduleAnyway',
  );
  if (spread === undefined || others.length > 0) return undefined;
  const isUnderstood = Object.keys(spread).every((field) => understood.includes(field));
  return isUnderstood && selects(spread.labelSelector, metadata.labels) ? spread : undefined;
}

const namespaceOf = ({ metadata: { namespace = 'default' } }) => namespace;
const nameOf = (pod, spread) => JSON.stringify([namespaceOf(pod), spread, nodeRulesOf(pod)]);

/** Whether every pod that the spread selects belongs to the group. */
function isClosed({ name, pod: own, spread }, pods) {
  return pods.every(({ pod }) => {
    if (namespaceOf(pod) !== namespaceOf(own) || !selects(spread.labelSelector, pod.metadata.labels))
      return true;
    const other = ownSpreadOf(pod);
    return other !== undefined && nameOf(pod, other) === name;
  });
}

function zonesFor({ pod }, offers) {
  const rules = nodeRulesOf(pod);
  return new Set(offers.filter((offer) => allowsRules(offer, rules)).map(({ labels }) => labels[zone]));
}

function amountsInZone({ name, count, spread: { maxSkew } }, { size: zones }) {
  const skew = maxSkew * (zones - 1);
  return { name, least: Math.ceil((count - skew) / zones), most: Math.floor((count + skew) / zones) };
}
