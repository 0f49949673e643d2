import type { IncomingHttpHeaders } from 'node:http';

/** A request as protocols read it. */
export interface WireRequest {
  readonly method: string;
  /** Still escaped. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface WireReply {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Region and service in the credential scope of the signature. The signature itself is not verified. */
export interface CredentialScope {
  readonly region: string;
  readonly service: string;
}

const scopePattern = /Credential=[^/,]+\/\d{8}\/(?<region>[^/,]+)\/(?<service>[^/,]+)\/aws4_request/;

/** Undefined for a request without a signature. Presigned URLs have the scope in a parameter. */
export function scopeOf({ headers, query }: WireRequest): CredentialScope | undefined {
  const credential = query.get('X-Amz-Credential');
  const text = credential === null ? (headers.authorization ?? '') : `Credential=${credential}`;
  const { region, service } = scopePattern.exec(text)?.groups ?? {};
  return region === undefined || service === undefined ? undefined : { region, service };
}

/** `AmazonSQS.ReceiveMessage`: the operation of a JSON request. */
export function targetOf({ headers }: WireRequest): { service: string; operation: string } | undefined {
  const target = headers['x-amz-target'];
  if (typeof target !== 'string') return undefined;
  const dot = target.lastIndexOf('.');
  return { service: target.slice(0, Math.max(0, dot)), operation: target.slice(dot + 1) };
}

/** The parameters of a query request: those of its body, and those of its URL. */
export function parametersOf({ query, body, headers }: WireRequest): URLSearchParams {
  const parameters = new URLSearchParams(query);
  const type = headers['content-type'] ?? '';
  if (!type.startsWith('application/x-www-form-urlencoded')) return parameters;
  for (const [name, value] of new URLSearchParams(body)) parameters.append(name, value);
  return parameters;
}
