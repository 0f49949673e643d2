import type { Agent } from 'node:http';

/** What proves to the server who asks; asked for again before each request, so that it can change. */
export interface Credentials {
  /** The value of the `Authorization` header. */
  readonly authorization?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A client certificate, used by connections opened from then on. */
  readonly certificate?: { readonly cert: string | Buffer; readonly key: string | Buffer };
}

export interface CredentialSource {
  current(): Promise<Credentials>;
  /** The server no longer accepts them; whether the next ones may differ. */
  renew?(): boolean;
}

/** How to reach an API server: what a kubeconfig or the account of a pod comes down to. */
export interface ClusterConfig {
  /** `https://host:port`, perhaps with a path in front of the API's own. */
  readonly server: string;
  /** Certificates to trust instead of those of the machine, in PEM. */
  readonly ca?: string | Buffer;
  /** The name that the server's certificate must have instead of the host's. */
  readonly tlsServerName?: string;
  /** Believes any certificate. */
  readonly insecure?: boolean;
  readonly credentials?: CredentialSource;
  /** Where the user works when nothing else is said. */
  readonly namespace?: string;
  /** A way around direct connections, such as a proxy; speaks HTTP/1.1. */
  readonly agent?: Agent;
}

/** A fixed token, for tests and tools. */
export function tokenCredentials(token: string): CredentialSource {
  const credentials = { authorization: `Bearer ${token}` };
  return { current: async () => credentials };
}
