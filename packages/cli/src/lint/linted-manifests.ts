import { CodedError } from '@karpenter/core/errors';
import { isJsonObject, member } from '@karpenter/core/schema';
import {
  documentsOf,
  type InputFile,
  type Manifest,
  manifestName,
  manifestsOf,
  type NamedManifest,
} from '../simulate/index.ts';

const lintedKinds: ReadonlySet<string> = new Set([
  'NodePool',
  'EC2NodeClass',
  'Pod',
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'ReplicationController',
  'DaemonSet',
  'Job',
  'CronJob',
  'PodDisruptionBudget',
]);

/**
 * The objects of files that rules look at. Folders of manifests hold much else, values for charts included, which is
 * passed over; files without any NodePool or EC2NodeClass are an error, because nothing would be checked.
 */
export function lintedManifests(files: readonly InputFile[]): readonly NamedManifest[] {
  const objects = files.flatMap(objectsOf).filter(({ kind }) => lintedKinds.has(kind));
  const isChecked = objects.some(({ kind }) => kind === 'NodePool' || kind === 'EC2NodeClass');
  if (isChecked) return objects.map((manifest) => ({ ...manifest, ...manifestName(manifest) }));
  const names = files.map(({ name }) => name).join(', ');
  throw new CodedError(
    'unknown-kind',
    `there is no NodePool or EC2NodeClass in ${names}; name a file with one`,
  );
}

function objectsOf(file: InputFile): readonly Manifest[] {
  if (file.text.trim() === '') return [];
  return documentsOf(file)
    .filter(({ value }) => isJsonObject(value) && member(value, 'kind') !== undefined)
    .flatMap(manifestsOf);
}
