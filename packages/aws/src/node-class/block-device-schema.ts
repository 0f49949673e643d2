import { array, boolean, enumeration, type Infer, integer, object, string } from '@karpenter/core/schema';

/**
 * Karpenter's pattern, errors included (it rejects `18Ti` and
 * accepts a bare `Ti`), because stored objects passed it.
 */
const volumeSizePattern =
  '^((?:[1-9][0-9]{0,3}|[1-4][0-9]{4}|[5][0-8][0-9]{3}|59000)Gi|(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|[6][0-3][0-9]{3}|64000)G|([1-9]||[1-5][0-7]|58)Ti|([1-9]||[1-5][0-9]|6[0-3]|64)T)$';

const ebs = object(
  'An EBS volume.',
  {
    deleteOnTermination: boolean('Whether the volume goes with the instance.'),
    encrypted: boolean('Whether the volume is encrypted.'),
    iops: integer('Input and output operations per second, for volume types that let one choose.', {
      format: 'int64',
    }),
    kmsKeyID: string('The KMS key to encrypt with: its id, alias or ARN.'),
    snapshotID: string('The snapshot to start from.'),
    throughput: integer('Throughput in MiB/s, for `gp3`.', { format: 'int64' }),
    volumeInitializationRate: integer('The rate in MiB/s at which blocks are fetched from the snapshot.', {
      format: 'int32',
      minimum: 100,
      maximum: 300,
    }),
    volumeSize: string('The size, such as `20Gi` or `1T`; at least that of the snapshot.', {
      pattern: volumeSizePattern,
    }),
    volumeType: enumeration('The type of the volume.', [
      'standard',
      'io1',
      'io2',
      'gp2',
      'sc1',
      'st1',
      'gp3',
    ]),
  },
  {
    rules: [
      {
        rule: 'has(self.snapshotID) || has(self.volumeSize)',
        message: 'snapshotID or volumeSize must be defined',
      },
      {
        rule: `!has(self.volumeInitializationRate) || (has(self.snapshotID) && self.snapshotID != '')`,
        message: 'snapshotID must be set when volumeInitializationRate is set',
      },
    ],
  },
);

const blockDeviceMapping = object('A disk of the instance.', {
  deviceName: string('The device name, such as `/dev/xvda`.'),
  rootVolume: boolean(
    'Whether this is the volume that holds images and containers; ephemeral storage is its size.',
  ),
  ebs,
});

export const blockDeviceMappings = array(
  'The disks that instances get, instead of those their image family usually has.',
  blockDeviceMapping,
  {
    maxItems: 50,
    rules: [
      {
        rule: 'self.filter(mapping, has(mapping.rootVolume) && mapping.rootVolume).size() <= 1',
        message: 'must have only one blockDeviceMappings with rootVolume',
      },
    ],
  },
);

export type BlockDevice = Infer<typeof ebs>;
export type BlockDeviceMapping = Infer<typeof blockDeviceMapping>;
