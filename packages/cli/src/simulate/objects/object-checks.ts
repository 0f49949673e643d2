import { CodedError } from '@karpenter/core/errors';
import {
  isJsonArray,
  isJsonObject,
  itemPath,
  type Json,
  type JsonObject,
  member,
} from '@karpenter/core/schema';
import { parseQuantity } from '@karpenter/core/values';
import { inputError } from '../input/origin.ts';
import { manifestText, type NamedManifest } from './manifest.ts';

/** Why an API server would refuse to create an object; undefined if it would not. */
export type ObjectCheck = (object: JsonObject) => string | undefined;

/**
 * Refuses what an API server would refuse: unknown fields, wrong types, missing and unusable values. Objects with a uid
 * come from an API server, which has accepted them and may know more fields than we do.
 */
export function checkManifests(manifests: readonly NamedManifest[], check: ObjectCheck): void {
  for (const manifest of manifests) {
    if (isExported(manifest)) continue;
    const problem = check(createdObject(manifest));
    if (problem === undefined) continue;
    const text = withQuantityPath(problem, manifest.object);
    throw inputError('invalid-object', manifest.origin, `${manifestText(manifest)} is invalid: ${text}`);
  }
}

function isExported({ object }: NamedManifest): boolean {
  return member(member(object, 'metadata'), 'uid') !== undefined;
}

/** Items of a typed list may leave out their kind and version. */
function createdObject({ object, kind, origin }: NamedManifest): JsonObject {
  const version = origin.item === undefined ? undefined : itemVersions[kind];
  return { ...(version !== undefined && { apiVersion: version }), ...object, kind };
}

const itemVersions: Readonly<Record<string, string>> = {
  Pod: 'v1',
  Node: 'v1',
  Namespace: 'v1',
  Service: 'v1',
  PersistentVolume: 'v1',
  PersistentVolumeClaim: 'v1',
  PodTemplate: 'v1',
  ReplicationController: 'v1',
  Deployment: 'apps/v1',
  ReplicaSet: 'apps/v1',
  StatefulSet: 'apps/v1',
  DaemonSet: 'apps/v1',
  Job: 'batch/v1',
  PodDisruptionBudget: 'policy/v1',
  StorageClass: 'storage.k8s.io/v1',
  CSINode: 'storage.k8s.io/v1',
};

/** The API server does not say where a malformed quantity is. */
function withQuantityPath(problem: string, object: JsonObject): string {
  if (!/^(quantities must match|unable to parse quantity)/.test(problem)) return problem;
  const found = malformedQuantity(object, '');
  return found === undefined ? problem : `${found.path}: ${found.problem}`;
}

const quantityMaps: ReadonlySet<string> = new Set([
  'requests',
  'limits',
  'overhead',
  'capacity',
  'allocatable',
]);
const quantityFields: ReadonlySet<string> = new Set(['sizeLimit', 'divisor']);

interface MalformedQuantity {
  readonly path: string;
  readonly problem: string;
}

function malformedQuantity(value: Json, path: string, parent = ''): MalformedQuantity | undefined {
  if (isJsonArray(value))
    return firstOf(value.map((item, index) => [item, itemPath(path, index), ''] as const));
  if (!isJsonObject(value)) return undefined;
  return firstOf(
    Object.entries(value).map(
      ([name, inner]) => [inner, path === '' ? name : `${path}.${name}`, name] as const,
    ),
    quantityMaps.has(parent),
  );
}

function firstOf(
  members: readonly (readonly [Json, string, string])[],
  areQuantities = false,
): MalformedQuantity | undefined {
  for (const [value, path, name] of members) {
    const isQuantity = areQuantities || quantityFields.has(name);
    const found = isQuantity ? quantityProblem(value, path) : malformedQuantity(value, path, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function quantityProblem(value: Json, path: string): MalformedQuantity | undefined {
  try {
    parseQuantity(String(value));
    return undefined;
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return { path, problem: error.message.replace(/^[^:"]*: /, '') };
  }
}
