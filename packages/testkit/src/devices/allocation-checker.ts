import type { DeviceTemplate, DeviceView } from '@karpenter/core/ports';
import type { ResourceClaimView } from '@karpenter/core/scheduling';

/** A device of a pool, allocated to a request of a claim; one entry per share. */
export interface GivenDevice {
  /** `namespace/name`. */
  readonly claim: string;
  /** `request` or `request/alternative`. */
  readonly request: string;
  /** `driver/pool/name`. */
  readonly device: string;
}

export interface AllocationCase {
  readonly templates: readonly DeviceTemplate[];
  readonly claims: readonly ResourceClaimView[];
}

interface Found {
  readonly driver: string;
  readonly pool: string;
  readonly view: DeviceView;
}

type Request = NonNullable<NonNullable<ResourceClaimView['spec']['devices']>['requests']>[number];
type Constraint = NonNullable<NonNullable<ResourceClaimView['spec']['devices']>['constraints']>[number];
type Exact = NonNullable<Request['exactly']>;

/**
 * Lists the errors of an allocation, from the objects alone and in plain numbers: it shares no code with the
 * allocator that it checks. Supports the selectors that `readPlainSelector` reads; class `gpu` has none.
 */
export function allocationFaults(
  given: readonly GivenDevice[],
  { templates, claims }: AllocationCase,
): string[] {
  const devices = devicesById(templates);
  const faults: string[] = [];
  for (const { device } of given) if (!devices.has(device)) faults.push(`${device} is not there`);
  faults.push(...doubleUse(given, devices), ...overdrawn(given, devices, templates));
  for (const claim of claims) {
    const name = `${claim.metadata.namespace}/${claim.metadata.name}`;
    const own = given.filter((each) => each.claim === name);
    const { requests = [], constraints = [] } = claim.spec.devices ?? {};
    for (const request of requests) faults.push(...requestFaults(request, own, devices));
    for (const constraint of constraints)
      faults.push(...constraintFaults(constraint, own, devices).map((fault) => `${name} ${fault}`));
  }
  return faults;
}

function constraintFaults(
  { requests = [], matchAttribute, distinctAttribute }: Constraint,
  own: readonly GivenDevice[],
  devices: ReadonlyMap<string, Found>,
): string[] {
  const concerned = own.filter(
    ({ request }) => requests.length === 0 || requests.includes(request.split('/')[0] ?? ''),
  );
  const texts = (attribute = '') =>
    new Set(concerned.map(({ device }) => textOf(devices.get(device), attribute)));
  const matched = texts(matchAttribute);
  const distinct = texts(distinctAttribute);
  const differ = matchAttribute !== undefined && (matched.size > 1 || matched.has(undefined));
  const areAlike =
    distinctAttribute !== undefined && (distinct.size < concerned.length || distinct.has(undefined));
  return [
    ...(differ ? [`has devices that differ in ${matchAttribute}`] : []),
    ...(areAlike ? [`has devices that are alike in ${distinctAttribute}`] : []),
  ];
}

function devicesById(templates: readonly DeviceTemplate[]): ReadonlyMap<string, Found> {
  return new Map(
    templates.flatMap(({ driver, pool, devices = [] }) =>
      devices.map((view) => [`${driver}/${pool}/${view.name}`, { driver, pool, view }] as const),
    ),
  );
}

function textOf(found: Found | undefined, attribute: string): string | undefined {
  const [domain = '', name = ''] = attribute.split('/');
  const attributes = found?.view.attributes ?? {};
  const value = attributes[attribute] ?? (domain === found?.driver ? attributes[name] : undefined);
  return value?.string;
}

function doubleUse(given: readonly GivenDevice[], devices: ReadonlyMap<string, Found>): string[] {
  return [...new Set(given.map(({ device }) => device))].flatMap((id) => {
    const times = given.filter(({ device }) => device === id).length;
    return times > 1 && devices.get(id)?.view.allowMultipleAllocations !== true
      ? [`${id} is given ${times} times`]
      : [];
  });
}

/** Counters of pools, charged once per device in use. */
function overdrawn(
  given: readonly GivenDevice[],
  devices: ReadonlyMap<string, Found>,
  templates: readonly DeviceTemplate[],
): string[] {
  const used = [...new Set(given.map(({ device }) => device))].flatMap((id) => devices.get(id) ?? []);
  return templates.flatMap(({ driver, pool, sharedCounters = [] }) =>
    sharedCounters.flatMap(({ name: set, counters }) =>
      Object.entries(counters).flatMap(([counter, { value }]) => {
        const taken = used
          .filter((each) => each.driver === driver && each.pool === pool)
          .flatMap(({ view }) => view.consumesCounters ?? [])
          .filter(({ counterSet }) => counterSet === set)
          .reduce((sum, each) => sum + Number(each.counters[counter]?.value ?? 0), 0);
        return taken > Number(value) ? [`counter ${set}/${counter} of ${pool} is overdrawn`] : [];
      }),
    ),
  );
}

function requestFaults(
  { name, exactly, firstAvailable = [] }: Request,
  own: readonly GivenDevice[],
  devices: ReadonlyMap<string, Found>,
): string[] {
  const alternatives =
    exactly === undefined
      ? firstAvailable.map((each) => [`${name}/${each.name}`, each] as const)
      : [[name, exactly] as const];
  const chosen = alternatives.filter(([full]) => own.some(({ request }) => request === full));
  const [only, another] = chosen;
  if (only === undefined || another !== undefined)
    return [`request ${name} has ${chosen.length} alternatives`];
  const [full, asked] = only;
  const got = own
    .filter(({ request }) => request === full)
    .flatMap(({ device }) => devices.get(device) ?? []);
  const wrong = got.filter((each) => !isSelected(asked, each));
  const wanted =
    asked.allocationMode === 'All'
      ? [...devices.values()].filter((each) => isSelected(asked, each)).length
      : (asked.count ?? 1);
  return [
    ...(wrong.length > 0 ? [`request ${full} has devices that it does not select`] : []),
    ...(got.length === wanted ? [] : [`request ${full} has ${got.length} devices, not ${wanted}`]),
  ];
}

function isSelected({ selectors = [] }: Exact, { driver, view }: Found): boolean {
  return selectors.every(({ cel }) => {
    const [name = '', value] = (cel?.expression ?? '').split(' == ');
    return value === (name === 'driver' ? driver : view.attributes?.[name]?.string);
  });
}

/** Whether any allocation exists, by exhaustive search; for a handful of devices. */
export function isAllocatable(problem: AllocationCase): boolean {
  const devices = devicesById(problem.templates);
  const requests = problem.claims.flatMap(({ metadata, spec }) =>
    (spec.devices?.requests ?? []).map((request) => ({
      claim: `${metadata.namespace}/${metadata.name}`,
      request,
    })),
  );
  const everyWay = (from: number, given: readonly GivenDevice[]): boolean => {
    const [next] = requests.slice(from);
    if (next === undefined) return allocationFaults(given, problem).length === 0;
    return choicesFor(next.request, devices).some((choice) => {
      const more = [...given, ...choice.map((each) => ({ ...each, claim: next.claim }))];
      if (doubleUse(more, devices).length > 0) return false;
      return everyWay(from + 1, more);
    });
  };
  return everyWay(0, []);
}

type Choice = readonly Omit<GivenDevice, 'claim'>[];

/** Every set of devices that could serve the request if all devices were free. */
function choicesFor(
  { name, exactly, firstAvailable = [] }: Request,
  devices: ReadonlyMap<string, Found>,
): readonly Choice[] {
  const alternatives =
    exactly === undefined
      ? firstAvailable.map((each) => [`${name}/${each.name}`, each] as const)
      : [[name, exactly] as const];
  return alternatives.flatMap(([request, asked]) => {
    const selected = [...devices].filter(([, found]) => isSelected(asked, found)).map(([id]) => id);
    const sets = asked.allocationMode === 'All' ? [selected] : setsOf(selected, asked.count ?? 1);
    return sets.filter(({ length }) => length > 0).map((ids) => ids.map((device) => ({ request, device })));
  });
}

function setsOf(ids: readonly string[], size: number): readonly (readonly string[])[] {
  if (size === 0) return [[]];
  return ids.flatMap((id, index) => setsOf(ids.slice(index + 1), size - 1).map((rest) => [id, ...rest]));
}
