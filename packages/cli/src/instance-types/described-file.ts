import type { DescribedType } from '@karpenter/aws';
import { CodedError } from '@karpenter/core/errors';
import { isJsonArray, type Json, type JsonSchema, member } from '@karpenter/core/schema';
import type { InputFile } from '../simulate/index.ts';
import { count, flag, listOf, number, readShape, shape, text } from '../simulate/index.ts';

const memory = shape({ SizeInMiB: number });
const device = shape({ Name: text, Manufacturer: text, Count: count, MemoryInfo: memory });
const neuron = shape({ Name: text, Count: count, CoreInfo: shape({ Count: count }) });
const card = shape({ MaximumNetworkInterfaces: count, BaselineBandwidthInGbps: number });

/** The fields that we read from a record. EC2 returns many more, which pass unchecked. */
const described: JsonSchema = shape(
  {
    InstanceType: text,
    Hypervisor: text,
    SupportedUsageClasses: listOf(text),
    ProcessorInfo: shape({
      Manufacturer: text,
      SupportedArchitectures: listOf(text),
      SupportedFeatures: listOf(text),
      SustainedClockSpeedInGhz: number,
    }),
    VCpuInfo: shape({ DefaultVCpus: count }),
    MemoryInfo: memory,
    InstanceStorageInfo: shape({ TotalSizeInGB: number, NvmeSupport: text }),
    EbsInfo: shape({
      EbsOptimizedSupport: text,
      EbsOptimizedInfo: shape({ MaximumBandwidthInMbps: number }),
    }),
    NetworkInfo: shape({
      DefaultNetworkCardIndex: count,
      NetworkCards: listOf(card),
      MaximumNetworkInterfaces: count,
      Ipv4AddressesPerInterface: count,
      EnaSupport: text,
      EncryptionInTransitSupported: flag,
      EfaInfo: shape({ MaximumEfaInterfaces: count }),
    }),
    PlacementGroupInfo: shape({ SupportedStrategies: listOf(text) }),
    GpuInfo: shape({ Gpus: listOf(device) }),
    InferenceAcceleratorInfo: shape({ Accelerators: listOf(device) }),
    NeuronInfo: shape({ NeuronDevices: listOf(neuron) }),
  },
  ['InstanceType'],
);

/**
 * The instance types of a file: a response of DescribeInstanceTypes, a list of its records, or one record per line.
 * Throws a coded error that names the file, and the line where there is one.
 */
export function describedTypesOf(file: InputFile): readonly DescribedType[] {
  const records = wholeOf(file) ?? linesOf(file);
  if (records.length === 0) {
    throw new CodedError('empty-file', `${file.name} has no instance types in it`, {
      details: { file: file.name },
    });
  }
  return records.map((record, index) =>
    readShape<DescribedType>(described, record, {
      origin: { file: file.name, document: index + 1 },
      subject: 'instance type',
    }),
  );
}

function wholeOf({ text: written }: InputFile): readonly Json[] | undefined {
  try {
    return recordsOf(JSON.parse(written));
  } catch {
    return undefined;
  }
}

function linesOf({ name, text: written }: InputFile): readonly Json[] {
  return written.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      return recordsOf(JSON.parse(line));
    } catch (error) {
      throw new CodedError(
        'malformed-file',
        `${name}, line ${index + 1}: not valid JSON; give the output of aws ec2 describe-instance-types, a list of its records, or one record on each line`,
        { details: { file: name }, cause: error },
      );
    }
  });
}

function recordsOf(value: Json): readonly Json[] {
  if (isJsonArray(value)) return value.flatMap(recordsOf);
  const answered = member(value, 'InstanceTypes');
  return isJsonArray(answered) ? answered : [value];
}
