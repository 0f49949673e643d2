import type { DeviceAttribute } from '@karpenter/core/ports';
import type { ReadSelector, SelectableDevice, SelectorAnswer } from '@karpenter/core/scheduling';
import { parseQuantity } from '@karpenter/core/values';
import type { Environment } from '@marcbachmann/cel-js';
import { createEnvironment } from './compiled-rule.ts';
import { callLimit, meterExpression, withinLimit } from './cost/index.ts';
import { CelQuantity } from './quantity-functions.ts';
import { failureWords } from './rule-failure.ts';
import { readRule } from './rule-source.ts';
import { readSemver, registerSemverFunctions } from './semver-functions.ts';
import { renamedFunctions } from './string-functions.ts';

/**
 * Fields by name. A class of its own, because the CEL library infers a plain Map's type from its first entry.
 */
class DeviceFields extends Map<string, unknown> {}

let cachedEnvironment: Environment | undefined;

/** Created on first use, because most processes evaluate no selectors. */
function deviceEnvironment(): Environment {
  cachedEnvironment ??= createDeviceEnvironment();
  return cachedEnvironment;
}

function createDeviceEnvironment(): Environment {
  const environment = createEnvironment();
  environment.registerType('kubernetes.Device', DeviceFields);
  registerSemverFunctions(environment);
  return environment;
}

/**
 * Compiles a CEL selector of a DeviceClass or ResourceClaim, which reads the variable `device`. Never throws:
 * an expression that does not compile returns its error for every device, as a failed evaluation does.
 */
export const readDeviceSelector: ReadSelector = (expression) => {
  const domains = indexedDomains(expression);
  try {
    const evaluate = deviceEnvironment().parse(readRule(expression, renamedFunctions).expression);
    meterExpression(evaluate);
    return (device) => {
      const variables = { device: celDevice(device, domains) };
      return selectorResult(() => withinLimit(callLimit, () => evaluate(variables)).result);
    };
  } catch (error) {
    const words = error instanceof Error ? error.message.split('\n')[0] : String(error);
    return () => ({ error: `CEL compile error: ${words}` });
  }
};

function selectorResult(evaluate: () => unknown): SelectorAnswer {
  try {
    const result = evaluate();
    return typeof result === 'boolean' ? result : { error: 'CEL result must be a boolean' };
  } catch (error) {
    return { error: `CEL runtime error: ${failureWords(error) ?? 'no such overload'}` };
  }
}

const index = /\bdevice\s*\.\s*(?:attributes|capacity)\s*\[\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*\]/g;
const membership = /\bin\s+device\s*\.\s*(?:attributes|capacity)\b/;

/**
 * Returns the attribute domains that an expression indexes, such as `device.attributes["gpu.example.com"]`. A
 * domain in which the device has no attribute must then be an empty map, as in kube-scheduler, rather than a
 * missing key. An expression that tests with `in` decides for itself, so nothing is added.
 */
function indexedDomains(expression: string): readonly string[] {
  if (membership.test(expression)) return [];
  return Array.from(expression.matchAll(index), ([, double, single]) => double ?? single ?? '');
}

function celDevice(
  { driver, attributes = {}, capacity = {}, allowMultipleAllocations = false }: SelectableDevice,
  domains: readonly string[],
): DeviceFields {
  const values = Object.entries(attributes).map(([name, value]) => [name, attributeValue(value)] as const);
  const amounts = Object.entries(capacity).map(
    ([name, { value }]) => [name, new CelQuantity(parseQuantity(value))] as const,
  );
  return new DeviceFields([
    ['driver', driver],
    ['attributes', byDomain(values, driver, domains)],
    ['capacity', byDomain(amounts, driver, domains)],
    ['allowMultipleAllocations', allowMultipleAllocations],
  ]);
}

/** Groups qualified names by domain. A name without a domain belongs to the driver's. */
function byDomain(
  entries: readonly (readonly [string, unknown])[],
  driver: string,
  domains: readonly string[],
): Map<string, DeviceFields> {
  const grouped = new Map(domains.map((domain) => [domain, new DeviceFields()]));
  for (const [name, value] of entries) {
    const slash = name.indexOf('/');
    const domain = slash < 0 ? driver : name.slice(0, slash);
    const fields = grouped.get(domain) ?? new DeviceFields();
    grouped.set(domain, fields.set(name.slice(slash + 1), value));
  }
  return grouped;
}

function attributeValue({ int, bool, string, version, ...lists }: DeviceAttribute): unknown {
  if (int !== undefined) return BigInt(int);
  if (version !== undefined) return readSemver(version);
  return bool ?? string ?? listValue(lists);
}

function listValue({ ints, bools, strings, versions }: DeviceAttribute): unknown {
  return ints?.map(BigInt) ?? versions?.map(readSemver) ?? bools ?? strings;
}
