import { CodedError } from '@karpenter/core/errors';
import type { SimulatedCloud } from '@karpenter/sim/cloud';
import type { Node } from 'kubernetes-types/core/v1.js';
import type { NodeAct } from './controls.ts';

/** A node by its name, if it exists. */
export interface NamedNode {
  readonly name: string;
  readonly node: Node | undefined;
}

/** Does something to the instance of a node and says what happened. Throws a CodedError if nothing did. */
export function performOnNode(cloud: SimulatedCloud, act: NodeAct, { name, node }: NamedNode): string {
  const id = node?.spec?.providerID?.split('/').at(-1);
  if (node === undefined) throw refused(act, name, 'there is no such node; kubectl get nodes lists them');
  const instance = cloud.world.instances.get(id ?? '');
  if (id === undefined || instance === undefined)
    throw refused(
      act,
      name,
      `its instance ${id ?? ''} is not one of the simulated account; choose another node`,
    );
  const why = obstacle(act, instance);
  if (why !== undefined) throw refused(act, name, why);
  if (!perform(cloud, act, id)) throw refused(act, name, `EC2 does not do that to its instance ${id}`);
  return `${done[act]} (${id}, the instance of ${name})`;
}

const done: Readonly<Record<NodeAct, string>> = {
  interrupt: 'EC2 takes the instance back in two minutes',
  rebalance: 'EC2 recommends to move off the instance',
  maintenance: 'EC2 announces maintenance in a day',
  impair: 'the status check of the instance fails',
  recover: 'the status check of the instance passes again',
  terminate: 'the instance is shutting down',
};

type ActedInstance = NonNullable<ReturnType<SimulatedCloud['world']['instances']['get']>>;

/** Why nothing would happen. */
function obstacle(act: NodeAct, instance: ActedInstance): string | undefined {
  const { id, state, capacityType, interruptionAt, health } = instance;
  if (state !== 'pending' && state !== 'running') return `its instance ${id} is ${state}`;
  const isForSpot = act === 'interrupt' || act === 'rebalance';
  const isInterruptible = capacityType === 'spot' || (act === 'interrupt' && capacityType === 'reserved');
  if (isForSpot && !isInterruptible)
    return `its instance ${id} is ${capacityType}, and EC2 does that to spot instances only`;
  if (act === 'interrupt' && interruptionAt !== undefined)
    return `its instance ${id} is being interrupted already`;
  if (act === 'impair' && health.instanceImpairedSince !== undefined)
    return `the status check of its instance ${id} fails already`;
  if (act === 'recover' && health.instanceImpairedSince === undefined)
    return `the status check of its instance ${id} does not fail`;
  return undefined;
}

function perform(cloud: SimulatedCloud, act: NodeAct, id: string): boolean {
  switch (act) {
    case 'interrupt':
      return cloud.interrupt(id);
    case 'rebalance':
      return cloud.rebalance(id);
    case 'maintenance':
      return cloud.maintenance(id);
    case 'impair':
      return cloud.impair(id, 'instance');
    case 'recover':
      return cloud.impair(id, 'instance', false);
    case 'terminate':
      return cloud.terminate(id);
  }
}

function refused(act: NodeAct, name: string, why: string): CodedError {
  return new CodedError('act-refused', `cannot ${act} ${name}: ${why}`);
}
