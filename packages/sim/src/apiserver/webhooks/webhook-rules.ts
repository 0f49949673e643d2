import { isJsonObject, type Json, type JsonObject, member } from '@karpenter/core/schema';
import { compileLabelSelector } from '@karpenter/core/values';
import type { AdmissionAttributes } from '../admission/admission.ts';
import { listOf } from '../lenient-json.ts';
import { labelsOf } from '../selection/index.ts';

/**
 * Whether rules, namespaceSelector and objectSelector of a webhook match a write. The object selector matches
 * if either the old or the new object does, so that a write cannot escape by changing labels.
 */
export function matchesWrite(
  webhook: JsonObject,
  attributes: AdmissionAttributes,
  namespace: JsonObject | undefined,
): boolean {
  return (
    listOf(webhook['rules']).some((rule) => ruleMatches(rule, attributes)) &&
    selects(webhook['namespaceSelector'], namespace) &&
    [attributes.object, attributes.oldObject].some(
      (object) => object && selects(webhook['objectSelector'], object),
    )
  );
}

function ruleMatches(rule: Json, { operation, kind, subresource }: AdmissionAttributes): boolean {
  const includes = (field: string, ...wanted: readonly string[]): boolean =>
    listOf(member(rule, field)).some((value) => value === '*' || wanted.includes(String(value)));
  const scope = member(rule, 'scope') ?? '*';
  return (
    includes('operations', operation) &&
    includes('apiGroups', kind.group) &&
    includes('apiVersions', kind.version) &&
    resourceMatches(member(rule, 'resources'), kind.plural, subresource) &&
    (scope === '*' || (scope === 'Namespaced') === kind.namespaced)
  );
}

/** `*` means all resources without subresources; `*` + `/*` means everything. */
function resourceMatches(resources: Json | undefined, plural: string, subresource: string): boolean {
  const wanted =
    subresource === ''
      ? [plural, '*', '*/*']
      : [`${plural}/${subresource}`, `${plural}/*`, `*/${subresource}`, '*/*'];
  return listOf(resources).some((resource) => wanted.includes(String(resource)));
}

/** A namespace selector does not apply to cluster-scoped objects. */
function selects(selector: Json | undefined, object: JsonObject | undefined): boolean {
  if (selector === undefined || !isJsonObject(selector) || object === undefined) return true;
  return compileLabelSelector(selector)(labelsOf(object));
}
