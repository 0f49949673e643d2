/** What every write passes before it leaves this process: to the API server and to the cloud alike. */
export interface WriteFence {
  /** Throws when this process may not write. Called before each attempt of a write, since any of them may come late. */
  check(): void;
}
