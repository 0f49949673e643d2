/** Who asks. */
export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  /** What else is known of them, by key. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export const anonymous: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/** The server acting on its own behalf: garbage collection, namespaces. */
export const apiServerUser: User = { name: 'system:apiserver', groups: ['system:masters'] };
