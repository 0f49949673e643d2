import { isIPv4 } from 'node:net';
import type { LaunchTemplateInstanceNetworkInterfaceSpecificationRequest } from '@aws-sdk/client-ec2';
import { withoutUndefined } from './block-devices.ts';
import type { TemplateOptions } from './template-options.ts';

type InterfaceRequest = LaunchTemplateInstanceNetworkInterfaceSpecificationRequest;

/** Where an interface sits and what it is; the plain one leaves card and type to EC2. */
interface Slot {
  readonly card?: number;
  readonly device: number;
  readonly type?: 'interface' | 'efa-only' | 'efa';
}

/** Security groups belong to interfaces, so there is always at least one. */
export function networkInterfaceRequests(options: TemplateOptions): InterfaceRequest[] {
  return slotsOf(options).map((slot) => interfaceRequest(slot, options));
}

/** What the class says wins over a pod's wish for EFA, which takes one interface of each card. */
function slotsOf({ networkInterfaces = [], efaCount }: TemplateOptions): readonly Slot[] {
  if (networkInterfaces.length > 0) {
    return networkInterfaces.map(({ networkCardIndex, deviceIndex, interfaceType }) => ({
      card: networkCardIndex,
      device: deviceIndex,
      type: interfaceType,
    }));
  }
  if (efaCount === 0) return [{ device: 0 }];
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

/** An interface for EFA traffic only has no addresses and so none of this. */
function addressing(options: TemplateOptions): InterfaceRequest {
  return {
    AssociatePublicIpAddress: options.associatePublicIp,
    ConnectionTrackingSpecification: connectionTracking(options),
    ...(isIpv6(options)
      ? { PrimaryIpv6: true, Ipv6AddressCount: 1, Ipv6PrefixCount: options.ipPrefixCount }
      : { Ipv4PrefixCount: options.ipPrefixCount }),
  };
}

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
