import { isJsonObject, type Json, type JsonObject, member } from '@karpenter/core/schema';
import { compileLabelSelector } from '@karpenter/core/values';
import type { AdmissionAttributes } from '../admission/admission.ts';
import { listOf } from '../lenient-json.ts';
import { labelsOf } from '../selection/index.ts';

/** Whether a webhook wants to be asked about a write. */
export function isConcerned(
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

/** `*` means all resources but no subresources, `*` + `/*` everything. */
function resourceMatches(resources: Json | undefined, plural: string, subresource: string): boolean {
  const wanted =
    subresource === ''
      ? [plural, '*', '*/*']
      : [`${plural}/${subresource}`, `${plural}/*`, `*/${subresource}`, '*/*'];
  return listOf(resources).some((resource) => wanted.includes(String(resource)));
}

/** Objects without a namespace of their own are not held back by a namespace selector. */
function selects(selector: Json | undefined, object: JsonObject | undefined): boolean {
  if (selector === undefined || !isJsonObject(selector) || object === undefined) return true;
  return compileLabelSelector(selector)(labelsOf(object));
}
