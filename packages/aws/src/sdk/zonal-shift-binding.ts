import type { AwsCredentialIdentity } from '@smithy/types';
import { launchTuning } from '../names/index.ts';
import type { ManagedResource, ZonalShift, ZonalShiftService } from '../ports/index.ts';
import { SdkError } from './sdk-error.ts';
import type { BindingOptions } from './service-binding.ts';

interface ZonalShiftBindingOptions extends BindingOptions {
  readonly credentials: () => Promise<AwsCredentialIdentity>;
  readonly now: () => number;
}

/** Makes the one GET request itself, signed by the SDK's signer, instead of adding an SDK package for one call. */
export function bindZonalShift(options: ZonalShiftBindingOptions): ZonalShiftService {
  const name = { service: 'ARC Zonal Shift', operation: 'GetManagedResource' };
  return {
    getManagedResource: ({ resourceIdentifier }, { signal } = {}) =>
      options.tracker.track(name, async () => {
        try {
          return managedResource(await get(options, resourceIdentifier, signal));
        } catch (error) {
          throw new SdkError(error, name);
        }
      }),
  };
}

async function get(
  options: ZonalShiftBindingOptions,
  resource: string,
  signal?: AbortSignal,
): Promise<unknown> {
  const { region, version } = options;
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const base = options.endpoint ?? `https://arc-zonal-shift.${region}.${suffix}`;
  const url = new URL(`/managedresources/${encodeSegment(resource)}`, base);
  const at = new Date(options.now());
  // Imported with the first call, like the clients of the SDK.
  const { signedHeaders } = await import('./signed-request.ts');
  const request = { url, region, service: 'arc-zonal-shift', at };
  const signed = await signedHeaders(request, await options.credentials());
  const timeout = AbortSignal.timeout(options.requestTimeoutMs ?? launchTuning.sdkTimeout);
  const response = await fetch(url, {
    headers: { ...signed, 'user-agent': `karpenter.sh-${version}` },
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  });
  const body: unknown = await response.json().catch(() => ({}));
  if (!response.ok) throw errorOf(response, body);
  return body;
}

/** Builds the error in the shape of the SDK, from which SdkError reads its fields. */
function errorOf(response: Response, body: unknown): Error {
  const message = field(body, 'message') ?? field(body, 'Message');
  const type = response.headers.get('x-amzn-errortype') ?? '';
  return Object.assign(new Error(typeof message === 'string' ? message : response.statusText), {
    name: type.split(':')[0] || 'Unknown',
    $metadata: {
      httpStatusCode: response.status,
      requestId: response.headers.get('x-amzn-requestid') ?? '',
    },
  });
}

export function managedResource(body: unknown): ManagedResource {
  const shifts = field(body, 'zonalShifts');
  return { zonalShifts: Array.isArray(shifts) ? shifts.map(zonalShift) : [] };
}

/** Times are in seconds since 1970. */
function zonalShift(body: unknown): ZonalShift {
  return {
    awayFrom: String(field(body, 'awayFrom') ?? ''),
    appliedStatus: field(body, 'appliedStatus') === 'APPLIED' ? 'APPLIED' : 'NOT_APPLIED',
    expiryTime: new Date(Number(field(body, 'expiryTime') ?? 0) * 1000),
  };
}

/** Escapes the characters that `encodeURIComponent` does not: the signature covers the path with these escaped. */
function encodeSegment(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
}
