import type { OfferingMarket } from '@karpenter/aws';
import { estimatedSpotPrice, onDemandPrice } from '@karpenter/ec2-catalogue';

/** A market of a region in which every type with a price is available and no launch has failed yet. */
export function estimatedMarket(region: string): OfferingMarket {
  return {
    onDemandPrice: (type) => onDemandPrice(type, region),
    spotPrice: (type) => estimatedSpotPrice(type, region),
    isUnavailable: () => false,
    isSuspect: () => false,
    isExhausted: () => false,
    isShifted: () => false,
    freeInReservation: () => 0,
  };
}
