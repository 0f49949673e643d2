import { CodedError } from '@karpenter/core/errors';
import { nearestName } from '@karpenter/core/values';
import { regions, zones } from '@karpenter/ec2-catalogue';

interface FaultPreset {
  readonly parameters: readonly string[];
  readonly meaning: string;
  /** The text of the faults file. */
  text(zone: string): string;
}

/** Faults that many people want, by name. */
const presets: Readonly<Record<string, FaultPreset>> = {
  'no-spot': {
    parameters: [],
    meaning: 'no spot instance starts',
    text: () => 'capacity:\n- {capacityTypes: spot, depth: 0}\n',
  },
  'zone-down': {
    parameters: ['ZONE'],
    meaning: 'no instance starts in a zone, and its spot instances are interrupted within ten minutes',
    text: (zone) => `capacity:\n- {zones: ${zone}, depth: 0}\n`,
  },
  'slow-boots': {
    parameters: [],
    meaning: 'instances need five minutes to join',
    text: () => 'boots: {delay: 5m, jitter: 0s}\n',
  },
};

export function isPreset(name: string): boolean {
  return Object.hasOwn(presets, name);
}

/** The preset that a mistyped name may mean; none for a path. */
export function nearestPreset(name: string): string | undefined {
  return /[/\\]/.test(name) ? undefined : nearestName(name, Object.keys(presets));
}

/** One line for each preset, for the help. */
export function presetLines(): readonly string[] {
  return Object.entries(presets).map(
    ([name, { parameters, meaning }]) => `  ${[name, ...parameters].join(' ').padEnd(46)} ${meaning}`,
  );
}

/** The faults file of a preset. Throws a CodedError if the arguments are not those of the preset. */
export function presetText(name: string, args: readonly string[]): string {
  const preset = presets[name];
  if (preset === undefined || preset.parameters.length !== args.length)
    throw new CodedError(
      'invalid-setting',
      `${name} cannot be set with ${args.length} arguments; write: karpenter faults set ${[name, ...(preset?.parameters ?? [])].join(' ')}`,
      { details: { preset: name } },
    );
  const [zone = ''] = args;
  if (args.length > 0) checkZone(zone);
  return preset.text(zone);
}

/** A zone that does not exist would change nothing without a word. */
function checkZone(zone: string): void {
  const isKnown = regions().some((region) => zones(region).some(({ name }) => name === zone));
  if (isKnown) return;
  throw new CodedError(
    'invalid-setting',
    `no AWS region has the zone ${JSON.stringify(zone)}; kubectl get nodes -L topology.kubernetes.io/zone shows those in use`,
    { details: { zone } },
  );
}
