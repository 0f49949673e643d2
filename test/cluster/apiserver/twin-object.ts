import {
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonSchema,
  type StatusCause,
} from '@karpenter/core/schema';
import { runAtOnce } from '@karpenter/core/yielding';
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  type FieldSet,
  fieldSetOf,
  StatusError,
  serverSideApply,
  settleTimes,
  trackManagedFields,
} from '@karpenter/sim/apiserver';
import type { ApiResponse, ControlPlaneClient } from '@karpenter/testkit/control-plane';
import { expect } from 'vitest';

export interface TwinKind {
  readonly collection: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly schema: JsonSchema;
  readonly isCustom: boolean;
  /** Controllers write to the object while the test does. */
  readonly isShared: boolean;
}

interface Write {
  readonly manager: string;
  readonly subresource?: 'status';
}

type PatchKind = 'json' | 'merge' | 'strategic';

const contentTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

const resetByMain = fieldSetOf(['f:status']);
const resetByStatus = fieldSetOf(['f:spec']);

/**
 * An object on the real server. Our functions compute every change from the previous object, and both must
 * arrive at the same object and the same managedFields.
 */
export class TwinObject {
  readonly #plane: ControlPlaneClient;
  readonly #kind: TwinKind;
  readonly #name: string;
  #live: JsonObject | undefined;

  constructor(plane: ControlPlaneClient, kind: TwinKind, name: string) {
    this.#plane = plane;
    this.#kind = kind;
    this.#name = name;
  }

  get live(): JsonObject {
    if (this.#live === undefined) throw new Error(`${this.#name} was not created yet`);
    return this.#live;
  }

  /**
   * Sends a change of the current object. If a controller was faster, sends it again for the newer object;
   * undefined in place of the version sends it for any.
   */
  async #send(change: (version: Json | undefined) => Promise<ApiResponse>): Promise<ApiResponse> {
    if (!this.#kind.isShared || this.#live === undefined) return change(undefined);
    for (;;) {
      this.#live = this.#expectObject(await this.#plane.request('GET', this.#path()));
      const answer = await change(metadataOf(this.#live)['resourceVersion']);
      if (!JSON.stringify(answer.body).includes('the object has been modified')) return answer;
    }
  }

  async create(object: JsonObject, { manager }: Write): Promise<void> {
    const path = `${this.#kind.collection}?fieldManager=${manager}`;
    const after = this.#expectObject(await this.#plane.request('POST', path, this.#whole(object)));
    this.#expectTracked(after, { manager });
  }

  async update(change: (live: JsonObject) => JsonObject, write: Write): Promise<void> {
    const body = change(this.live);
    const path = `${this.#path(write.subresource)}?fieldManager=${write.manager}`;
    const after = this.#expectObject(await this.#plane.request('PUT', path, body));
    this.#expectTracked(after, write, body);
  }

  async patch(kind: PatchKind, patch: Json, write: Write): Promise<void> {
    const path = `${this.#path(write.subresource)}?fieldManager=${write.manager}`;
    const headers = { 'content-type': contentTypes[kind] };
    const answer = await this.#send((version) =>
      this.#plane.request('PATCH', path, isJsonObject(patch) ? withVersion(patch, version) : patch, headers),
    );
    const ours = this.#ourPatch(kind, patch);
    if (ours instanceof StatusError) return expectRefusal(answer, ours);
    const after = this.#expectObject(answer);
    await this.#expectSameContent(ours, after, write);
    this.#expectTracked(after, write);
  }

  #ourPatch(kind: PatchKind, patch: Json): JsonObject | StatusError {
    try {
      if (kind === 'merge') return applyMergePatch(this.live, patch);
      if (kind === 'strategic') return applyStrategicMergePatch(this.live, patch, this.#kind.schema);
      const value = applyJsonPatch(this.live, patch);
      return isJsonObject(value) ? value : {};
    } catch (error) {
      if (error instanceof StatusError) return error;
      throw error;
    }
  }

  async apply(object: JsonObject, options: Write & { readonly force?: boolean }): Promise<void> {
    const { manager, force = false, subresource } = options;
    let applied = this.#whole(object);
    const path = `${this.#path(subresource)}?fieldManager=${manager}&force=${force}`;
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    const answer = await this.#send((version) => {
      applied = withVersion(applied, version);
      return this.#plane.request('PATCH', path, applied, headers);
    });
    const after = answer.status < 300 ? this.#expectObject(answer) : undefined;
    const ours = this.#ourApply(applied, options, after);
    if (ours instanceof StatusError) return expectRefusal(answer, ours);
    const stored = this.#expectObject(answer);
    await this.#expectSameContent(ours.object, stored, options);
    const before = this.#live;
    const managed =
      before === undefined ? ours.managedFields : settleTimes(before, stored, ours.managedFields);
    this.#expectManaged(managed, stored);
  }

  #ourApply(
    applied: JsonObject,
    options: Write & { readonly force?: boolean },
    after: JsonObject | undefined,
  ) {
    try {
      const { force = false } = options;
      return runAtOnce(serverSideApply({ ...this.#write(options, after), live: this.#live, applied, force }));
    } catch (error) {
      if (error instanceof StatusError) return error;
      throw error;
    }
  }

  #expectTracked(after: JsonObject, write: Write, sent?: JsonObject): void {
    const before = this.#live;
    const managedFields = sent === undefined ? undefined : managedOf(sent);
    const ours = runAtOnce(
      trackManagedFields({
        ...this.#write(write, after),
        before,
        after: withManaged(before === undefined ? beforeAdmission(after) : after, managedFields),
      }),
    );
    this.#expectManaged(before === undefined ? ours : settleTimes(before, after, ours), after);
  }

  #expectManaged(ours: readonly Json[], stored: JsonObject): void {
    const text = (entries: readonly Json[]) =>
      JSON.stringify(
        entries.map((entry) => sortedEntry(entry, this.#kind.isCustom)),
        undefined,
        1,
      );
    expect(text(ours)).toBe(text(managedOf(stored) ?? []));
    this.#live = stored;
  }

  /**
   * Sends our result through a dry run for the server's defaults; it must then equal the server's own result.
   */
  async #expectSameContent(ours: JsonObject, theirs: JsonObject, { subresource }: Write): Promise<void> {
    const { resourceVersion: _, ...rest } = metadataOf(ours);
    const { resourceVersion = '' } = metadataOf(theirs);
    // Only custom resources require a version; controllers may have changed others meanwhile.
    const metadata = this.#kind.isCustom ? { ...rest, resourceVersion } : rest;
    const isNew = this.#live === undefined;
    const path = isNew ? this.#kind.collection : this.#path(subresource);
    const body = { ...ours, metadata };
    const answer = await this.#plane.request(isNew ? 'POST' : 'PUT', `${path}?dryRun=All`, body);
    if (!isNew) {
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      const isStatus = subresource === 'status';
      expect(comparable(answer.body, isStatus)).toEqual(comparable(theirs, isStatus));
    }
  }

  #write(write: Write, after: JsonObject | undefined) {
    const isStatus = write.subresource === 'status';
    const resetFields: FieldSet = isStatus ? resetByStatus : resetByMain;
    const { apiVersion, kind, schema, isCustom } = this.#kind;
    const time = newestTime(after) ?? '2026-01-01T00:00:00Z';
    return { ...write, apiVersion, kind, schema, isCustom, time, resetFields };
  }

  #whole(object: JsonObject): JsonObject {
    const { apiVersion, kind } = this.#kind;
    const { metadata } = object;
    return {
      apiVersion,
      kind,
      ...object,
      metadata: { ...(isJsonObject(metadata) ? metadata : {}), name: this.#name },
    };
  }

  #path(subresource?: string): string {
    return `${this.#kind.collection}/${this.#name}${subresource === undefined ? '' : `/${subresource}`}`;
  }

  #expectObject(answer: { readonly status: number; readonly body: unknown }): JsonObject {
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body as JsonObject;
  }
}

function expectRefusal(answer: { readonly status: number; readonly body: unknown }, ours: StatusError): void {
  // The real server answers 500 to patches that it cannot read, which are the client's fault.
  if (answer.status === 500) expect([400, 422]).toContain(ours.code);
  else expect(answer.status, JSON.stringify(answer.body)).toBe(ours.code);
  const theirs = answer.body as {
    readonly message: string;
    readonly details?: { readonly causes?: readonly StatusCause[] };
  };
  expect(ours.message).toBe(theirs.message);
  // The real server lists conflicts with several managers in random order.
  expect(sortedCauses(ours.details?.causes)).toEqual(sortedCauses(theirs.details?.causes));
}

/** Fields that admission adds to a pod have no owner: ownership is recorded before admission. */
function beforeAdmission(object: JsonObject): JsonObject {
  const { spec } = object;
  if (object['kind'] !== 'Pod' || !isJsonObject(spec)) return object;
  const { priority: _, preemptionPolicy: __, ...rest } = spec;
  return { ...object, spec: rest };
}

function withVersion(body: JsonObject, resourceVersion: Json | undefined): JsonObject {
  if (resourceVersion === undefined) return body;
  return { ...body, metadata: { ...metadataOf(body), resourceVersion } };
}

function sortedCauses(causes: readonly StatusCause[] = []): readonly StatusCause[] {
  return causes.toSorted((a, b) => (a.field < b.field ? -1 : 1));
}

function metadataOf(object: JsonObject): JsonObject {
  const { metadata } = object;
  return isJsonObject(metadata) ? metadata : {};
}

function managedOf(object: JsonObject): readonly Json[] | undefined {
  const { managedFields } = metadataOf(object);
  return Array.isArray(managedFields) ? managedFields : undefined;
}

function withManaged(object: JsonObject, managedFields: readonly Json[] | undefined): JsonObject {
  const { managedFields: _, ...metadata } = metadataOf(object);
  return { ...object, metadata: managedFields === undefined ? metadata : { ...metadata, managedFields } };
}

function newestTime(object: JsonObject | undefined): string | undefined {
  const times = (object === undefined ? [] : (managedOf(object) ?? [])).flatMap((entry) =>
    isJsonObject(entry) && typeof entry['time'] === 'string' ? [entry['time']] : [],
  );
  return times.toSorted().at(-1);
}

/** Custom resources have all members sorted by name, built-in kinds in the order of their Go structs. */
function sortedEntry(entry: Json, isCustom: boolean): Json {
  if (!isJsonObject(entry)) return entry;
  const members = Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    members.map(([name, value]) => [name, isCustom ? sortedEntry(value, true) : value]),
  );
}

/** Removes counters of the server and what controllers write in between. */
function comparable(body: unknown, isStatus: boolean): JsonObject {
  const { status = null, ...object } = body as JsonObject;
  if (isStatus) return { status };
  const {
    managedFields: _,
    resourceVersion: __,
    generation: ___,
    annotations,
    ...metadata
  } = metadataOf(object);
  const { 'deployment.kubernetes.io/revision': ____, ...others } = isJsonObject(annotations)
    ? annotations
    : {};
  const kept: JsonObject = Object.keys(others).length === 0 ? {} : { annotations: others };
  return { ...object, metadata: { ...metadata, ...kept } };
}
