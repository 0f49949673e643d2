import { type AmiFamilyName, amiFamilies } from '../../ami-family/index.ts';
import { formatToml, type TomlTable, type TomlValue } from '../../toml/index.ts';
import type { FindingList } from '../finding.ts';
import type { SourceGroup } from '../source/source-group.ts';
import { efaInterfaces } from './efa-interfaces.ts';
import type { EksctlFields } from './fields.ts';
import { isTable, type Table } from './fields.ts';
import { kubeletOf } from './kubelet-config.ts';

type NodeClassFields = SourceGroup['nodeClass'];
type BlockDeviceMapping = NonNullable<NodeClassFields['blockDeviceMappings']>[number];

/** The fields of an eksctl group that an EC2NodeClass has too. */
export function groupNodeClass(
  fields: EksctlFields,
  family: AmiFamilyName,
  findings: FindingList,
): NodeClassFields {
  const userData = userDataOf(fields, family, findings);
  const kubelet = kubeletOf(fields, findings);
  const blockDeviceMappings = volumesOf(fields, family);
  const reservation = fields.child('capacityReservation').child('capacityReservationTarget');
  const reservationId = reservation.text('capacityReservationID');
  const placementGroup = fields.child('placement').text('groupName');
  const networkInterfaces = fields.flag('efaEnabled') === true ? efaInterfaces(fields) : undefined;
  return {
    ...(userData !== undefined && { userData }),
    ...(kubelet !== undefined && { kubelet }),
    ...(blockDeviceMappings.length > 0 && { blockDeviceMappings }),
    ...metadataOf(fields),
    ...(fields.flag('enableDetailedMonitoring') === true && { detailedMonitoring: true }),
    ...(fields.flag('privateNetworking') === true && { associatePublicIPAddress: false }),
    ...(reservationId !== undefined && { capacityReservationSelectorTerms: [{ id: reservationId }] }),
    ...(placementGroup !== undefined && { placementGroupSelector: { name: placementGroup } }),
    ...(networkInterfaces !== undefined && { networkInterfaces }),
  };
}

/** eksctl requires tokens unless IMDSv1 is enabled, and allows two hops unless IMDS is disabled for pods. */
function metadataOf(fields: EksctlFields): Pick<NodeClassFields, 'metadataOptions'> {
  const isV1Disabled = fields.flag('disableIMDSv1');
  const isPodAccessDisabled = fields.flag('disablePodIMDS');
  if (isV1Disabled === undefined && isPodAccessDisabled === undefined) return {};
  return {
    metadataOptions: {
      httpEndpoint: 'enabled',
      httpProtocolIPv6: 'disabled',
      httpPutResponseHopLimit: isPodAccessDisabled === true ? 1 : 2,
      httpTokens: isV1Disabled === false ? 'optional' : 'required',
    },
  };
}

function volumesOf(fields: EksctlFields, family: AmiFamilyName): readonly BlockDeviceMapping[] {
  const device = fields.text('volumeName') ?? amiFamilies[family].dataVolume?.deviceName ?? '/dev/xvda';
  const size = fields.count('volumeSize');
  const isChanged = fields.names.some((name) => name.startsWith('volume'));
  const root = isChanged ? [volume(fields, device, size ?? 80)] : [];
  const more = fields
    .children('additionalVolumes')
    .flatMap((each) => volume(each, each.text('volumeName') ?? '', each.count('volumeSize')));
  return [...root, ...more];
}

/** 80 GiB is the default size of eksctl. */
function volume(fields: EksctlFields, deviceName: string, size = 80): BlockDeviceMapping {
  const type = volumeTypes.find((each) => each === fields.text('volumeType'));
  const [iops, throughput] = [fields.count('volumeIOPS'), fields.count('volumeThroughput')];
  const [encrypted, kmsKeyID] = [fields.flag('volumeEncrypted'), fields.text('volumeKmsKeyID')];
  const snapshotID = fields.text('snapshotID');
  return {
    deviceName,
    ebs: {
      volumeSize: `${size}Gi`,
      volumeType: type ?? 'gp3',
      deleteOnTermination: true,
      ...(iops !== undefined && { iops }),
      ...(throughput !== undefined && { throughput }),
      ...(encrypted !== undefined && { encrypted }),
      ...(kmsKeyID !== undefined && { kmsKeyID }),
      ...(snapshotID !== undefined && { snapshotID }),
    },
  };
}

const volumeTypes = ['standard', 'io1', 'io2', 'gp2', 'sc1', 'st1', 'gp3'] as const;

/** Bootstrap commands become a script; Bottlerocket settings become TOML. */
function userDataOf(fields: EksctlFields, family: AmiFamilyName, findings: FindingList): string | undefined {
  const commands = fields.texts('preBootstrapCommands');
  const settings = fields.child('bottlerocket').value('settings');
  if (family === 'Bottlerocket') {
    if (commands.length > 0)
      findings.unmapped('preBootstrapCommands', 'Bottlerocket runs no commands: use bootstrap containers');
    return isTable(settings) ? formatToml(tomlTable({ settings })) : undefined;
  }
  if (commands.length === 0) return undefined;
  return family.startsWith('Windows')
    ? `<powershell>\n${commands.join('\n')}\n</powershell>\n`
    : `#!/bin/bash\nset -o errexit\n${commands.join('\n')}\n`;
}

function tomlTable(table: Table): TomlTable {
  const entries = Object.entries(table).flatMap(([key, value]) => {
    const written = tomlValue(value);
    return written === undefined ? [] : [[key, written] as const];
  });
  return new Map(entries);
}

function tomlValue(value: unknown): TomlValue | undefined {
  if (isTable(value)) return tomlTable(value);
  if (Array.isArray(value)) return value.flatMap((item) => tomlValue(item) ?? []);
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  return typeof value === 'string' || typeof value === 'boolean' ? value : undefined;
}
