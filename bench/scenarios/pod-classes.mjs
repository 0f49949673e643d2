import { requestsOf } from './amounts.mjs';
import { hostnameGroupsOf } from './hostname-groups.mjs';
import { nodeRulesOf } from './placement-rules.mjs';

/** Pods with equal requests and equal rules, which the programme need not tell apart. */
export function podClassesOf({ pods }, { hostnameRules, zoneGroupOf }) {
  const classes = new Map();
  const knownRules = new Map();
  for (const { count, pod } of pods) {
    const requests = requestsOf(pod);
    const rulesText = JSON.stringify(nodeRulesOf(pod));
    const rules = knownRules.get(rulesText) ?? nodeRulesOf(pod);
    knownRules.set(rulesText, rules);
    const groups = hostnameRules ? hostnameGroupsOf(pod) : [];
    const zoneGroup = zoneGroupOf(pod);
    const key = JSON.stringify([[...requests].sort(), rulesText, groups, zoneGroup?.name]);
    const known = classes.get(key);
    classes.set(key, { requests, rules, groups, zoneGroup, count: count + (known?.count ?? 0) });
  }
  return [...classes.values()];
}
