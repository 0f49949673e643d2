import type { SimulationOptions } from '@karpenter/core/disruption';
import { preparedPods } from '@karpenter/core/provisioning';
import type { ClusterSnapshot } from '@karpenter/core/state';
import type { Planning } from '../context/index.ts';
import { type PlanOptionsContext, planOptions } from './plan-options.ts';

export type SimulationContext = PlanOptionsContext & {
  readonly planning: Pick<Planning, 'input' | 'environment'>;
};

/**
 * The snapshot restricted to managed NodePools, and the options under which a simulation of it plans.
 *
 * Moved pods land on nodes of `leaving` only when no other node has room, and on the first of them last: a
 * node that receives pods cannot be removed by the same search.
 */
export function simulationInput(
  context: SimulationContext,
  snapshot: ClusterSnapshot,
  leaving: readonly { readonly name: string }[],
): [ClusterSnapshot, SimulationOptions] {
  const { planning } = context;
  const environment = { ...planning.environment(), storage: snapshot.storage };
  return [
    {
      ...snapshot,
      nodePools: snapshot.nodePools.filter(environment.isManaged),
      ...(environment.devices !== undefined && { devices: environment.devices }),
    },
    {
      plan: planOptions(context, 'fallback'),
      // Without upcoming pods: they would block disruption for as long as pods keep coming (ADR 0068).
      waiting: planning.input(snapshot, { forUpcomingPods: false }).snapshot.pods,
      withSpread: (pods) =>
        environment.defaultSpread.length === 0
          ? pods
          : preparedPods({ pending: [], moving: pods }, environment).pods,
      filledLast: leaving.toReversed().map(({ name }) => name),
    },
  ];
}
