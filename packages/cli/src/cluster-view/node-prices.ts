import { labelKeys } from '@karpenter/core/api';
import { type NodePrice, type PricedNode, type PriceOf, priceLabel } from '@karpenter/core/cluster-view';
import { cataloguePrice, currencyOf, spotShare } from '@karpenter/ec2-catalogue';
import { fargatePrice } from './fargate-price.ts';

/** Regions with the Fargate prices that we know. */
const fargateRegions: ReadonlySet<string> = new Set(['us-east-1', 'us-east-2', 'us-west-2']);

/** The fee of EKS Auto Mode, as a share of the on-demand price. AWS adds it for every capacity type. */
const autoModeFee = 0.12;

export const noPrice: PriceOf = () => undefined;

/**
 * Prices without AWS: the label of eks-node-viewer first, then the EC2 catalogue. A wrong price is worse than
 * none, so there is none for unknown types, Windows, capacity blocks and regions that bill in another currency.
 */
export const priceWithoutAws: PriceOf = (node) => {
  const listed = listedPrice(node);
  const labelled = labelledPrice(node);
  if (labelled === undefined) return listed;
  const onDemand = isOnDemand(node) ? labelled : listed?.onDemand;
  return { hourly: labelled, source: 'label', ...(onDemand !== undefined && { onDemand }) };
};

/** A label whose value is not a price counts as absent. */
function labelledPrice({ labels }: PricedNode): number | undefined {
  const text = labels[priceLabel];
  if (text === undefined || !/^\d+(\.\d+)?$/.test(text)) return undefined;
  return Number(text);
}

function listedPrice(node: PricedNode): NodePrice | undefined {
  const region = regionOf(node);
  if (node.labels[labelKeys.operatingSystem] === 'windows' || currencyOf(region ?? '') !== 'USD')
    return undefined;
  if (node.capacityType === 'fargate') {
    return withEstimate(fargatePrice(node.instanceType), !fargateRegions.has(region ?? ''));
  }
  const onDemand = cataloguePrice(node.instanceType ?? '', region ?? '');
  if (onDemand === undefined || isCapacityBlock(node)) return undefined;
  return withEstimate(instancePrice(node, onDemand.hourly), onDemand.origin === 'estimated');
}

function instancePrice({ capacityType, labels }: PricedNode, listed: number): NodePrice {
  const fee = labels['eks.amazonaws.com/compute-type'] === 'auto' ? listed * autoModeFee : 0;
  const isSpot = capacityType === 'spot';
  return {
    hourly: rounded((isSpot ? listed * spotShare : listed) + fee),
    onDemand: rounded(listed + fee),
    source: 'catalogue',
    ...((isSpot || fee > 0) && { isEstimated: true }),
  };
}

function withEstimate(price: NodePrice | undefined, isEstimated: boolean): NodePrice | undefined {
  return price === undefined || !isEstimated ? price : { ...price, isEstimated };
}

function isOnDemand({ capacityType }: PricedNode): boolean {
  return capacityType === undefined || capacityType === 'on-demand' || capacityType === 'reserved';
}

/** Capacity blocks are paid in advance, at a price that no list has. */
function isCapacityBlock({ capacityType, labels }: PricedNode): boolean {
  if (capacityType !== 'reserved') return false;
  return (
    labels['karpenter.k8s.aws/capacity-reservation-type'] === 'capacity-block' ||
    labels['eks.amazonaws.com/capacityType'] === 'CAPACITY_BLOCK'
  );
}

/** Names of ordinary zones are that of the region and a letter. */
function regionOf({ labels, zone }: PricedNode): string | undefined {
  return labels[labelKeys.region] ?? /^([a-z-]+-\d+)[a-z]$/.exec(zone ?? '')?.[1];
}

/** To a millionth of a dollar, as AWS lists spot prices. */
function rounded(dollars: number): number {
  return Math.round(dollars * 1e6) / 1e6;
}
