import { labelKeys } from '@karpenter/core/api';
import type { InstanceType } from '@karpenter/core/ports';
import { isZeroQuantity, parseResourceList, type ResourceList, resourceTexts } from '@karpenter/core/values';
import { allocatableOf } from '../instance-types/index.ts';
import { awsLabelKeys, awsResources, placementLabelKeys, tagKeys } from '../names/index.ts';
import { type Ec2Instance, isTerminating } from './instance.ts';
import { providerIdOf } from './provider-id.ts';

/** Fields of a NodeClaim that follow from its instance. */
export interface ClaimFields {
  readonly providerId: string;
  readonly imageId: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly capacity: Readonly<Record<string, string>>;
  readonly allocatable: Readonly<Record<string, string>>;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
  readonly isDeleting: boolean;
}

/** The part that all instances of a type share. Cached by type, because clusters have many instances of few types. */
interface TypeFields {
  readonly labels: Readonly<Record<string, string>>;
  readonly amounts: Amounts;
  /** For instances without EFA interfaces: Karpenter shows EFA capacity only where the instance has some. */
  readonly amountsWithoutEfa: Amounts;
}

type Amounts = Pick<ClaimFields, 'capacity' | 'allocatable'>;

const fieldsOfTypes = new WeakMap<InstanceType, TypeFields>();
const unknownType: TypeFields = {
  labels: {},
  amounts: { capacity: {}, allocatable: {} },
  amountsWithoutEfa: { capacity: {}, allocatable: {} },
};

/** Without a type the result has only the fields that EC2 reports. */
export function claimFieldsOf(instance: Ec2Instance, type?: InstanceType): ClaimFields {
  const { labels, amounts, amountsWithoutEfa } = type === undefined ? unknownType : typeFields(type);
  return {
    providerId: providerIdOf(instance),
    imageId: instance.imageId,
    labels: { ...labels, ...instanceLabels(instance), ...partitionLabel(instance, type) },
    ...(instance.efaCount > 0 ? amounts : amountsWithoutEfa),
    createdAt: instance.launchTime,
    isDeleting: isTerminating(instance),
  };
}

function typeFields(type: InstanceType): TypeFields {
  const known = fieldsOfTypes.get(type);
  if (known !== undefined) return known;
  const made = {
    labels: typeLabels(type),
    amounts: amountsOf(type, () => true),
    amountsWithoutEfa: amountsOf(type, (resource) => resource !== awsResources.efa),
  };
  fieldsOfTypes.set(type, made);
  return made;
}

/** Labels with a single value for the type. Placement labels come from the instance instead. */
function typeLabels({ requirements }: InstanceType): Record<string, string> {
  const placementKeys = new Set<string>(Object.values(placementLabelKeys));
  const single = requirements.flatMap(({ key, operator, values = [] }) => {
    const [only] = values;
    return operator === 'In' && values.length === 1 && only !== undefined && !placementKeys.has(key)
      ? [[key, only] as const]
      : [];
  });
  return Object.fromEntries(single);
}

function instanceLabels(instance: Ec2Instance): Record<string, string> {
  const { reservation, tags } = instance;
  const labels = {
    [labelKeys.instanceType]: instance.type,
    [labelKeys.zone]: instance.zone,
    [awsLabelKeys.zoneId]: instance.zoneId,
    [labelKeys.capacityType]: instance.capacityType,
    [awsLabelKeys.tenancy]: instance.tenancy,
    [awsLabelKeys.capacityReservationId]: reservation?.id,
    [awsLabelKeys.capacityReservationType]: reservation?.type,
    [awsLabelKeys.capacityReservationInterruptible]: reservation && String(reservation.interruptible),
    [awsLabelKeys.placementGroupId]: instance.placementGroupId,
    [labelKeys.nodePool]: tags[tagKeys.nodePool],
  };
  const set = Object.entries(labels).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]));
  return Object.fromEntries(set);
}

/** The value is empty until EC2 reports the partition; the registration hook then sets it. */
function partitionLabel(
  { placementGroupId, partition }: Ec2Instance,
  type: InstanceType | undefined,
): Record<string, string> {
  const key = awsLabelKeys.placementGroupPartition;
  const hasPartitions = type?.requirements.some((item) => item.key === key && item.operator === 'In');
  const isAwaited = placementGroupId !== undefined && hasPartitions === true;
  return partition !== undefined || isAwaited ? { [key]: partition ?? '' } : {};
}

function amountsOf(type: InstanceType, isIncluded: (resource: string) => boolean): Amounts {
  const texts = (list: ResourceList) =>
    resourceTexts(
      Object.fromEntries(
        Object.entries(list).filter(([name, amount]) => !isZeroQuantity(amount) && isIncluded(name)),
      ),
    );
  return { capacity: texts(parseResourceList(type.capacity)), allocatable: texts(allocatableOf(type)) };
}
