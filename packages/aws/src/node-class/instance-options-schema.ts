import { array, defaulted, enumeration, type Infer, integer, object, required } from '@karpenter/core/schema';

// Descriptions in these schemas are part of the published CRD.
const networkInterface = object('A network interface of the instance.', {
  networkCardIndex: required(integer('The network card it is on.', { format: 'int32', minimum: 0 })),
  deviceIndex: required(integer('Its place on that card.', { format: 'int32', minimum: 0 })),
  interfaceType: required(
    enumeration('An ordinary interface, or one for EFA traffic only.', ['interface', 'efa-only']),
  ),
});

export const networkInterfaces = array(
  'The network interfaces that instances are launched with. Unset means one; an explicit empty list also means that no EFA interface is added.',
  networkInterface,
  {
    maxItems: 150,
    rules: [
      {
        rule: `self.size() == 0 || self.exists(nic, nic.networkCardIndex == 0 && nic.deviceIndex == 0 && nic.interfaceType == 'interface')`,
        message: `networkInterfaces must include a primary interface with interfaceType='interface'`,
      },
      {
        rule: `self.all(nic, self.exists_one(other, other.networkCardIndex == nic.networkCardIndex && other.deviceIndex == nic.deviceIndex) && (nic.interfaceType != 'efa-only' || self.exists_one(other, other.networkCardIndex == nic.networkCardIndex && other.interfaceType == 'efa-only')))`,
        message:
          'networkInterfaces must not have duplicate networkCardIndex and deviceIndex pairs, and can have at most one efa device per network card',
      },
    ],
  },
);

const enabledOrDisabled = ['enabled', 'disabled'] as const;

export const metadataOptions = object('How the instance metadata service answers.', {
  httpEndpoint: defaulted(enumeration('Whether it answers at all.', enabledOrDisabled), 'enabled'),
  httpProtocolIPv6: defaulted(
    enumeration('Whether it also answers over IPv6.', enabledOrDisabled),
    'disabled',
  ),
  httpPutResponseHopLimit: defaulted(
    integer(
      'How many network hops an answer may take: 1 keeps it from containers that have their own network.',
      {
        format: 'int64',
        minimum: 1,
        maximum: 64,
      },
    ),
    1,
  ),
  httpTokens: defaulted(
    enumeration('Whether callers must use session tokens (IMDSv2).', ['required', 'optional']),
    'required',
  ),
});

export const connectionTracking = object(
  'How long idle connections are remembered by security groups, in seconds.',
  {
    tcpEstablishedTimeout: integer('For established TCP connections.', {
      format: 'int32',
      minimum: 60,
      maximum: 432000,
    }),
    udpStreamTimeout: integer('For UDP flows with traffic in both directions.', {
      format: 'int32',
      minimum: 60,
      maximum: 180,
    }),
    udpTimeout: integer('For UDP flows with traffic in one direction.', {
      format: 'int32',
      minimum: 30,
      maximum: 60,
    }),
  },
  {
    rules: [
      {
        rule: 'has(self.tcpEstablishedTimeout) || has(self.udpStreamTimeout) || has(self.udpTimeout)',
        message: 'at least one of tcpEstablishedTimeout, udpStreamTimeout, or udpTimeout must be set',
      },
    ],
  },
);

export const cpuOptions = object('Features of the processor.', {
  nestedVirtualization: enumeration(
    'Whether virtual machines can be run inside the instance.',
    enabledOrDisabled,
  ),
});

export type NetworkInterface = Infer<typeof networkInterface>;
export type MetadataOptions = Infer<typeof metadataOptions>;
export type ConnectionTracking = Infer<typeof connectionTracking>;
export type CpuOptions = Infer<typeof cpuOptions>;
