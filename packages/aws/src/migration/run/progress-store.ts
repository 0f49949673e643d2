import { CodedError } from '@karpenter/core/errors';
import { isAlreadyExists, isConflict, isNotFound, type KubeClient, kinds } from '@karpenter/kube/client';
import type { ConfigMap } from 'kubernetes-types/core/v1.js';
import type { MigrationProgress } from './progress.ts';

const key = { namespace: 'kube-system', name: 'karpenter-migration' };
const field = 'progress';

/** The record of the migration in the ConfigMap kube-system/karpenter-migration. */
export class ProgressStore {
  readonly #client: KubeClient;
  /** The stored object, with the resource version for the next write. */
  #stored: ConfigMap | undefined;

  constructor(client: KubeClient) {
    this.#client = client;
  }

  async read(): Promise<MigrationProgress | undefined> {
    this.#stored = await this.#client.find(kinds.configMap, key);
    return this.#stored === undefined ? undefined : parse(this.#stored.data?.[field]);
  }

  /** Fails if another process has written since the last read or write: two concurrent runs would conflict. */
  async write(progress: MigrationProgress): Promise<void> {
    const data = { [field]: JSON.stringify(progress) };
    try {
      this.#stored =
        this.#stored === undefined
          ? await this.#client.create(kinds.configMap, { metadata: key, data })
          : await this.#client.replace(kinds.configMap, { ...this.#stored, data });
    } catch (error) {
      if (isConflict(error) || isAlreadyExists(error)) throw contended(error);
      throw error;
    }
  }

  async remove(): Promise<void> {
    try {
      await this.#client.delete(kinds.configMap, key);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

function contended(cause: unknown): CodedError {
  return new CodedError(
    'write-contended',
    'the record of the migration in ConfigMap kube-system/karpenter-migration was changed by another run; let one run finish before you start another',
    { cause },
  );
}

function parse(text: string | undefined): MigrationProgress {
  try {
    const parsed: unknown = JSON.parse(text ?? '');
    if (typeof parsed === 'object' && parsed !== null && 'version' in parsed && parsed.version === 1)
      return parsed as MigrationProgress;
  } catch {
    // Reported below.
  }
  throw new CodedError(
    'invalid-object',
    'the ConfigMap kube-system/karpenter-migration holds no record of a migration that this version reads; use the version that wrote it, or delete the ConfigMap and check the groups yourself',
  );
}
