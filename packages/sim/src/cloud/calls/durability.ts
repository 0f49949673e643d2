/** Makes changes of the account durable. With `notDurable` the account ends with the process. */
export interface Durability {
  /** Call it after a change; a save follows soon. */
  changed(): void;
  /** Resolves once every change so far is saved; rejects if the save fails. */
  settled(): Promise<void>;
}

export const notDurable: Durability = { changed: () => undefined, settled: async () => undefined };
