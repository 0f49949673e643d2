import { CodedError } from '@karpenter/core/errors';
import { isRecord } from '@karpenter/kube/client';
import type { Instant } from '@karpenter/kube/runtime';

/** Reads one document of the metadata service. Every failure names the path and what is wrong. */
export class MetadataDocument {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  parse(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw this.#unexpected('it is not JSON', cause);
    }
  }

  object(value: unknown): Readonly<Record<string, unknown>> {
    if (isRecord(value)) return value;
    throw this.#unexpected('it is not an object');
  }

  list(value: unknown): readonly unknown[] {
    if (Array.isArray(value)) return value;
    throw this.#unexpected('it is not a list');
  }

  text(object: Readonly<Record<string, unknown>>, key: string): string {
    const value = object[key];
    if (typeof value === 'string' && value !== '') return value;
    throw this.#unexpected(`it has no ${key}`);
  }

  time(object: Readonly<Record<string, unknown>>, key: string): Instant {
    const time = Date.parse(this.text(object, key));
    if (Number.isFinite(time)) return time;
    throw this.#unexpected(`${key} is not a time`);
  }

  #unexpected(problem: string, cause?: unknown): CodedError {
    return new CodedError(
      'metadata-unexpected',
      `cannot use /latest/${this.#path} of the instance metadata service: ${problem}`,
      { details: { path: this.#path }, cause },
    );
  }
}
