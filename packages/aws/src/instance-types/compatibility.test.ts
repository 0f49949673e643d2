import { instanceType } from '@karpenter/ec2-catalogue';
import { describe, expect, it } from 'vitest';
import { amiFamilies } from '../ami-family/index.ts';
import type { NetworkInterface } from '../node-class/index.ts';
import { type ClassDemands, isCompatible } from './compatibility.ts';

const check = (name: string, demands: Partial<ClassDemands>) =>
  isCompatible(instanceType(name) ?? { InstanceType: name }, { family: amiFamilies.AL2023, ...demands });

const nic = (
  networkCardIndex: number,
  deviceIndex: number,
  interfaceType: NetworkInterface['interfaceType'] = 'interface',
) => ({ networkCardIndex, deviceIndex, interfaceType });

describe('isCompatible', () => {
  it.each<[string, boolean, string, Partial<ClassDemands>]>([
    ['accepts any type without special settings', true, 'm5.large', {}],
    ['rejects a1 types on Amazon Linux 2023', false, 'a1.large', {}],
    ['accepts a1 types on Bottlerocket', true, 'a1.large', { family: amiFamilies.Bottlerocket }],
    ['rejects arm64 types on Windows', false, 'm6g.large', { family: amiFamilies.Windows2022 }],
    ['accepts amd64 types on Windows', true, 'm5.large', { family: amiFamilies.Windows2022 }],
    ['accepts interfaces that the type has', true, 'm5.large', { networkInterfaces: [nic(0, 0), nic(0, 2)] }],
    ['accepts an empty list of interfaces', true, 'm5.large', { networkInterfaces: [] }],
    ['rejects a missing network card', false, 'm5.large', { networkInterfaces: [nic(0, 0), nic(1, 1)] }],
    ['rejects a missing device index', false, 'm5.large', { networkInterfaces: [nic(0, 3)] }],
    [
      'accepts as many EFA interfaces as the type has',
      true,
      'm5n.24xlarge',
      { networkInterfaces: [nic(0, 1, 'efa-only')] },
    ],
    ['rejects too many EFA interfaces', false, 'm5.large', { networkInterfaces: [nic(0, 1, 'efa-only')] }],
    ['rejects interfaces on a type without network card data', false, 'z9.large', { networkInterfaces: [] }],
    [
      'accepts nested virtualization if the processor supports it',
      true,
      'm8i.large',
      { cpuOptions: { nestedVirtualization: 'enabled' } },
    ],
    [
      'rejects nested virtualization otherwise',
      false,
      'm5.large',
      { cpuOptions: { nestedVirtualization: 'enabled' } },
    ],
    [
      'accepts disabled nested virtualization on any type',
      true,
      'm5.large',
      { cpuOptions: { nestedVirtualization: 'disabled' } },
    ],
    ['accepts a supported placement strategy', true, 'm5.large', { placementStrategy: 'cluster' }],
    ['rejects an unsupported placement strategy', false, 't3.large', { placementStrategy: 'cluster' }],
    ['accepts connection tracking on Nitro', true, 'm5.large', { connectionTracking: { udpTimeout: 30 } }],
    [
      'rejects connection tracking on bare metal',
      false,
      'm5.metal',
      { connectionTracking: { udpTimeout: 30 } },
    ],
    ['rejects connection tracking on Xen', false, 'i3.large', { connectionTracking: { udpTimeout: 30 } }],
  ])('%s: %s', (_, fits, name, demands) => {
    expect(check(name, demands)).toBe(fits);
  });

  it('requires ENA support for configured network interfaces', () => {
    const type = {
      InstanceType: 'm4.large',
      NetworkInfo: { NetworkCards: [{ MaximumNetworkInterfaces: 2 }] },
    };
    const demands = { family: amiFamilies.AL2023, networkInterfaces: [nic(0, 0)] };
    const withEna = (EnaSupport: string) =>
      isCompatible({ ...type, NetworkInfo: { ...type.NetworkInfo, EnaSupport } }, demands);
    expect([withEna('unsupported'), withEna('supported'), withEna('required')]).toEqual([false, true, true]);
  });
});
