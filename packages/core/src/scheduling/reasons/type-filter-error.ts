import { checkMinValues, minValuesText, type Requirements } from '../../requirements/index.ts';
import {
  formatResourceList,
  type HostPort,
  hostPortsClash,
  parseQuantity,
  parseResourceList,
  type QuantityTexts,
  sumResources,
  toNumber,
} from '../../values/index.ts';
import { fitsInto } from '../context/resource-axes.ts';
import type { CompiledOffering } from '../instance-types/compiled-type.ts';
import type { NodeTemplate, TemplateType } from '../instance-types/node-template.ts';
import type { FailedCheck } from '../plan-result.ts';

/** Which checks, and which pairs of them, some type passed. */
interface Passed {
  requirements: boolean;
  fits: boolean;
  offering: boolean;
  requirementsAndFits: boolean;
  requirementsAndOffering: boolean;
  fitsAndOffering: boolean;
}

export interface TypeFilterError {
  readonly failed: readonly FailedCheck[];
  readonly message: string;
}

export interface UnmetRequest {
  readonly template: NodeTemplate;
  readonly requirements: Requirements;
  readonly requests: QuantityTexts;
  readonly size: Float64Array;
  readonly hostPorts: readonly HostPort[];
}

const millionCores = 1_000_000;

/** Why no instance type of the pool can take the pod, with Karpenter's message. */
export function typeFilterError(unmet: UnmetRequest): TypeFilterError {
  const { template, requirements } = unmet;
  const types = template.types.filter(({ exceedsLimits }) => !exceedsLimits);
  const open = typesWithPorts(types, unmet);
  const passed = passedChecks(open, unmet);
  const failed = failedChecks(passed);
  const minimum = minValuesShortfall(open, unmet);
  const opening = minimum ?? openingFor(passed, unmet);
  return {
    failed,
    message: `${opening}, requirements=${requirements}, resources=${resourcesText(types, unmet)}`,
  };
}

/**
 * Types whose daemons use a host port of the pod are dropped first, as in Karpenter: the message does not
 * name ports.
 */
export function typesWithPorts(
  types: readonly TemplateType[],
  { hostPorts }: UnmetRequest,
): readonly TemplateType[] {
  return types.filter(({ daemonPorts }) => !hostPortsClash(daemonPorts, hostPorts));
}

function passedChecks(types: readonly TemplateType[], { requirements, size }: UnmetRequest): Passed {
  const passed: Passed = {
    requirements: false,
    fits: false,
    offering: false,
    requirementsAndFits: false,
    requirementsAndOffering: false,
    fitsAndOffering: false,
  };
  for (const type of types) {
    const met = type.type.intersects(requirements);
    const offered = type.type.offerings.filter(
      (offering) => offering.available && requirements.intersects(offering.requirements),
    );
    const fits = fitsOn(offered, type, size);
    passed.requirements ||= met;
    passed.fits ||= fits;
    passed.offering ||= offered.length > 0;
    passed.requirementsAndFits ||= met && fits;
    passed.requirementsAndOffering ||= met && offered.length > 0;
    passed.fitsAndOffering ||= fits && offered.length > 0;
  }
  return passed;
}

/**
 * Requests must fit on an available offering: a type without one does not pass the check of resources either.
 */
function fitsOn(
  offered: readonly CompiledOffering[],
  { daemonSize }: TemplateType,
  size: Float64Array,
): boolean {
  const total = size.map((amount, axis) => amount + (daemonSize[axis] ?? 0));
  return offered.some(({ allocatable }) => fitsInto(total, allocatable));
}

function failedChecks(passed: Passed): readonly FailedCheck[] {
  const alone: FailedCheck[] = [];
  if (!passed.requirements) alone.push('requirements');
  if (!passed.fits) alone.push('resources');
  if (!passed.offering) alone.push('offering');
  return alone.length > 0 ? alone : ['requirements', 'resources', 'offering'];
}

function openingFor(passed: Passed, unmet: UnmetRequest): string {
  const { requirements, fits, offering } = passed;
  const missing = [
    requirements ? [] : ['met the scheduling requirements'],
    fits ? [] : ['had enough resources'],
    offering ? [] : ['had a required offering'],
  ].flat();
  if (missing.length > 1) return `no instance type ${missing.join(' or ')}`;
  if (!requirements) return 'no instance type met all requirements';
  if (!fits) return `no instance type has enough resources${typoHint(unmet)}`;
  if (!offering) return 'no instance type has the required offering';
  return combinationOpening(passed);
}

function combinationOpening(passed: Passed): string {
  if (passed.requirementsAndFits) {
    return 'no instance type which met the scheduling requirements and had enough resources, had a required offering';
  }
  if (passed.fitsAndOffering) {
    return 'no instance type which had enough resources and the required offering met the scheduling requirements';
  }
  if (passed.requirementsAndOffering) {
    return 'no instance type which met the scheduling requirements and the required offering had the required resources';
  }
  return 'no instance type met the requirements/resources/offering tuple';
}

function typoHint({ requests }: UnmetRequest): string {
  const cores = toNumber(parseQuantity(requests['cpu'] ?? 0, 'cpu'));
  return cores >= millionCores ? ' (CPU request >= 1 Million, m vs M typo?)' : '';
}

function minValuesShortfall(types: readonly TemplateType[], unmet: UnmetRequest): string | undefined {
  const fitting = types.filter(
    (type) => type.type.intersects(unmet.requirements) && fitsOn(type.type.offerings, type, unmet.size),
  );
  if (fitting.length === 0) return undefined;
  const { shortfalls } = checkMinValues(
    unmet.requirements,
    fitting.map(({ type }) => type.requirements),
  );
  return shortfalls.length === 0 ? undefined : minValuesText(shortfalls);
}

/**
 * Requests plus daemon overhead; if the overhead differs by type, the least and the most of types with
 * daemons.
 */
function resourcesText(types: readonly TemplateType[], { requests }: UnmetRequest): string {
  const requested = parseResourceList(requests);
  // Types with the same daemons share their list: a pod may request thousands of resources, of a thousand types.
  const groups = [...new Set(types.map(({ daemons }) => daemons))].filter((daemons) => daemons.length > 0);
  const sums = groups.map((daemons) =>
    sumResources(requested, ...daemons.map((daemon) => parseResourceList(daemon.requests))),
  );
  const texts = [...new Set(sums.map(formatResourceList))].sort(
    (a, b) => a.length - b.length || (a < b ? -1 : 1),
  );
  const [first = formatResourceList(requested)] = texts;
  return texts.length <= 1 ? first : `min=${first}, max=${texts.at(-1)}`;
}
