import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type HostPort, hostPorts, hostPortsConflict } from './host-ports.ts';

const port = (ip: string, number = 80, protocol = 'TCP'): HostPort => ({ ip, port: number, protocol });

describe('hostPorts', () => {
  it('lists the host ports of the containers, with defaults', () => {
    const containers = [
      { ports: [{ containerPort: 8080, hostPort: 80 }, { containerPort: 9090 }] },
      { ports: [{ containerPort: 53, hostPort: 53, hostIP: '10.0.0.1', protocol: 'UDP' }] },
      {},
    ];
    expect(hostPorts({ spec: { containers } })).toEqual([port('0.0.0.0'), port('10.0.0.1', 53, 'UDP')]);
  });

  it('leaves out init containers', () => {
    const initContainers = [{ ports: [{ containerPort: 80, hostPort: 80 }] }];
    expect(hostPorts({ spec: { containers: [], initContainers } })).toEqual([]);
    expect(hostPorts({})).toEqual([]);
  });

  it('includes every container port with hostNetwork', () => {
    const containers = [{ ports: [{ containerPort: 80 }] }];
    expect(hostPorts({ spec: { containers, hostNetwork: true } })).toEqual([port('0.0.0.0')]);
  });
});

describe('hostPortsConflict', () => {
  it.each([
    [port('0.0.0.0'), port('10.0.0.1'), true],
    [port('::'), port('10.0.0.1'), true],
    [port('10.0.0.1'), port('10.0.0.1'), true],
    [port('10.0.0.1'), port('10.0.0.2'), false],
    [port('0.0.0.0'), port('0.0.0.0', 81), false],
    [port('0.0.0.0'), port('0.0.0.0', 80, 'UDP'), false],
  ])('between %j and %j is %s', (a, b, isConflict) => {
    expect(hostPortsConflict(a, b)).toBe(isConflict);
  });

  it('does not depend on the order', () => {
    const anyPort = fc.record<HostPort>({
      ip: fc.constantFrom('0.0.0.0', '::', '10.0.0.1', '10.0.0.2'),
      port: fc.integer({ min: 80, max: 81 }),
      protocol: fc.constantFrom('TCP', 'UDP'),
    });
    fc.assert(
      fc.property(anyPort, anyPort, (a, b) => {
        expect(hostPortsConflict(a, b)).toBe(hostPortsConflict(b, a));
        expect(hostPortsConflict(a, a)).toBe(true);
      }),
    );
  });
});
