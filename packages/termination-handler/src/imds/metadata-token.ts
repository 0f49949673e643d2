import type { Clock, Instant } from '@karpenter/kube/runtime';
import { type MetadataClientOptions, type MetadataReply, sendMetadataRequest } from './metadata-request.ts';

const lifetimeHeader = 'x-aws-ec2-metadata-token-ttl-seconds';
const lifetimeSeconds = 3_600;
/** A token with less time left is replaced before it is used. */
const minLifetimeMs = 15_000;

/** The session token of IMDS version 2, renewed before it expires. */
export class MetadataToken {
  readonly #options: MetadataClientOptions;
  readonly #clock: Clock;
  #token: string | undefined;
  #expiresAt: Instant = 0;

  constructor(options: MetadataClientOptions) {
    this.#options = options;
    this.#clock = options.clock;
  }

  /** The token to send; undefined if the service gives none, which means to ask as in version 1. */
  async current(signal?: AbortSignal): Promise<string | undefined> {
    if (this.#token !== undefined && this.#expiresAt - this.#clock.now() > minLifetimeMs) return this.#token;
    const reply = await this.#request(signal);
    this.#token = reply?.status === 200 && reply.body !== '' ? reply.body : undefined;
    if (reply !== undefined) this.noteLifetime(reply);
    return this.#token;
  }

  /** The service has rejected the token. */
  clear(): void {
    this.#token = undefined;
  }

  /** Takes over the remaining lifetime that every answer of version 2 states. */
  noteLifetime({ headers }: MetadataReply): void {
    const seconds = Number(headers.get(lifetimeHeader) ?? Number.NaN);
    if (Number.isFinite(seconds)) this.#expiresAt = this.#clock.now() + seconds * 1000;
  }

  async #request(signal: AbortSignal | undefined): Promise<MetadataReply | undefined> {
    try {
      return await sendMetadataRequest(this.#options, {
        method: 'PUT',
        path: '/latest/api/token',
        headers: { [lifetimeHeader]: String(lifetimeSeconds) },
        signal,
      });
    } catch {
      // Version 1 may answer where version 2 does not; if neither does, the request itself fails.
      return undefined;
    }
  }
}
