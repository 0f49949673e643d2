import { nearestName } from '../../values/index.ts';
import { readBoolean } from './go-values.ts';
import { defineSetting, type SettingDefinition, type SettingReading } from './setting.ts';

export type FeatureGates<Gate extends string> = Readonly<Record<Gate, boolean>>;

/** Gates as `A=true,B=false`. Gates that are not mentioned keep their defaults; unknown ones are ignored with a warning. */
export function featureGatesSetting<const Gate extends string>(
  flag: string,
  options: { readonly default: FeatureGates<Gate>; readonly description: string },
): SettingDefinition<FeatureGates<Gate>> {
  const accepts = 'gates such as NodeRepair=true,NodeOverlay=false';
  const definition = defineSetting('feature gates', flag, { ...options, accepts }, (text) =>
    readFeatureGates(text, options.default, flag),
  );
  return { ...definition, defaultText: formatFeatureGates(options.default) };
}

function formatFeatureGates(gates: Readonly<Record<string, boolean>>): string {
  return Object.entries(gates)
    .map(([gate, isOn]) => `${gate}=${isOn}`)
    .join(',');
}

function readFeatureGates<Gate extends string>(
  text: string,
  defaults: FeatureGates<Gate>,
  flag: string,
): SettingReading<FeatureGates<Gate>> {
  const gates: Record<string, boolean> = { ...defaults };
  const warnings: string[] = [];
  for (const pair of text.split(',').filter((part) => part.trim() !== '')) {
    const [gate = '', setting] = splitOnce(pair);
    const isOn = readBoolean(setting);
    if (isOn === undefined) {
      return {
        refused: `${flag}: ${JSON.stringify(pair)} is not a gate with its value, such as NodeRepair=true`,
      };
    }
    if (Object.hasOwn(defaults, gate)) gates[gate] = isOn;
    else warnings.push(`${flag}: ${unknownGate(gate, Object.keys(defaults))}`);
  }
  return { value: gates as FeatureGates<Gate>, warnings };
}

/** Karpenter ignores gates that it does not know, so that one list serves several of its versions. */
function unknownGate(gate: string, known: readonly string[]): string {
  const nearest = nearestName(gate, known);
  const advice = nearest === undefined ? `the gates are ${known.join(', ')}` : `did you mean ${nearest}?`;
  return `there is no feature gate ${JSON.stringify(gate)}; ${advice}`;
}

function splitOnce(pair: string): readonly [string, string] {
  const equals = pair.indexOf('=');
  return equals < 0 ? [pair.trim(), ''] : [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
}
