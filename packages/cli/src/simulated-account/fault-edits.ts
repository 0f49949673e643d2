import { CodedError } from '@karpenter/core/errors';
import { parseYaml } from '@karpenter/kube/yaml';
import type { Faults } from '@karpenter/sim/cloud';
import { stringify } from 'yaml';

/** The capacity and boots that hold now: a part that the text does not have yet begins as it is in force. */
export type FaultsInForce = Pick<Faults, 'capacity' | 'boots'>;

type FaultTable = Readonly<Record<string, unknown>>;

/** The text of a faults file in which no spot instance starts in the zone. */
export function withoutSpot(text: string, zone: string, inForce: FaultsInForce): string {
  const faults = tableOf(text);
  return stringify({ ...faults, capacity: [spotRule(zone), ...otherRules(faults, zone, inForce)] });
}

/** The text without what `withoutSpot` put into it. */
export function withSpot(text: string, zone: string, inForce: FaultsInForce): string {
  const faults = tableOf(text);
  return stringify({ ...faults, capacity: otherRules(faults, zone, inForce) });
}

export function withFailingBoots(text: string, isFailing: boolean, { boots }: FaultsInForce): string {
  const faults = tableOf(text);
  const { delay, jitter, slow, slowBy } = boots;
  // The parts of a file replace those of the start whole, so the others have to be written too.
  const now = { delay: `${delay}ms`, jitter: `${jitter}ms`, slow, slowBy: `${slowBy}ms` };
  const written = isTable(faults['boots']) ? faults['boots'] : {};
  return stringify({ ...faults, boots: { ...now, ...written, failing: isFailing ? 1 : 0 } });
}

function spotRule(zone: string) {
  return { zones: zone, capacityTypes: 'spot', depth: 0 };
}

function otherRules({ capacity }: FaultTable, zone: string, inForce: FaultsInForce): readonly unknown[] {
  const rules = Array.isArray(capacity) ? capacity : inForce.capacity;
  return rules.filter((rule) => !isSpotRule(rule, zone));
}

function isSpotRule(rule: unknown, zone: string): boolean {
  if (!isTable(rule)) return false;
  const { types = '*', zones, capacityTypes, depth } = rule;
  return types === '*' && zones === zone && capacityTypes === 'spot' && depth === 0;
}

function tableOf(text: string): FaultTable {
  const parsed = parsedFaults(text);
  if (isTable(parsed)) return parsed;
  throw new CodedError(
    'invalid-faults',
    'the faults that are set cannot be read, so they are not changed; run karpenter faults clear first',
  );
}

/** Undefined for a text that someone broke by hand. */
function parsedFaults(text: string): unknown {
  try {
    return parseYaml(text) ?? {};
  } catch {
    return undefined;
  }
}

function isTable(value: unknown): value is FaultTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
