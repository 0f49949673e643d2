import { isJsonObject, type Json, type JsonObject, member } from '@karpenter/core/schema';
import type { ScalePaths, ServedKind } from '../kinds/served-kind.ts';
import { badRequest, conflict, invalid } from '../status/status-errors.ts';
import { metadataOf } from '../store/index.ts';
import { selectorText } from './selector-text.ts';

/** The Scale of an object: desired and current replicas and the pod selector. */
export function scaleOf(kind: ServedKind, paths: ScalePaths, object: JsonObject): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadataOf(object);
  const metadata = { name, namespace, uid, resourceVersion, creationTimestamp };
  const wanted = numberAt(object, paths.specReplicasPath);
  const selector = selectorAt(kind, paths, object);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: withoutUndefined(metadata),
    spec: wanted === undefined ? {} : { replicas: wanted },
    status: {
      replicas: numberAt(object, paths.statusReplicasPath) ?? 0,
      ...(selector === undefined || selector === '' ? {} : { selector }),
    },
  };
}

function withoutUndefined(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, Json] => field[1] !== undefined),
  );
}

/** The object with the replicas of a Scale; throws 409 when the Scale has another resource version. */
export function withScale(
  kind: ServedKind,
  paths: ScalePaths,
  { object, scale }: { readonly object: JsonObject; readonly scale: JsonObject },
): JsonObject {
  const name = String(metadataOf(object)['name'] ?? '');
  const version = metadataOf(scale)['resourceVersion'];
  if (version && version !== metadataOf(object)['resourceVersion']) {
    throw conflict(
      { group: kind.group, plural: kind.plural, name },
      'the object has been modified; please apply your changes to the latest version and try again',
    );
  }
  const replicas = member(scale['spec'], 'replicas') ?? 0;
  if (typeof replicas !== 'number' || !Number.isInteger(replicas))
    throw badRequest('spec.replicas must be an integer');
  if (replicas < 0) {
    throw invalid({ group: 'autoscaling', kind: 'Scale', name }, [
      {
        type: 'Invalid',
        field: kind.isCustom ? paths.specReplicasPath : 'spec.replicas',
        value: replicas,
        detail: 'must be greater than or equal to 0',
      },
    ]);
  }
  return withValueAt(object, pathOf(paths.specReplicasPath), replicas);
}

/** Splits a path like `.spec.replicas`. */
function pathOf(path: string): readonly string[] {
  return path.split('.').filter((part) => part !== '');
}

function valueAt(object: JsonObject, path: string): Json | undefined {
  return pathOf(path).reduce<Json | undefined>((value, field) => member(value, field), object);
}

function numberAt(object: JsonObject, path: string): number | undefined {
  const value = valueAt(object, path);
  return typeof value === 'number' ? value : undefined;
}

function withValueAt(object: JsonObject, [field, ...rest]: readonly string[], value: Json): JsonObject {
  if (field === undefined) return object;
  const inner = member(object, field);
  const child = inner !== undefined && isJsonObject(inner) ? inner : {};
  return { ...object, [field]: rest.length === 0 ? value : withValueAt(child, rest, value) };
}

/** The selector as text. Built-in kinds have it in `spec.selector`; a custom kind may define a path to it. */
function selectorAt(kind: ServedKind, paths: ScalePaths, object: JsonObject): string | undefined {
  if (!kind.isCustom) return selectorText(member(object['spec'], 'selector'));
  const text = paths.labelSelectorPath === undefined ? undefined : valueAt(object, paths.labelSelectorPath);
  return typeof text === 'string' ? text : undefined;
}
