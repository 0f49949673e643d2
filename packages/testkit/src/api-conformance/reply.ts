import assert from 'node:assert/strict';
import { isJsonObject, type Json, type JsonObject } from '@karpenter/core/schema';

/** A reply of the server. */
export class ServerReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;

  constructor(status: number, headers: Readonly<Record<string, string>>, bytes: Buffer) {
    this.status = status;
    this.headers = headers;
    this.bytes = bytes;
  }

  get text(): string {
    return this.bytes.toString('utf8');
  }

  get body(): Json {
    try {
      return JSON.parse(this.text);
    } catch {
      return this.text;
    }
  }

  /** The value at a path such as `status.conditions.0.type`; undefined if absent. */
  at(path: string): Json | undefined {
    return valueAt(this.body, path);
  }

  /** The items of the list at the path. */
  list(path: string): readonly Json[] {
    const value = this.at(path);
    return Array.isArray(value) ? value : [];
  }

  /** The body as an object; throws if it is not one. */
  object(): JsonObject {
    const { body } = this;
    assert.ok(isJsonObject(body), 'the body is not an object');
    return body;
  }

  /** Returns itself if the status is the expected one, and throws otherwise. */
  expect(status: number): ServerReply {
    assert.equal(this.status, status, `${this.status} instead of ${status}: ${this.text.slice(0, 500)}`);
    return this;
  }

  /** Expects an error reply: a Status object with this code and reason. */
  expectFailure(code: number, reason: string): ServerReply {
    this.expect(code);
    assert.equal(this.at('kind'), 'Status');
    assert.equal(this.at('status'), 'Failure');
    assert.equal(this.at('reason'), reason);
    assert.equal(this.at('code'), code);
    return this;
  }

  /**
   * Expects an Invalid error whose causes name exactly these fields, in order. Duplicates do not matter: how
   * often a server names a field is not part of the contract.
   */
  expectInvalid(...fields: readonly string[]): ServerReply {
    this.expectFailure(422, 'Invalid');
    const named = this.list('details.causes').map((cause) => valueAt(cause, 'field'));
    assert.deepEqual([...new Set(named)], fields);
    return this;
  }
}

export function valueAt(value: Json | undefined, path: string): Json | undefined {
  let current = value;
  for (const part of path === '' ? [] : path.split('.')) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = Array.isArray(current)
      ? current[Number(part)]
      : Object.entries(current).find(([name]) => name === part)?.[1];
  }
  return current;
}
