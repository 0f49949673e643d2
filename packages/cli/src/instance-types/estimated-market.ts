import type { Market } from '@karpenter/aws';
import { onDemandPrice } from '@karpenter/ec2-catalogue';

/**
 * Spot prices move and differ by zone; over time most types cost about a third of their on-demand price. Without a
 * cloud to ask there is nothing better to go by.
 */
const spotShare = 0.35;

function estimatedSpotPrice(instanceType: string): number | undefined {
  const price = onDemandPrice(instanceType);
  return price === undefined ? undefined : Math.round(price * spotShare * 1e6) / 1e6;
}

/** A market where everything with a price can be had, as if nobody had used any yet. */
export const estimatedMarket: Market = {
  onDemandPrice,
  spotPrice: estimatedSpotPrice,
  isUnavailable: () => false,
  isDoubted: () => false,
  isExhausted: () => false,
  isShifted: () => false,
  freeInReservation: () => 0,
};
