import type { InstanceType, Offering } from '@karpenter/core/ports';
import type { QuantityTexts } from '@karpenter/core/values';

export interface SoldOffering {
  readonly zone?: string;
  readonly as?: 'spot' | 'on-demand' | 'reserved';
  readonly price?: number;
  readonly available?: boolean;
  readonly capacity?: QuantityTexts;
  readonly reservation?: {
    readonly id: string;
    readonly free: number;
    readonly type?: 'default' | 'capacity-block';
    readonly interruptible?: boolean;
  };
}

export interface SoldTypeOptions {
  readonly architecture?: 'amd64' | 'arm64';
  readonly capacity?: QuantityTexts;
  readonly offerings?: readonly SoldOffering[];
}

/** An instance type for tests. Defaults to `m5.large` with 2 CPUs, on demand in one zone. */
export function soldType(name: string, options: SoldTypeOptions = {}): InstanceType {
  const { architecture = 'amd64', capacity = {}, offerings = [{}] } = options;
  const [family = '', size = ''] = name.split('.');
  return {
    name,
    requirements: [
      is('node.kubernetes.io/instance-type', name),
      is('kubernetes.io/arch', architecture),
      is('kubernetes.io/os', 'linux'),
      is('karpenter.k8s.aws/instance-family', family),
      is('karpenter.k8s.aws/instance-size', size),
      { key: 'karpenter.k8s.aws/instance-tenancy', operator: 'In', values: ['default', 'dedicated'] },
    ],
    capacity: { cpu: '2', memory: '8Gi', pods: '29', ...capacity },
    overhead: { kubeReserved: { cpu: '70m' } },
    offerings: offerings.map(offeringOf),
  };
}

function offeringOf({ zone = 'zone-a', as = 'on-demand', price = 1, ...rest }: SoldOffering): Offering {
  const { available = true, reservation, capacity } = rest;
  return {
    requirements: [
      is('topology.kubernetes.io/zone', zone),
      is('karpenter.sh/capacity-type', as),
      ...(reservation === undefined
        ? []
        : [
            is('karpenter.k8s.aws/capacity-reservation-id', reservation.id),
            is('karpenter.k8s.aws/capacity-reservation-type', reservation.type ?? 'default'),
            is(
              'karpenter.k8s.aws/capacity-reservation-interruptible',
              String(reservation.interruptible ?? false),
            ),
          ]),
    ],
    price,
    available,
    ...(reservation !== undefined && { reservationCapacity: reservation.free }),
    ...(capacity !== undefined && { capacity }),
  };
}

function is(key: string, value: string) {
  return { key, operator: 'In', values: [value] };
}
