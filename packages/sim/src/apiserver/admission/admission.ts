import type { JsonObject } from '@karpenter/core/schema';
import type { User } from '../auth/user.ts';
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
  /** Takes what the client is to be told beside the reply. */
  warn(text: string): void;
}

/** One thing that has a say in every write. */
export interface AdmissionPlugin {
  /** The object as it shall be; throws a StatusError to refuse. */
  mutate?(
    attributes: AdmissionAttributes & { readonly object: JsonObject },
  ): Promise<JsonObject> | JsonObject;
  validate?(attributes: AdmissionAttributes): Promise<void> | void;
}

/** The plugins in order: first all may change the object, later all may refuse it. */
export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[];

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#plugins = plugins;
  }

  async mutate(attributes: AdmissionAttributes & { readonly object: JsonObject }): Promise<JsonObject> {
    let current = attributes;
    for (const plugin of this.#plugins) {
      const mutated = plugin.mutate?.(current) ?? current.object;
      // Most answer at once, and a pause for each of them would be felt in every write.
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
