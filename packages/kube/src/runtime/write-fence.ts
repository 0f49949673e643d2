/** Checked before every write leaves this process, to the API server and to the cloud alike (ADR 0036). */
export interface WriteFence {
  /** Throws when this process may not write. Called before each attempt, because a retry may come long after. */
  check(): void;
}
