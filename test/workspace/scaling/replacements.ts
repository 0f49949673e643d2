import { onDemandPrice } from '@karpenter/ec2-catalogue';
import type { LogLine } from '../../walkthroughs/world.ts';

/** A command of consolidation that replaced nodes, as the log shows it. */
export interface Replacement {
  /** Names of NodeClaims. */
  readonly replaced: readonly string[];
  /** Dollars per hour of the nodes that leave. */
  readonly price: number;
  /** Dollars per hour that the cheapest types of the new nodes cost less. */
  readonly savings: number;
  readonly pods: number;
}

interface LoggedNode {
  readonly NodeClaim: { readonly name: string };
  readonly 'instance-type': string;
}

interface LoggedReplacement {
  readonly 'instance-types': string;
}

export function replacementOf(line: LogLine): Replacement | undefined {
  if (line.message !== 'disrupting node(s)' || line['replacement-node-count'] === 0) return undefined;
  const leaving = line['disrupted-nodes'] as readonly LoggedNode[];
  const coming = line['replacement-nodes'] as readonly LoggedReplacement[];
  const price = sum(leaving.map((node) => priceOf(node['instance-type'])));
  const spent = sum(coming.map((node) => priceOf(node['instance-types'].split(/,| and /)[0] ?? '')));
  return {
    replaced: leaving.map(({ NodeClaim }) => NodeClaim.name),
    price,
    savings: price - spent,
    pods: Number(line['pod-count']),
  };
}

export function priceOf(instanceType: string): number {
  return onDemandPrice(instanceType.trim()) ?? Number.NaN;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
