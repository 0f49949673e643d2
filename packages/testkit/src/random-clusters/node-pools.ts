import { labelKeys, type NodePool } from '@karpenter/core/api';
import type { Taint, Toleration } from '@karpenter/core/values';
import type { SeededRandom } from './chance.ts';
import { labelRules, teamLabel, teams } from './label-choices.ts';

export const taintChoices: readonly [Taint, ...Taint[]] = [
  { key: 'dedicated', value: 'x', effect: 'NoSchedule' },
  { key: 'dedicated', value: 'y', effect: 'NoSchedule' },
  { key: 'busy', effect: 'NoExecute' },
  { key: 'level', value: '7', effect: 'NoSchedule' },
  { key: 'slow', effect: 'PreferNoSchedule' },
];

export const tolerationChoices: readonly [Toleration, ...Toleration[]] = [
  { key: 'dedicated', operator: 'Equal', value: 'x', effect: 'NoSchedule' },
  { key: 'dedicated', operator: 'Exists' },
  { key: 'busy', operator: 'Exists', effect: 'NoExecute' },
  { key: 'level', operator: 'Gt', value: '5' },
  { operator: 'Exists' },
];

/** No requirement on a label that the pool sets on its nodes anyway. */
function requirements(chance: SeededRandom, isLabelled: boolean) {
  const rules = labelRules(chance, 0, 2)
    .filter(({ key }) => key !== teamLabel || !isLabelled)
    .map((rule) => ({ ...rule, values: [...(rule.values ?? [])] }));
  const minimum = {
    key: labelKeys.instanceType,
    operator: 'Exists',
    minValues: chance.integer(2, 3),
  };
  return chance.happens(0.1) ? [...rules, minimum] : rules;
}

function limits(chance: SeededRandom) {
  return chance.pick<Record<string, string>>([
    { cpu: String(chance.integer(4, 40)) },
    { memory: `${chance.integer(16, 100)}Gi` },
    { nodes: String(chance.integer(0, 3)) },
  ]);
}

function nodePool(chance: SeededRandom, index: number): NodePool {
  const isStatic = chance.happens(0.05);
  const isLabelled = chance.happens(0.4);
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: `pool-${index}` },
    spec: {
      template: {
        ...(isLabelled && { metadata: { labels: { [teamLabel]: chance.pick(teams) } } }),
        spec: {
          requirements: requirements(chance, isLabelled),
          nodeClassRef: { group: 'example.com', kind: 'MachineClass', name: 'default' },
          ...chance.maybe(0.35, () => ({ taints: chance.some(taintChoices, 0.2) })),
          ...chance.maybe(0.1, () => ({ startupTaints: [{ key: 'starting', effect: 'NoSchedule' }] })),
        },
      },
      ...chance.maybe(isStatic ? 0 : 0.3, () => ({ limits: limits(chance) })),
      ...chance.maybe(isStatic ? 0 : 0.6, () => ({ weight: chance.integer(1, 100) })),
      ...(isStatic && { replicas: 1 }),
    },
    // The type of the schema has defaults that placement never reads.
  } as unknown as NodePool;
}

export function nodePools(chance: SeededRandom): readonly NodePool[] {
  return chance.times(1, 3, (index) => nodePool(chance, index));
}
