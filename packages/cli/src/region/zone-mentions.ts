import { awsLabelKeys } from '@karpenter/aws';
import { labelKeys } from '@karpenter/core/api';
import {
  isJsonArray,
  isJsonObject,
  itemPath,
  type Json,
  type JsonObject,
  member,
} from '@karpenter/core/schema';

/** A place in a manifest that names a zone. */
export interface ZoneMention {
  /** Its name, such as `us-west-2a`, or its id, such as `usw2-az1`. */
  readonly zone: string;
  /** Such as `spec.template.spec.requirements[0].values[0]`. */
  readonly path: string;
}

const zoneKeys: ReadonlySet<string> = new Set([
  labelKeys.zone,
  'failure-domain.beta.kubernetes.io/zone',
  awsLabelKeys.zoneId,
]);

/** The zones of subnets in the status of an EC2NodeClass: where its nodes are. */
export function subnetZones(object: JsonObject): readonly ZoneMention[] {
  const subnets = member(member(object, 'status'), 'subnets');
  if (!isJsonArray(subnets)) return [];
  return subnets.flatMap((subnet, index) => {
    const zone = member(subnet, 'zone');
    return typeof zone === 'string' && zone !== '' ? [{ zone, path: `status.subnets[${index}].zone` }] : [];
  });
}

/**
 * The zones that an object asks for: values of requirements with the operator In, node selectors and labels, wherever
 * they are. `NotIn` does not count, because excluding a zone says nothing about where the cluster is.
 */
export function zoneMentions(value: Json | undefined, path = ''): readonly ZoneMention[] {
  if (value === undefined) return [];
  if (isJsonArray(value)) return value.flatMap((item, index) => zoneMentions(item, itemPath(path, index)));
  if (!isJsonObject(value)) return [];
  if (zoneKeys.has(String(value['key']))) return requiredZones(value, path);
  return Object.entries(value).flatMap(([name, inner]) => memberMentions(name, inner, path));
}

function memberMentions(name: string, inner: Json, path: string): readonly ZoneMention[] {
  const below = path === '' ? name : `${path}.${name}`;
  if (zoneKeys.has(name)) return typeof inner === 'string' ? [{ zone: inner, path: below }] : [];
  return zoneMentions(inner, below);
}

function requiredZones(item: JsonObject, path: string): readonly ZoneMention[] {
  const { operator, values } = item;
  if (operator !== 'In' || values === undefined || !isJsonArray(values)) return [];
  return values.flatMap((zone, index) =>
    typeof zone === 'string' ? [{ zone, path: itemPath(`${path}.values`, index) }] : [],
  );
}
