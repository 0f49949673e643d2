import { CodedError } from '@karpenter/core/errors';
import { parseYamlDocuments } from '@karpenter/kube/yaml';
import type { SourceGroup } from '../source/source-group.ts';
import { eksctlGroup } from './eksctl-group.ts';
import { isTable, type Table } from './fields.ts';

export interface EksctlFile {
  readonly clusterName: string;
  readonly groups: readonly SourceGroup[];
}

/** Reads an eksctl ClusterConfig. Throws a CodedError that names the file and the field. */
export function readEksctlFile(name: string, text: string): EksctlFile {
  const config = clusterConfig(name, text);
  const metadata = tableAt(config, 'metadata', name);
  const clusterName = metadata['name'];
  if (typeof clusterName !== 'string' || clusterName === '')
    throw invalid(name, 'metadata.name is missing; write the name of the cluster');
  const read = (field: string, isManaged: boolean) =>
    listAt(config, field, name).map((group, index) =>
      eksctlGroup(group, { isManaged, place: `${field}[${index}]`, file: name, clusterName }),
    );
  const groups = [...read('nodeGroups', false), ...read('managedNodeGroups', true)];
  const twice = groups.find((group, index) => groups.findIndex((each) => each.name === group.name) !== index);
  if (twice !== undefined) throw invalid(name, `two groups are named ${twice.name}; rename one`);
  return { clusterName, groups };
}

function documentsOf(name: string, text: string): readonly unknown[] {
  try {
    return parseYamlDocuments(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : '';
    throw new CodedError('malformed-file', `${name} is not YAML: ${reason}`, {
      details: { file: name },
      cause,
    });
  }
}

function clusterConfig(name: string, text: string): Table {
  const configs = documentsOf(name, text).filter(isConfig);
  const [config] = configs;
  if (config === undefined)
    throw new CodedError(
      'unknown-kind',
      `${name} holds no ClusterConfig of eksctl.io; give the file that eksctl made the cluster from`,
      { details: { file: name } },
    );
  if (configs.length > 1) throw invalid(name, 'it holds several ClusterConfigs; give one at a time');
  return config;
}

function isConfig(value: unknown): value is Table {
  return (
    isTable(value) &&
    value['kind'] === 'ClusterConfig' &&
    String(value['apiVersion']).startsWith('eksctl.io/')
  );
}

function tableAt(config: Table, field: string, file: string): Table {
  const value = config[field] ?? {};
  if (!isTable(value)) throw invalid(file, `${field} is not an object; write it as eksctl does`);
  return value;
}

function listAt(config: Table, field: string, file: string): readonly Table[] {
  const value = config[field] ?? [];
  if (!Array.isArray(value)) throw invalid(file, `${field} is not a list; write it as eksctl does`);
  return value.map((item, index) => {
    if (isTable(item)) return item;
    throw invalid(file, `${field}[${index}] is not an object; write a node group there`);
  });
}

function invalid(file: string, problem: string): CodedError {
  return new CodedError('invalid-object', `${file} cannot be read as an eksctl file: ${problem}`, {
    details: { file },
  });
}
