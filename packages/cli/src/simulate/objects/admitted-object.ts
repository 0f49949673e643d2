import { customResources, type EC2NodeClass, type EC2NodeClassStatus } from '@karpenter/aws';
import type { CapacityBuffer, NodeOverlay, NodePool } from '@karpenter/core/api';
import {
  type AdmissionRefusal,
  admitCustomResource,
  type CustomResourceDefinition,
  type JsonObject,
} from '@karpenter/core/schema';
import { CelRuleChecker } from '@karpenter/kube/cel';
import { inputError, type Origin } from '../input/origin.ts';
import { readShape } from '../input/shape.ts';

const [nodePool, , nodeOverlay, capacityBuffer, ec2NodeClass] = customResources;
const rules = new CelRuleChecker();

type FieldValidation = 'Strict' | 'Ignore';

/**
 * The NodePool as an API server would store it, defaults included, with its status. Throws the first reason for which
 * an API server would reject it.
 */
export function admittedNodePool(
  object: JsonObject,
  origin: Origin,
  fieldValidation: FieldValidation = 'Strict',
): NodePool {
  const { definition } = nodePool;
  const made = admitted(definition, object, { origin, fieldValidation }) as unknown as NodePool;
  const status = statusOf<NodePool['status']>(definition, object, origin);
  return status === undefined ? made : { ...made, status };
}

export function admittedNodeOverlay(
  object: JsonObject,
  origin: Origin,
  fieldValidation: FieldValidation = 'Strict',
): NodeOverlay {
  return admitted(nodeOverlay.definition, object, { origin, fieldValidation }) as unknown as NodeOverlay;
}

export function admittedCapacityBuffer(
  object: JsonObject,
  origin: Origin,
  fieldValidation: FieldValidation = 'Strict',
): CapacityBuffer {
  return admitted(capacityBuffer.definition, object, {
    origin,
    fieldValidation,
  }) as unknown as CapacityBuffer;
}

/** The EC2NodeClass as an API server would store it, with its status. */
export function admittedEc2NodeClass(object: JsonObject, origin: Origin): EC2NodeClass {
  const { definition } = ec2NodeClass;
  const made = admitted(definition, object, { origin, fieldValidation: 'Strict' }) as unknown as EC2NodeClass;
  const status = statusOf<EC2NodeClassStatus>(definition, object, origin);
  return status === undefined ? made : { ...made, status };
}

/**
 * The status from the input. An API server drops the status of what users apply, but objects exported from a live
 * cluster have one, and planning needs it.
 */
function statusOf<T>(
  definition: CustomResourceDefinition,
  object: JsonObject,
  origin: Origin,
): T | undefined {
  const written = object['status'];
  const schema = definition.spec.versions[0]?.schema.openAPIV3Schema.properties?.['status'];
  if (written === undefined || schema === undefined) return undefined;
  return readShape<T>(schema, written, { origin, subject: `status of ${definition.spec.names.kind}` });
}

interface AdmissionOptions {
  readonly origin: Origin;
  readonly fieldValidation: FieldValidation;
}

/** Runs admission: defaulting, schema and CEL rules. The only place where custom resources become typed. */
function admitted(
  definition: CustomResourceDefinition,
  object: JsonObject,
  { origin, fieldValidation }: AdmissionOptions,
): JsonObject {
  const result = admitCustomResource({ definition, object, fieldValidation, rules });
  if (!('reason' in result)) return result.object;
  throw inputError('invalid-object', origin, refusalText(result, definition.spec.names.kind, object));
}

function refusalText({ causes, message }: AdmissionRefusal, kind: string, object: JsonObject): string {
  const [cause] = causes;
  const { name = '' } = (object['metadata'] ?? {}) as { readonly name?: string };
  const reason = cause === undefined ? message : `${cause.field}: ${cause.message}`;
  return `${kind} ${JSON.stringify(name)} is invalid: ${reason}`;
}
