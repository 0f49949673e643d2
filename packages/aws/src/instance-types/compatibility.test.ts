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
    ['of no special wishes', true, 'm5.large', {}],
    ['of Amazon Linux 2023 unless it is the first Graviton', false, 'a1.large', {}],
    [
      'of Bottlerocket though it is the first Graviton',
      true,
      'a1.large',
      { family: amiFamilies.Bottlerocket },
    ],
    ['with interfaces that it has', true, 'm5.large', { networkInterfaces: [nic(0, 0), nic(0, 2)] }],
    ['with an empty list of interfaces', true, 'm5.large', { networkInterfaces: [] }],
    ['but not with a card too many', false, 'm5.large', { networkInterfaces: [nic(0, 0), nic(1, 1)] }],
    ['but not with an interface too many', false, 'm5.large', { networkInterfaces: [nic(0, 3)] }],
    [
      'with as many EFA interfaces as it has',
      true,
      'm5n.24xlarge',
      { networkInterfaces: [nic(0, 1, 'efa-only')] },
    ],
    ['but not with more', false, 'm5.large', { networkInterfaces: [nic(0, 1, 'efa-only')] }],
    [
      'but not with interfaces if nothing is known of its cards',
      false,
      'z9.large',
      { networkInterfaces: [] },
    ],
    [
      'with nested machines if its processor can',
      true,
      'm8i.large',
      { cpuOptions: { nestedVirtualization: 'enabled' } },
    ],
    ['but not if it cannot', false, 'm5.large', { cpuOptions: { nestedVirtualization: 'enabled' } }],
    ['that forbids nested machines', true, 'm5.large', { cpuOptions: { nestedVirtualization: 'disabled' } }],
    ['in a group of a strategy that it supports', true, 'm5.large', { placementStrategy: 'cluster' }],
    ['but not of another', false, 't3.large', { placementStrategy: 'cluster' }],
    ['with connection tracking on Nitro', true, 'm5.large', { connectionTracking: { udpTimeout: 30 } }],
    ['but not on bare metal', false, 'm5.metal', { connectionTracking: { udpTimeout: 30 } }],
    ['but not on Xen', false, 'i3.large', { connectionTracking: { udpTimeout: 30 } }],
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
