import type { NodeRow } from './node-row.ts';

/** What a node costs, in dollars per hour. */
export interface NodePrice {
  readonly hourly: number;
  /** The on-demand price of the same type; absent if nobody knows it. Savings are measured against it. */
  readonly onDemand?: number;
  /** A share or a price of another region stands in for the real one, which nobody here knows. */
  readonly isEstimated?: boolean;
  /** Where the price comes from: a label of the node, the controller's own offerings, or the EC2 catalogue. */
  readonly source: PriceSource;
}

type PriceSource = 'label' | 'offering' | 'catalogue';

/** The fields that decide a price. */
export type PricedNode = Pick<NodeRow, 'instanceType' | 'zone' | 'capacityType' | 'labels'>;

/** Undefined where no price is known: viewers show none rather than zero. */
export type PriceOf = (node: PricedNode) => NodePrice | undefined;

/** eks-node-viewer's label: a price that people set themselves overrides every other. */
export const priceLabel = 'eks-node-viewer/instance-price';
