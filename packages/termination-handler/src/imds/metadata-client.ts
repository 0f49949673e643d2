import { CodedError } from '@karpenter/core/errors';
import { type MetadataClientOptions, type MetadataReply, sendMetadataRequest } from './metadata-request.ts';
import { MetadataToken } from './metadata-token.ts';

/** Reads of the instance metadata service. */
export interface MetadataReader {
  /** The document at a path below `/latest`; undefined if there is none (404). Fails for every other status. */
  read(path: string, signal?: AbortSignal): Promise<string | undefined>;
}

/** A client of the instance metadata service, version 2 where the service gives tokens and version 1 elsewhere. */
export class MetadataClient implements MetadataReader {
  readonly #options: MetadataClientOptions;
  readonly #token: MetadataToken;

  constructor(options: MetadataClientOptions) {
    this.#options = options;
    this.#token = new MetadataToken(options);
  }

  async read(path: string, signal?: AbortSignal): Promise<string | undefined> {
    const full = `/latest/${path}`;
    let reply = await this.#get(full, signal);
    if (reply.status === 401) {
      this.#token.clear();
      reply = await this.#get(full, signal);
    }
    if (reply.status === 200) return reply.body;
    if (reply.status === 404) return undefined;
    throw new CodedError(
      'metadata-unexpected',
      `cannot read ${full} of the instance metadata service: it answered with status ${reply.status}`,
      { details: { path: full, status: reply.status } },
    );
  }

  async #get(path: string, signal: AbortSignal | undefined): Promise<MetadataReply> {
    const token = await this.#token.current(signal);
    const headers: Record<string, string> = token === undefined ? {} : { 'x-aws-ec2-metadata-token': token };
    const reply = await sendMetadataRequest(this.#options, { method: 'GET', path, headers, signal });
    if (token !== undefined && reply.status !== 401) this.#token.noteLifetime(reply);
    return reply;
  }
}
