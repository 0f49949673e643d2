import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AwsCredentialIdentity, Checksum, SourceData } from '@smithy/types';

export interface GetRequest {
  readonly url: URL;
  readonly region: string;
  /** Signing name of the service. */
  readonly service: string;
  readonly at: Date;
}

/** Signs a GET request to AWS with the signer of the SDK's clients, and returns the headers. */
export async function signedHeaders(
  { url, region, service, at }: GetRequest,
  credentials: AwsCredentialIdentity,
): Promise<Record<string, string>> {
  const signer = new SignatureV4({ service, region, credentials, sha256: Sha256, applyChecksum: false });
  const request = {
    method: 'GET',
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    headers: { host: url.host },
  };
  const { headers } = await signer.sign(request, { signingDate: at });
  return headers;
}

/** The hash function that the signer requires as a parameter. */
class Sha256 implements Checksum {
  readonly #secret: SourceData | undefined;
  #chunks: Uint8Array[] = [];

  constructor(secret?: SourceData) {
    this.#secret = secret;
  }

  update(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
  }

  async digest(): Promise<Uint8Array> {
    const hash =
      this.#secret === undefined ? createHash('sha256') : createHmac('sha256', keyOf(this.#secret));
    for (const chunk of this.#chunks) hash.update(chunk);
    return hash.digest();
  }

  reset(): void {
    this.#chunks = [];
  }
}

function keyOf(secret: SourceData): string | Uint8Array {
  if (typeof secret === 'string') return secret;
  if (secret instanceof ArrayBuffer) return new Uint8Array(secret);
  return new Uint8Array(secret.buffer, secret.byteOffset, secret.byteLength);
}
