import type { Agent } from 'node:http';

/** What authenticates a request. The client reads it before each request, so that tokens can rotate. */
export interface Credentials {
  /** The value of the `Authorization` header. */
  readonly authorization?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Client certificate. Only connections opened later use a new one. */
  readonly certificate?: { readonly cert: string | Buffer; readonly key: string | Buffer };
}

/** Provides credentials that may change, such as rotating tokens and exec plugins. */
export interface CredentialSource {
  /** Returns the credentials to use now. A rejection fails the request. */
  current(): Promise<Credentials>;
  /**
   * Called after a 401. Returns whether `current` may now return
   * other credentials, which makes the client retry once.
   */
  renew?(): boolean;
}

/** How to reach an API server, as loaded from a kubeconfig or from a pod's service account. */
export interface ClusterConfig {
  /** `https://host:port`, optionally with a path prefix. */
  readonly server: string;
  /** CA certificates in PEM, trusted instead of the system's. */
  readonly ca?: string | Buffer;
  /** Name to verify in the server's certificate instead of the host name. */
  readonly tlsServerName?: string;
  /** Skips verification of the server's certificate. */
  readonly insecure?: boolean;
  readonly credentials?: CredentialSource;
  /** Default namespace of the context. */
  readonly namespace?: string;
  /** Agent for connections through a proxy. The client then uses HTTP/1.1. */
  readonly agent?: Agent;
}

/** Credentials of a fixed bearer token, for tests and tools. */
export function tokenCredentials(token: string): CredentialSource {
  const credentials = { authorization: `Bearer ${token}` };
  return { current: async () => credentials };
}
