import type { AwsCredentialIdentity } from '@smithy/types';
import { launchTuning } from '../names/index.ts';
import type { ManagedResource, ZonalShift, ZonalShiftService } from '../ports/index.ts';
import { SdkError } from './sdk-error.ts';
import type { BindingOptions } from './service-binding.ts';

interface ZonalShiftBindingOptions extends BindingOptions {
  readonly credentials: () => Promise<AwsCredentialIdentity>;
  readonly now: () => number;
}

/** One GET request, signed by the SDK's signer: the SDK's client for this service would be a package for one call. */
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
  // Imported with the first call, as the clients of the SDK are.
  const { signedHeaders } = await import('./signed-request.ts');
  const request = { url, region, service: 'arc-zonal-shift', at };
  const signed = await signedHeaders(request, await options.credentials());
  const timeout = AbortSignal.timeout(options.requestTimeoutMs ?? launchTuning.sdkTimeout);
  const answer = await fetch(url, {
    headers: { ...signed, 'user-agent': `karpenter.sh-${version}` },
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  });
  const body: unknown = await answer.json().catch(() => ({}));
  if (!answer.ok) throw refusal(answer, body);
  return body;
}

/** In the shape in which the SDK would have thrown it. */
function refusal(answer: Response, body: unknown): Error {
  const message = field(body, 'message') ?? field(body, 'Message');
  const type = answer.headers.get('x-amzn-errortype') ?? '';
  return Object.assign(new Error(typeof message === 'string' ? message : answer.statusText), {
    name: type.split(':')[0] || 'Unknown',
    $metadata: {
      httpStatusCode: answer.status,
      requestId: answer.headers.get('x-amzn-requestid') ?? '',
    },
  });
}

export function managedResource(body: unknown): ManagedResource {
  const shifts = field(body, 'zonalShifts');
  return { zonalShifts: Array.isArray(shifts) ? shifts.map(zonalShift) : [] };
}

/** Times come as seconds since 1970. */
function zonalShift(body: unknown): ZonalShift {
  return {
    awayFrom: String(field(body, 'awayFrom') ?? ''),
    appliedStatus: field(body, 'appliedStatus') === 'APPLIED' ? 'APPLIED' : 'NOT_APPLIED',
    expiryTime: new Date(Number(field(body, 'expiryTime') ?? 0) * 1000),
  };
}

/** Signatures cover the path as sent, where characters are escaped that `encodeURIComponent` leaves alone. */
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
