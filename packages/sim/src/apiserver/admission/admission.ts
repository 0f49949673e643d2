import type { JsonObject } from '@karpenter/core/schema';
import type { User } from '../auth/index.ts';
import type { ServedKind } from '../kinds/served-kind.ts';

export interface AdmissionAttributes {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly kind: ServedKind;
  /** Empty for the object itself. */
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Absent on delete. */
  readonly object?: JsonObject;
  /** Absent on create. */
  readonly oldObject?: JsonObject;
  readonly user: User;
  readonly dryRun: boolean;
  /** Adds a `Warning` header to the reply of this request. */
  warn(text: string): void;
}

/** One admission plugin, called for every write that passed authorization and decoding. */
export interface AdmissionPlugin {
  /**
   * Returns the object to store, or the same object when nothing changes; throws a StatusError to reject the
   * write.
   */
  mutate?(
    attributes: AdmissionAttributes & { readonly object: JsonObject },
  ): Promise<JsonObject> | JsonObject;
  /** Throws a StatusError to reject the write. It sees the object after every mutation. */
  validate?(attributes: AdmissionAttributes): Promise<void> | void;
}

/**
 * Runs the plugins in order. As in kube-apiserver, all mutations come first, so that every validation sees
 * the object that will be stored.
 */
export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[];

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#plugins = plugins;
  }

  async mutate(attributes: AdmissionAttributes & { readonly object: JsonObject }): Promise<JsonObject> {
    let current = attributes;
    for (const plugin of this.#plugins) {
      const mutated = plugin.mutate?.(current) ?? current.object;
      // Most plugins are synchronous. An await for each of them would add a microtask to every write.
      const object = mutated instanceof Promise ? await mutated : mutated;
      if (object !== current.object) current = { ...attributes, object };
    }
    return current.object;
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    for (const plugin of this.#plugins) {
      const checked = plugin.validate?.(attributes);
      if (checked !== undefined) await checked;
    }
  }
}
