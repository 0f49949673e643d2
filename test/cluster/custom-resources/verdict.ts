import {
  admitCustomResource,
  type CustomResourceDefinition,
  type Json,
  type JsonObject,
} from '@karpenter/core/schema';
import { CelRuleChecker } from '@karpenter/kube/cel';
import type { ApiResponse } from '@karpenter/testkit/control-plane';

/** The verdict about an object, in a form that can be compared. */
export interface Verdict {
  readonly code: number;
  /** `field: message`, sorted, of a rejected object. */
  readonly causes?: readonly string[];
  readonly message?: string;
  /** The stored form of an accepted object. */
  readonly spec?: Json;
  readonly status?: Json;
}

interface Status {
  readonly message: string;
  readonly details?: { readonly causes?: readonly { readonly field: string; readonly message: string }[] };
}

export function realVerdict({ status, body }: ApiResponse): Verdict {
  if (status < 300) return accepted(status, body as JsonObject);
  const { message, details } = body as Status;
  return refused(status, message, details?.causes ?? []);
}

const rules = new CelRuleChecker();

export interface Question {
  readonly definition: CustomResourceDefinition;
  readonly object: JsonObject;
  readonly oldObject?: JsonObject | undefined;
  readonly subresource?: 'status' | undefined;
}

/** The verdict of our own admission. */
export function ourVerdict({ definition, object, oldObject, subresource }: Question): Verdict {
  const answer = admitCustomResource({
    definition,
    object,
    ...(oldObject === undefined ? {} : { oldObject }),
    ...(subresource === undefined ? {} : { subresource }),
    fieldValidation: 'Strict',
    rules,
  });
  return 'object' in answer
    ? accepted(answer.code, answer.object)
    : refused(answer.code, answer.message, answer.causes);
}

function accepted(code: number, object: JsonObject): Verdict {
  const { spec, status } = object;
  return { code, ...(spec === undefined ? {} : { spec }), ...(status === undefined ? {} : { status }) };
}

/** The message repeats the causes in its own order, so it counts only if there are none. */
function refused(
  code: number,
  message: string,
  causes: readonly { readonly field: string; readonly message: string }[],
): Verdict {
  if (causes.length === 0) return { code, message };
  return { code, causes: causes.map(({ field, message: text }) => `${field}: ${text}`).sort() };
}
