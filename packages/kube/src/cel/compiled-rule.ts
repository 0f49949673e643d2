import { Environment } from '@marcbachmann/cel-js';
import { equalCel } from './cel-equality.ts';
import { CelObject } from './cel-value.ts';
import { registerListFunctions } from './list-functions.ts';
import { registerQuantityFunctions } from './quantity-functions.ts';
import { readRule } from './rule-source.ts';
import { registerStringFunctions, renamedFunctions } from './string-functions.ts';

/** CEL with the functions that Kubernetes adds to it everywhere. */
export function createEnvironment(): Environment {
  const environment = new Environment({
    unlistedVariablesAreDyn: true,
    enableOptionalTypes: true,
    // A list may mix a field, whose type is known to the API server only, with literals.
    homogeneousAggregateLiterals: false,
  });
  environment.registerType('kubernetes.Object', CelObject);
  environment.registerOperator('kubernetes.Object == kubernetes.Object', equalCel);
  registerStringFunctions(environment);
  registerListFunctions(environment);
  registerQuantityFunctions(environment);
  return environment;
}

const environment = createEnvironment();

export interface CompiledRule {
  readonly usesOldSelf: boolean;
  evaluate(variables: { readonly self: unknown; readonly oldSelf?: unknown }): unknown;
}

/** Compiles an expression; the result may be kept and used for any object. Throws when it is not CEL. */
export function compileRule(rule: string): CompiledRule {
  const { expression, usesOldSelf } = readRule(rule, renamedFunctions);
  return { usesOldSelf, evaluate: environment.parse(expression) };
}

/** Compiles an expression over variables of the caller's own. Throws when it is not CEL. */
export function compileCondition(
  expression: string,
): (variables: Readonly<Record<string, unknown>>) => unknown {
  const evaluate = environment.parse(expression);
  return (variables) => evaluate({ ...variables });
}
