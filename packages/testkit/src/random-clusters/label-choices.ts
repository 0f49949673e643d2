import { labelKeys } from '@karpenter/core/api';
import type { RequirementItem } from '@karpenter/core/requirements';
import type { SeededRandom } from './chance.ts';

export const zones = ['zone-a', 'zone-b', 'zone-c'] as const;
export const capacityTypes = ['spot', 'on-demand'] as const;
export const architectures = ['amd64', 'arm64'] as const;
export const teams = ['red', 'blue'] as const;
export const apps = ['web', 'db', 'job'] as const;
export const namespaces = ['default', 'other'] as const;

/** Instance types define these two labels besides the well-known ones. */
export const sizeLabel = 'example.com/cpus';
export const familyLabel = 'example.com/family';
/** Only NodePools and nodes have this label. */
export const teamLabel = 'team';
export const families = ['c', 'm', 'r'] as const;

function oneOf(chance: SeededRandom, key: string, values: readonly [string, ...string[]]): RequirementItem {
  const operator = chance.happens(0.75) ? 'In' : 'NotIn';
  const chosen = chance.some(values);
  // Never all values: `In` would allow everything and `NotIn` nothing.
  return { key, operator, values: chosen.length === values.length ? chosen.slice(1) : chosen };
}

function sizeRule(chance: SeededRandom): RequirementItem {
  return {
    key: sizeLabel,
    operator: chance.pick(['Gt', 'Lt', 'Gte', 'Lte']),
    values: [chance.pick(['2', '4', '8'])],
  };
}

function teamRule(chance: SeededRandom): RequirementItem {
  if (chance.happens(0.6)) return oneOf(chance, teamLabel, teams);
  return { key: teamLabel, operator: chance.pick(['Exists', 'DoesNotExist']) };
}

/** One requirement on a label of a node. */
function labelRule(chance: SeededRandom): RequirementItem {
  return chance.pick<() => RequirementItem>([
    () => oneOf(chance, labelKeys.zone, zones),
    () => oneOf(chance, labelKeys.zone, zones),
    () => oneOf(chance, labelKeys.capacityType, capacityTypes),
    () => oneOf(chance, labelKeys.architecture, architectures),
    () => oneOf(chance, familyLabel, families),
    () => sizeRule(chance),
    () => teamRule(chance),
  ])();
}

/** Requirements on different labels, so that they do not contradict each other. */
export function labelRules(chance: SeededRandom, from: number, to: number): readonly RequirementItem[] {
  const byKey = new Map(chance.times(from, to, () => labelRule(chance)).map((rule) => [rule.key, rule]));
  return [...byKey.values()];
}
