import { createHmac, timingSafeEqual } from 'node:crypto';

/** Claims of a service account token. */
export interface ServiceAccountClaims {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly audiences: readonly string[];
  /** In seconds since 1970. */
  readonly expires: number;
}

const issuer = 'https://kubernetes.default.svc';
/** The audience of tokens for this server. */
export const serverAudience = issuer;
const header = encode({ alg: 'HS256', typ: 'JWT' });

/** Signs and verifies service account tokens: JWTs under an HMAC key that only this server has. */
export class TokenSigner {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  sign({ namespace, name, uid, audiences, expires }: ServiceAccountClaims): string {
    const body = encode({
      iss: issuer,
      sub: `system:serviceaccount:${namespace}:${name}`,
      aud: audiences,
      exp: expires,
      'kubernetes.io': { namespace, serviceaccount: { name, uid } },
    });
    return `${header}.${body}.${this.#signature(`${header}.${body}`)}`;
  }

  /**
   * Undefined for a token that this server did not sign. Does not check expiry or audience: the caller does.
   */
  read(token: string): ServiceAccountClaims | undefined {
    const [head, body, signature, ...more] = token.split('.');
    if (head !== header || body === undefined || signature === undefined || more.length > 0) return undefined;
    if (!isEqual(signature, this.#signature(`${head}.${body}`))) return undefined;
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
    const { namespace, serviceaccount } = claims['kubernetes.io'];
    return { namespace, ...serviceaccount, audiences: claims.aud, expires: claims.exp };
  }

  #signature(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function isEqual(a: string, b: string): boolean {
  // The length in bytes: characters of a forged signature may have several.
  const [given, expected] = [Buffer.from(a), Buffer.from(b)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}
