import { type Json, type JsonObject, member, type RuleChecker } from '@karpenter/core/schema';
import type { ApiServerParts } from '../api-context.ts';
import { apiServerUser } from '../auth/index.ts';
import { RetriedWork } from '../collection/retried-work.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import { collectionOf } from '../registry/kind-registry.ts';
import { type Entry, metadataOf, type StoreChange } from '../store/index.ts';
import { deleteUnlessGone } from '../writes/delete.ts';
import { updateDirectly } from '../writes/direct-update.ts';
import { isDeleting, listField, timestamp, withMetadata } from '../writes/object-meta.ts';
import type { WriteRequest } from '../writes/write-request.ts';
import { customKinds, type WebhookConverter } from './custom-kind.ts';
import {
  cleanupFinalizer,
  conditionsOf,
  definitionCollection,
  isServedDefinition,
  type ServedDefinition,
} from './definition.ts';

export interface DefinitionServices {
  readonly rules: RuleChecker;
  readonly converter: WebhookConverter;
}

/**
 * Registers the kinds of CustomResourceDefinitions, writes their status, and deletes their objects when they
 * are deleted.
 */
export class DefinitionController {
  readonly #parts: ApiServerParts;
  readonly #services: DefinitionServices;
  readonly #cleaning: RetriedWork;
  #unsubscribes: readonly (() => void)[] = [];

  constructor(parts: ApiServerParts, services: DefinitionServices) {
    this.#parts = parts;
    this.#services = services;
    this.#cleaning = new RetriedWork(parts);
  }

  start(): void {
    const { store } = this.#parts;
    this.#cleaning.followStore();
    this.#serveAll();
    this.#unsubscribes = [
      store.subscribe((change) => this.#accept(change)),
      store.subscribeToFailures({
        rolledBack: (undone) => {
          if (undone.some(({ entry }) => entry.collection === definitionCollection)) this.#registerAll();
        },
        resumed: () => this.#serveAll(),
      }),
    ];
  }

  async stop(): Promise<void> {
    for (const unsubscribe of this.#unsubscribes) unsubscribe();
    await this.#cleaning.stop();
  }

  #serveAll(): void {
    for (const entry of this.#parts.store.list(definitionCollection)) this.#serve(entry);
  }

  /**
   * After a rollback: registers the kinds of the definitions as they were before. It writes no status, since
   * that would fail too.
   */
  #registerAll(): void {
    for (const { object } of this.#parts.store.list(definitionCollection)) {
      if (isServedDefinition(object) && this.#nameConflict(object) === undefined) this.#register(object);
    }
  }

  #register(definition: JsonObject & ServedDefinition): void {
    this.#parts.registry.replace(instancesOf(definition), customKinds(definition, this.#services));
  }

  #accept({ type, entry }: StoreChange): void {
    const { object } = entry;
    if (entry.collection === definitionCollection) {
      if (type === 'DELETED') this.#parts.registry.replace(instancesOf(object), []);
      else this.#serveLatest(entry.name);
    } else if (type === 'DELETED') this.#finishCleanup(entry.collection);
  }

  /**
   * A listener may see a change late, after later ones or even after the deletion, so it uses the current
   * state.
   */
  #serveLatest(name: string): void {
    const latest = this.#parts.store.get(definitionCollection, '', name);
    if (latest !== undefined) this.#serve(latest);
  }

  #serve(entry: Entry): void {
    const { object } = entry;
    // If the definition has changed or is gone, the event of that change serves it.
    const isPresent = this.#parts.store.get(definitionCollection, '', entry.name) === entry;
    if (!isPresent || !isServedDefinition(object)) return;
    const conflict = this.#nameConflict(object);
    if (conflict === undefined) this.#register(object);
    const status = this.#status(object, conflict);
    updateDirectly(this.#parts, this.#request(entry.name), 'status', (definition) => ({
      ...definition,
      status,
    }));
    if (isDeleting(object)) this.#cleaning.start(entry.name, () => this.#cleanUp(entry));
  }

  /**
   * The message for a name that another definition or a built-in kind of the group already uses; undefined if
   * none.
   */
  #nameConflict({ spec }: ServedDefinition): string | undefined {
    const { group, names } = spec;
    const others = this.#parts.registry
      .all()
      .filter((kind) => kind.group === group && collectionOf(kind) !== `${names.plural}.${group}`);
    const taken = (pick: (kind: ServedKind) => readonly string[], name: string): boolean =>
      others.some((kind) => pick(kind).includes(name));
    const resourceNames = (kind: ServedKind): readonly string[] => [
      kind.plural,
      kind.singular,
      ...kind.shortNames,
    ];
    const wanted = [names.plural, names.singular, ...(names.shortNames ?? [])];
    const name = wanted.find((candidate) => taken(resourceNames, candidate));
    if (name !== undefined) return `"${name}" is already in use`;
    return taken((kind) => [kind.kind, kind.listKind], names.kind)
      ? `"${names.kind}" is already in use`
      : undefined;
  }

  #status(definition: JsonObject & ServedDefinition, conflict: string | undefined): JsonObject {
    const at = timestamp(this.#parts.clock.now());
    const { names, versions } = definition.spec;
    const storage = versions.filter((version) => version.storage).map((version) => version.name);
    const storedVersions = storedVersionsOf(definition);
    const accepted = conflict === undefined;
    const conditions = [
      condition({
        type: 'NamesAccepted',
        isTrue: accepted,
        reason: accepted ? 'NoConflicts' : 'NamesConflict',
        message: conflict ?? 'no conflicts found',
      }),
      condition({
        type: 'Established',
        isTrue: accepted,
        reason: accepted ? 'InitialNamesAccepted' : 'NotAccepted',
        message: accepted ? 'the initial names have been accepted' : 'not all names are accepted',
      }),
      ...(isDeleting(definition)
        ? [
            condition({
              type: 'Terminating',
              isTrue: true,
              reason: 'InstanceDeletionInProgress',
              message: 'CustomResource deletion is in progress',
            }),
          ]
        : []),
    ];
    return {
      conditions: conditions.map((next) => withTransition(next, definition, at)),
      acceptedNames: accepted ? (names as unknown as JsonObject) : {},
      storedVersions: [...new Set([...storedVersions, ...storage])],
    };
  }

  async #cleanUp(entry: Entry): Promise<void> {
    const collection = instancesOf(entry.object);
    const [kind] = this.#parts.registry.versionsOf(collection);
    for (const { namespace, name, object } of this.#parts.store.list(collection)) {
      if (kind === undefined || isDeleting(object)) continue;
      const request = { ...this.#request(name), kind, namespace, name };
      await deleteUnlessGone(this.#parts, request, { dryRun: false });
    }
    this.#finishCleanup(collection);
  }

  /** Removes the cleanup finalizer of a deleted definition once its last object is gone. */
  #finishCleanup(collection: string): void {
    const { store } = this.#parts;
    const definition = store.get(definitionCollection, '', collection);
    if (definition === undefined || !isDeleting(definition.object) || store.size(collection) > 0) return;
    updateDirectly(this.#parts, this.#request(definition.name), '', (object) => {
      const others = listField(object, 'finalizers').filter((finalizer) => finalizer !== cleanupFinalizer);
      return withMetadata(object, { finalizers: others.length > 0 ? others : undefined });
    });
  }

  #request(name: string): WriteRequest {
    const kind = this.#parts.registry.find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions');
    if (kind === undefined) throw new Error('the server does not serve definitions');
    return {
      kind,
      user: apiServerUser,
      namespace: '',
      name,
      subresource: '',
      dryRun: false,
      fieldValidation: 'Ignore',
      manager: 'kube-apiserver',
      nowMs: this.#parts.clock.now(),
      warn: () => {},
    };
  }
}

/** The store's collection of a definition's objects, which has the definition's own name. */
function instancesOf(definition: JsonObject): string {
  return String(metadataOf(definition)['name']);
}

function storedVersionsOf(definition: JsonObject): readonly string[] {
  const versions = member(definition['status'], 'storedVersions');
  return Array.isArray(versions) ? versions.map(String) : [];
}

interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

interface ConditionInput {
  readonly type: string;
  readonly isTrue: boolean;
  readonly reason: string;
  readonly message: string;
}

function condition({ type, isTrue, reason, message }: ConditionInput): Condition {
  return { type, status: isTrue ? 'True' : 'False', reason, message };
}

/** Keeps lastTransitionTime while the status of a condition stays the same. */
function withTransition(next: Condition, definition: JsonObject, at: string): Json {
  const before = conditionsOf(definition).find((known) => member(known, 'type') === next.type);
  const isSame = member(before, 'status') === next.status;
  return { ...next, lastTransitionTime: (isSame ? member(before, 'lastTransitionTime') : undefined) ?? at };
}
