/** Keeps what the account has; without one, everything is gone with the process. */
export interface Durability {
  /** Something has changed and is to be saved soon. */
  changed(): void;
  /** Resolves once everything up to now is saved; rejects when it could not be. */
  settled(): Promise<void>;
}

export const notDurable: Durability = { changed: () => undefined, settled: async () => undefined };
