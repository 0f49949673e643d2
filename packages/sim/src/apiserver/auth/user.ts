/** An authenticated user, like Kubernetes' `user.Info`. */
export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  /** Extra information by key, as in `UserInfo.extra`. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export const anonymous: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/** The user of writes that the server makes itself, such as garbage collection and namespace deletion. */
export const apiServerUser: User = { name: 'system:apiserver', groups: ['system:masters'] };
