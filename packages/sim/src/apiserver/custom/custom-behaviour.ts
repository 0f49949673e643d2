import {
  checkCustomResource,
  decodeCustomResource,
  type FieldError,
  type JsonObject,
  prepareCustomResource,
  type RuleChecker,
} from '@karpenter/core/schema';
import { subdomainProblems } from '@karpenter/core/values';
import type { Steps } from '@karpenter/core/yielding';
import type { Decoded, FieldValidation, KindBehaviour } from '../kinds/served-kind.ts';
import { StatusError } from '../status/status-error.ts';
import { badRequest } from '../status/status-errors.ts';
import { metadataOf } from '../store/index.ts';
import type { ServedDefinition, ServedVersion } from './definition.ts';

/** Decoding, defaulting and validation of a custom kind, as its CustomResourceDefinition specifies. */
export class CustomBehaviour implements KindBehaviour {
  readonly #definition: ServedDefinition;
  readonly #version: ServedVersion;
  readonly #rules: RuleChecker;

  constructor(definition: ServedDefinition, version: ServedVersion, rules: RuleChecker) {
    this.#definition = definition;
    this.#version = version;
    this.#rules = rules;
  }

  decode(body: JsonObject, fieldValidation: FieldValidation): Decoded {
    const { group } = this.#definition.spec;
    const expected = `${group}/${this.#version.name}`;
    if (body['apiVersion'] !== expected) {
      throw badRequest(
        `the API version in the data (${String(body['apiVersion'] ?? '')}) does not match the expected API version (${expected})`,
      );
    }
    const decoded = decodeCustomResource(
      { definition: this.#definition, object: body, fieldValidation },
      this.#version,
    );
    if (!('code' in decoded)) return decoded;
    throw new StatusError(decoded.code, decoded.reason, decoded.message, {
      causes: decoded.causes,
      ...(decoded.code === 422 ? { group, kind: this.#definition.spec.names.kind } : {}),
    });
  }

  prepare(object: JsonObject, old: JsonObject | undefined, subresource: string | undefined): JsonObject {
    const prepared = prepareCustomResource({
      version: this.#version,
      object,
      before: old,
      subresource: subresource === 'status' ? 'status' : undefined,
    });
    // A status update ignores metadata too, except managedFields.
    if (subresource !== 'status' || old === undefined) return prepared;
    const { managedFields } = metadataOf(object);
    const metadata = metadataOf(old);
    return { ...prepared, metadata: managedFields === undefined ? metadata : { ...metadata, managedFields } };
  }

  validate(
    object: JsonObject,
    old: JsonObject | undefined,
    subresource: string | undefined,
  ): Steps<readonly FieldError[]> {
    return checkCustomResource({
      version: this.#version,
      object,
      before: old,
      subresource: subresource === 'status' ? 'status' : undefined,
      rules: this.#rules,
    });
  }

  nameProblems(name: string): readonly string[] {
    return subdomainProblems(name);
  }
}
