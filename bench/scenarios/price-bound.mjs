import loadHighs from 'highs';
import { offersOf } from './offers.mjs';
import { podClassesOf } from './pod-classes.mjs';
import { programme } from './programme.mjs';
import { usefulOffers } from './useful-offers.mjs';
import { zoneGroupsOf } from './zone-groups.mjs';

// A price that no plan for a scenario undercuts, from a linear programme that shares no code with the planner. Nodes
// and pods are fractional. The programme has these rules:
//
// - Every pod has a node that its node selector, its required node affinity and its tolerations allow.
// - The pods of a node request no more than it has besides its DaemonSets. With `wholePods` the room of a node is
//   rounded down to what whole pods can use.
// - The nodes of a NodePool use no more than its limits.
// - With `hostnameRules`, a node holds no more pods than anti-affinity and spread by host name allow.
// - With `zoneRules`, each zone holds as many of the pods that a spread over zones counts as it allows.
//
// It leaves out the following, so plans may be more expensive for a reason:
//
// - Preferences, and affinity and anti-affinity by zone.
// - Weights. A heavier NodePool counts the largest type of each node against its limits, but the price is that of the
//   cheapest, and any pod may join a node of a lighter NodePool that another pod needed. So no rule says how much of a
//   heavier NodePool a plan has to use.

/**
 * With the simplex method the largest programmes take a minute, with the interior point method ten seconds. That ends
 * within a millionth of the optimum, on either side of it.
 */
const interiorPoint = { from: 50_000, options: { solver: 'ipm', run_crossover: 'off' }, tolerance: 1e-6 };

const highs = await loadHighs();

/**
 * The bound for plans that place every pod, in $/hour. Undefined if no plan does, if there are nodes already, whose
 * room costs nothing, or if the solver takes longer than a minute.
 *
 * @returns {number | undefined}
 */
export function priceBound(scenario, { hostnameRules = true, zoneRules = true, wholePods = true } = {}) {
  if (scenario.nodes?.length > 0) return undefined;
  const all = offersOf(scenario);
  const zoneGroupOf = zoneRules ? zoneGroupsOf(scenario, all) : () => undefined;
  const classes = podClassesOf(scenario, { hostnameRules, zoneGroupOf });
  const offers = usefulOffers(all, classes, { wholePods });
  const isPlaceable = classes.every((_, number) => offers.some(({ holds }) => holds[number]));
  if (!isPlaceable) return undefined;
  return lowestCost(classes, offers);
}

function lowestCost(classes, offers) {
  const pairs = offers.reduce((sum, { holds }) => sum + holds.filter(Boolean).length, 0);
  const { options = {}, tolerance = 0 } = pairs < interiorPoint.from ? {} : interiorPoint;
  const { Status, ObjectiveValue } = highs.solve(programme(classes, offers), {
    ...options,
    time_limit: 60,
    output_flag: false,
  });
  return Status === 'Optimal' ? ObjectiveValue * (1 - tolerance) : undefined;
}
