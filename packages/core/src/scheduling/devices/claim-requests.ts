import { amountOf } from './device.ts';
import type {
  DeviceClassView,
  DeviceConstraintView,
  DeviceRequestView,
  DeviceSelectorView,
  DeviceTolerationView,
  ExactRequestView,
  ResourceClaimView,
} from './resource-shapes.ts';

/** The requests of a ResourceClaim, with the selectors of their device classes. */
export interface ClaimRequests {
  /** `namespace/name`. */
  readonly claim: string;
  readonly requests: readonly DeviceRequest[];
  readonly constraints: readonly DeviceConstraintView[];
}

export interface DeviceRequest {
  readonly name: string;
  /** In the order of preference; most requests have one. */
  readonly alternatives: readonly RequestAlternative[];
}

export interface RequestAlternative {
  /** Name of the request, or `request/alternative`. */
  readonly name: string;
  /** CEL expressions that must all hold: those of the class, then its own. */
  readonly selectors: readonly string[];
  readonly count: number | 'all';
  /** May use devices that are in use, and does not use them up. */
  readonly adminAccess: boolean;
  readonly tolerations: readonly DeviceTolerationView[];
  /** Requested amounts, by name of the capacity. */
  readonly capacity: ReadonlyMap<string, bigint>;
}

/** The requests of a claim, or a text that says why they cannot be read. */
export function claimRequests(
  { metadata, spec }: ResourceClaimView,
  classes: ReadonlyMap<string, DeviceClassView>,
): ClaimRequests | string {
  const claim = `${metadata.namespace}/${metadata.name}`;
  const { requests = [], constraints = [] } = spec.devices ?? {};
  const made: DeviceRequest[] = [];
  for (const request of requests) {
    const written = alternativesOf(request);
    const unknown = written.find(({ deviceClassName }) => !classes.has(deviceClassName));
    if (unknown !== undefined)
      return `claim ${claim}, request ${request.name}: device class ${unknown.deviceClassName} does not exist`;
    if (written.length === 0)
      return `claim ${claim}, request ${request.name}: asks in a way that is not known`;
    made.push({
      name: request.name,
      alternatives: written.map((each) => alternative(each, classes.get(each.deviceClassName))),
    });
  }
  return { claim, requests: made, constraints };
}

interface NamedRequest extends ExactRequestView {
  readonly name: string;
}

function alternativesOf({ name, exactly, firstAvailable = [] }: DeviceRequestView): readonly NamedRequest[] {
  if (exactly !== undefined) return [{ ...exactly, name }];
  return firstAvailable.map((each) => ({ ...each, name: `${name}/${each.name}` }));
}

function alternative(written: NamedRequest, deviceClass: DeviceClassView | undefined): RequestAlternative {
  const { name, selectors, allocationMode, count = 1, adminAccess = false } = written;
  const { tolerations = [], capacity } = written;
  return {
    name,
    selectors: [...expressionsOf(deviceClass?.spec?.selectors), ...expressionsOf(selectors)],
    count: allocationMode === 'All' ? 'all' : count,
    adminAccess,
    tolerations,
    capacity: new Map(
      Object.entries(capacity?.requests ?? {}).map(([key, amount]) => [key, amountOf(amount)]),
    ),
  };
}

function expressionsOf(selectors: readonly DeviceSelectorView[] = []): readonly string[] {
  return selectors.flatMap(({ cel }) => (cel === undefined ? [] : [cel.expression]));
}
