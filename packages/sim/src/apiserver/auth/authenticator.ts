import type { TLSSocket } from 'node:tls';
import type { Incoming } from '../http/reply.ts';
import { StatusError } from '../status/status-error.ts';
import { metadataOf, type Store } from '../store/index.ts';
import { serverAudience, type TokenSigner } from './token-signer.ts';
import { anonymous, type User } from './user.ts';

export interface AuthenticatorOptions {
  /** Static tokens, among them that of the administrator. They never expire. */
  readonly tokens: ReadonlyMap<string, User>;
  readonly signer: TokenSigner;
  readonly store: Store;
  readonly now: () => number;
}

/** Authenticates requests by bearer token, else by client certificate, else as `system:anonymous`. */
export class Authenticator {
  readonly #options: AuthenticatorOptions;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  /** Throws 401 for a token that is not valid: a client with a bad token must not become anonymous. */
  authenticate(request: Incoming): User {
    const { authorization } = request.headers;
    if (authorization === undefined) return certificateUser(request) ?? anonymous;
    const token = /^Bearer\s+(\S+)\s*$/i.exec(authorization)?.[1];
    const user = token === undefined ? undefined : this.tokenUser(token);
    if (user === undefined) throw new StatusError(401, 'Unauthorized', 'Unauthorized');
    return user;
  }

  /**
   * Undefined for a token that is unknown, expired, for none of the wanted audiences or of a service account
   * that no longer exists.
   */
  tokenUser(token: string, wanted: readonly string[] = [serverAudience]): User | undefined {
    const known = this.#options.tokens.get(token);
    return known ?? this.#serviceAccount(token, wanted);
  }

  #serviceAccount(token: string, wanted: readonly string[]): User | undefined {
    const { signer, store, now } = this.#options;
    const claims = signer.read(token);
    if (claims === undefined || claims.expires * 1000 <= now()) return undefined;
    const { namespace, name, uid, audiences } = claims;
    // A service that receives a token for its own audience must not be able to use it against this server.
    if (!wanted.some((audience) => audiences.includes(audience))) return undefined;
    const account = store.get('serviceaccounts', namespace, name);
    // The uid check rejects tokens of an account that was deleted and created again under the same name.
    if (account === undefined || metadataOf(account.object)['uid'] !== uid) return undefined;
    return authenticated({
      name: `system:serviceaccount:${namespace}:${name}`,
      uid,
      groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
    });
  }
}

export function authenticated(user: User): User {
  return { ...user, groups: [...user.groups, 'system:authenticated'] };
}

/** For a certificate signed by the cluster's CA: the common name is the user, organizations are groups. */
function certificateUser(request: Incoming): User | undefined {
  const socket = tlsSocketOf(request);
  if (socket === undefined || !socket.authorized) return undefined;
  const { subject } = socket.getPeerCertificate();
  const [name] = textsOf(subject?.CN);
  return name === undefined ? undefined : authenticated({ name, groups: textsOf(subject.O) });
}

/** Node gives an attribute that occurs once as a string, and one that repeats as an array. */
function textsOf(value: unknown): readonly string[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value.map(String) : [String(value)];
}

/** In HTTP/2 `request.socket` is a proxy without certificates; the session holds the TLS socket. */
function tlsSocketOf(request: Incoming): TLSSocket | undefined {
  const socket: unknown = request.stream?.session?.socket ?? request.socket;
  return isTlsSocket(socket) ? socket : undefined;
}

function isTlsSocket(socket: unknown): socket is TLSSocket {
  return (
    typeof socket === 'object' && socket !== null && 'authorized' in socket && 'getPeerCertificate' in socket
  );
}
