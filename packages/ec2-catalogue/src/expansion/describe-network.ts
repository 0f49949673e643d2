import * as traits from '../facts/traits.ts';
import type { NetworkInfo } from '../instance-type-info.ts';
import { isAmong } from '../notation/family-table.ts';
import { isOnXen } from './hypervisor.ts';
import type { Shape } from './shape.ts';

export function describeNetwork(shape: Shape): NetworkInfo {
  const { perCard, addresses } = shape.interfaces;
  return {
    MaximumNetworkInterfaces: perCard.reduce((sum, interfaces) => sum + interfaces, 0),
    MaximumNetworkCards: perCard.length,
    DefaultNetworkCardIndex: 0,
    NetworkCards: perCard.map((interfaces, index) => ({
      NetworkCardIndex: index,
      MaximumNetworkInterfaces: interfaces,
    })),
    Ipv4AddressesPerInterface: addresses,
    EnaSupport: enaSupport(shape),
    EncryptionInTransitSupported: !isAmong(traits.withoutEncryptionInTransit, shape.family),
    EfaSupported: shape.efaInterfaces > 0,
    ...(shape.efaInterfaces > 0 ? { EfaInfo: { MaximumEfaInterfaces: shape.efaInterfaces } } : {}),
  };
}

function enaSupport(shape: Shape): NetworkInfo['EnaSupport'] {
  if (!isOnXen(shape)) return 'required';
  const isMissing = traits.withoutEna.has(shape.family) && !traits.withEnaAfterAll.has(shape.name);
  return isMissing ? 'unsupported' : 'supported';
}
