import { getCondition, type NodePool } from '../api/index.ts';
import { type Amounts, readAmounts, sumAmounts } from './amounts.ts';
import type { NodeRow } from './node-row.ts';

export interface PoolRow {
  readonly name: string;
  readonly weight: number;
  readonly isReady: boolean;
  /** Why it is not. */
  readonly message?: string;
  readonly limits: Amounts;
  /** Capacity of its nodes, counted as limits count it, with their number as `nodes`. */
  readonly usage: Amounts;
  readonly nodes: number;
  /** Dollars per hour, of the nodes whose price is known. */
  readonly hourly: number;
  readonly pool: NodePool;
}

export function poolRow(pool: NodePool, nodes: readonly NodeRow[]): PoolRow {
  const ready = getCondition({ conditions: pool.status?.conditions ?? [] }, 'Ready');
  return {
    name: pool.metadata.name,
    weight: pool.spec.weight ?? 0,
    isReady: ready?.status === 'True',
    ...(ready !== undefined && ready.status !== 'True' && { message: ready.message }),
    limits: readAmounts(pool.spec.limits),
    usage: { ...sumAmounts(nodes.map(({ capacity }) => capacity)), nodes: nodes.length },
    nodes: nodes.length,
    hourly: nodes.reduce((sum, { price }) => sum + (price?.hourly ?? 0), 0),
    pool,
  };
}
