import { isIPv4 } from 'node:net';
import type { LaunchTemplateInstanceNetworkInterfaceSpecificationRequest } from '@aws-sdk/client-ec2';
import { withoutUndefined } from './block-devices.ts';
import type { TemplateOptions } from './template-options.ts';

type InterfaceRequest = LaunchTemplateInstanceNetworkInterfaceSpecificationRequest;

/** Position and type of an interface. Without card and type EC2 chooses them. */
interface Slot {
  readonly card?: number;
  readonly device: number;
  readonly type?: 'interface' | 'efa-only' | 'efa';
}

/**
 * Builds the interfaces of a template. There is always one, because security groups are set on interfaces.
 */
export function networkInterfaceRequests(options: TemplateOptions): InterfaceRequest[] {
  return slotsOf(options).map((slot) => interfaceRequest(slot, options));
}

/**
 * The interfaces of the class, else one EFA interface per
 * network card if pods request EFA, else one plain interface.
 */
function slotsOf({ networkInterfaces = [], efaCount }: TemplateOptions): readonly Slot[] {
  if (networkInterfaces.length > 0) {
    return networkInterfaces.map(({ networkCardIndex, deviceIndex, interfaceType }) => ({
      card: networkCardIndex,
      device: deviceIndex,
      type: interfaceType,
    }));
  }
  if (efaCount === 0) return [{ device: 0 }];
  // Device 0 of card 0 is the primary interface; other cards attach theirs as device 1, as in Karpenter.
  return Array.from({ length: efaCount }, (_, card) => ({ card, device: card === 0 ? 0 : 1, type: 'efa' }));
}

function interfaceRequest({ card, device, type }: Slot, options: TemplateOptions): InterfaceRequest {
  return withoutUndefined({
    NetworkCardIndex: card,
    DeviceIndex: device,
    InterfaceType: type,
    Groups: [...options.securityGroups],
    ...(type === 'efa-only' ? {} : addressing(options)),
  });
}

/** Address settings. An `efa-only` interface has no IP addresses, so none of them apply. */
function addressing(options: TemplateOptions): InterfaceRequest {
  return {
    AssociatePublicIpAddress: options.associatePublicIp,
    ConnectionTrackingSpecification: connectionTracking(options),
    ...(isIpv6(options)
      ? { PrimaryIpv6: true, Ipv6AddressCount: 1, Ipv6PrefixCount: options.ipPrefixCount }
      : { Ipv4PrefixCount: options.ipPrefixCount }),
  };
}

/** A cluster uses IPv6 if its DNS service has an IPv6 address, as in Karpenter. */
export function isIpv6({ dnsIp }: Pick<TemplateOptions, 'dnsIp'>): boolean {
  return dnsIp !== undefined && !isIPv4(dnsIp);
}

function connectionTracking({
  connectionTracking: tracking = {},
}: TemplateOptions): InterfaceRequest['ConnectionTrackingSpecification'] {
  const request = withoutUndefined({
    TcpEstablishedTimeout: tracking.tcpEstablishedTimeout,
    UdpStreamTimeout: tracking.udpStreamTimeout,
    UdpTimeout: tracking.udpTimeout,
  });
  return Object.keys(request).length === 0 ? undefined : request;
}
