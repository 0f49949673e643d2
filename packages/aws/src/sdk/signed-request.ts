import { createHash, createHmac } from 'node:crypto';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

export interface GetRequest {
  readonly url: URL;
  readonly region: string;
  /** The name that signatures go by. */
  readonly service: string;
  readonly at: Date;
}

/** Headers that prove a GET request to AWS (Signature Version 4). */
export function signedHeaders(request: GetRequest, credentials: AwsCredentials): Record<string, string> {
  const time = `${request.at.toISOString().replace(/[-:]|\.\d{3}/g, '')}`;
  const day = time.slice(0, 8);
  const headers: Record<string, string> = {
    host: request.url.host,
    'x-amz-date': time,
    ...(credentials.sessionToken !== undefined && { 'x-amz-security-token': credentials.sessionToken }),
  };
  const names = Object.keys(headers).sort();
  const canonical = [
    'GET',
    canonicalPath(request.url),
    '',
    ...names.map((name) => `${name}:${headers[name]}`),
    '',
    names.join(';'),
    hash(''),
  ].join('\n');
  const scope = `${day}/${request.region}/${request.service}/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', time, scope, hash(canonical)].join('\n');
  const key = [day, request.region, request.service, 'aws4_request'].reduce<Buffer | string>(
    (secret, part) => hmac(secret, part),
    `AWS4${credentials.secretAccessKey}`,
  );
  const signature = hmac(key, toSign).toString('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
  return { ...headers, authorization };
}

/** Encoded once more than on the wire, as all services but S3 demand. */
function canonicalPath({ pathname }: URL): string {
  return pathname.split('/').map(encodeSegment).join('/');
}

export function encodeSegment(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
