import { isJsonArray, isJsonObject, type Json, type JsonObject, member } from '@karpenter/core/schema';
import { compileCondition } from '@karpenter/kube/cel';
import type { AdmissionAttributes } from '../admission/admission.ts';
import { StatusError } from '../status/status-error.ts';

/**
 * Whether all matchConditions of a webhook hold. A condition that fails to evaluate rejects the write, or
 * skips the webhook with failurePolicy Ignore.
 */
export function conditionsHold(webhook: JsonObject, attributes: AdmissionAttributes): boolean {
  const conditions = webhook['matchConditions'];
  if (conditions === undefined || !isJsonArray(conditions)) return true;
  const variables = {
    object: celValue(attributes.object ?? null),
    oldObject: celValue(attributes.oldObject ?? null),
    request: celValue(requestVariable(attributes)),
  };
  try {
    return conditions.every((each) =>
      Boolean(compileCondition(String(member(each, 'expression') ?? ''))(variables)),
    );
  } catch (error) {
    if (webhook['failurePolicy'] === 'Ignore') return false;
    throw new StatusError(
      403,
      'Forbidden',
      `admission webhook "${webhook['name']}" match conditions cannot be evaluated: ${error instanceof Error ? error.message : error}`,
    );
  }
}

function requestVariable({
  operation,
  kind,
  subresource,
  namespace,
  name,
  user,
  dryRun,
}: AdmissionAttributes): JsonObject {
  const { group, version, plural } = kind;
  return {
    kind: { group, version, kind: kind.kind },
    resource: { group, version, resource: plural },
    subResource: subresource,
    namespace,
    name,
    operation,
    dryRun,
    userInfo: { username: user.name, groups: [...user.groups] },
  };
}

/** CEL distinguishes int and double; whole numbers are ints, which the CEL library represents as bigint. */
function celValue(value: Json): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (isJsonArray(value)) return value.map(celValue);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, celValue(each)]));
}
