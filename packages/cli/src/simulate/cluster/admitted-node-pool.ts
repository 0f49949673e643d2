import { customResources } from '@karpenter/aws';
import type { NodePool } from '@karpenter/core/api';
import { type AdmissionRefusal, admitCustomResource, type JsonObject } from '@karpenter/core/schema';
import { CelRuleChecker } from '@karpenter/kube/cel';
import { flaw, type Origin } from '../input/origin.ts';

const [{ definition }] = customResources;
const rules = new CelRuleChecker();

/** A NodePool as an API server would store it, or the first reason why it would not. */
export function admittedNodePool(
  object: JsonObject,
  origin: Origin,
  fieldValidation: 'Strict' | 'Ignore' = 'Strict',
): NodePool {
  const result = admitCustomResource({ definition, object, fieldValidation, rules });
  if ('reason' in result) throw flaw('invalid-object', origin, refusalText(result, object));
  return result.object as unknown as NodePool;
}

function refusalText({ causes, message }: AdmissionRefusal, object: JsonObject): string {
  const [cause] = causes;
  const { name = '' } = (object['metadata'] ?? {}) as { readonly name?: string };
  const reason = cause === undefined ? message : `${cause.field}: ${cause.message}`;
  return `NodePool ${JSON.stringify(name)} is invalid: ${reason}`;
}
