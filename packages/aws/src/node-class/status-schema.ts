import {
  array,
  boolean,
  conditions,
  dateTime,
  defaulted,
  enumeration,
  type Infer,
  object,
  required,
  string,
  stringItem,
} from '@karpenter/core/schema';

const subnet = object('A subnet that instances may be launched in.', {
  id: required(string('Its id.')),
  zone: required(string('The name of its availability zone.')),
  zoneID: string('The id of its availability zone, the same in all accounts.'),
});

const securityGroup = object('A security group that instances get.', {
  id: required(string('Its id.')),
  name: string('Its name.'),
});

const imageRequirement = object('A condition on one label of instance types.', {
  key: required(string('The label.')),
  operator: required(string('How the label relates to the values.')),
  values: array('The values to compare with.', stringItem(), { listType: 'atomic' }),
});

const ami = object('An image that instances may be started from.', {
  id: required(string('Its id.')),
  name: string('Its name.'),
  deprecated: boolean('Whether its owner has marked it as deprecated.'),
  requirements: required(array('Which instance types it is for.', imageRequirement)),
});

const capacityReservation = object('A capacity reservation that may be used.', {
  id: required(string('Its id.', { pattern: '^cr-[0-9a-z]+$' })),
  availabilityZone: required(string('The availability zone it is in.')),
  instanceType: required(string('The instance type it is for.')),
  instanceMatchCriteria: required(
    enumeration('Whether it takes any matching instance or only those that name it.', ['open', 'targeted']),
  ),
  ownerID: required(string('The account that owns it.', { pattern: '^[0-9]{12}$' })),
  endTime: dateTime('When it ends; unset means that it goes on until it is cancelled.'),
  interruptible: boolean('Whether its owner may take instances back.'),
  reservationType: defaulted(
    enumeration('An ordinary reservation or a capacity block.', ['default', 'capacity-block']),
    'default',
  ),
  state: defaulted(enumeration('Whether it is about to end.', ['active', 'expiring']), 'active'),
});

export const status = object('What the selectors found, and whether it can be used.', {
  subnets: array('Subnets, the one with the most free addresses first.', subnet),
  securityGroups: array('Security groups, by id.', securityGroup),
  amis: array('Images, the newest first.', ami),
  capacityReservations: array('Capacity reservations, by id.', capacityReservation),
  instanceProfile: string('The instance profile in use.'),
  conditions,
});

export type SubnetStatus = Infer<typeof subnet>;
export type SecurityGroupStatus = Infer<typeof securityGroup>;
export type AmiStatus = Infer<typeof ami>;
export type CapacityReservationStatus = Infer<typeof capacityReservation>;
