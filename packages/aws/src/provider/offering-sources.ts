import { InstanceTypeProvider } from '../instance-type-provider/index.ts';
import { DiscoveredMemory } from '../instance-types/index.ts';
import {
  type MarketSources,
  PreviewPrices,
  ReservationCounts,
  UnavailableOfferings,
} from '../offerings/index.ts';
import { PricingProvider } from '../pricing/index.ts';
import { ZonalShifts } from '../zonal-shift/index.ts';
import type { AwsProvider, AwsProviderOptions } from './aws-provider.ts';

type OfferingSources = Pick<
  AwsProvider,
  | 'pricing'
  | 'unavailableOfferings'
  | 'reservationCounts'
  | 'zonalShifts'
  | 'discoveredMemory'
  | 'instanceTypes'
>;

/** Builds the instance types and the sources of their offerings: prices, zones and capacity. */
export function offeringSources(options: AwsProviderOptions): OfferingSources {
  const { services, region, settings, clock, log, meters } = options;
  const { clusterName, isolatedVpc, enableZonalShift, vmMemoryOverheadPercent, reservedEnis } = settings;
  const now = () => clock.now();
  const pricing = new PricingProvider({ services, region, isolatedVpc, now, log });
  const unavailableOfferings = new UnavailableOfferings({ now, log });
  const reservationCounts = new ReservationCounts(now);
  const zonalShifts = new ZonalShifts({ services, clusterName, isEnabled: enableZonalShift, clock });
  const discoveredMemory = new DiscoveredMemory(now, log);
  const sources: MarketSources = {
    prices: pricing,
    unavailable: unavailableOfferings,
    reservations: reservationCounts,
    shifted: zonalShifts,
    ...previews(options, now),
  };
  const instanceTypes = new InstanceTypeProvider({
    ec2: services.ec2,
    region,
    settings: { vmMemoryOverheadPercent, reservedEnis },
    sources,
    memory: discoveredMemory,
    now,
    log,
    gauges: meters,
  });
  return { pricing, unavailableOfferings, reservationCounts, zonalShifts, discoveredMemory, instanceTypes };
}

function previews(
  { settings, nodeOverlays }: AwsProviderOptions,
  now: () => number,
): Pick<MarketSources, 'previews'> {
  if (!settings.featureGates.NodeOverlay || nodeOverlays === undefined) return {};
  return { previews: new PreviewPrices(nodeOverlays, now) };
}
