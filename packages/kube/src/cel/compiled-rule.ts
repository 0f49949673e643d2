import type { JsonSchema } from '@karpenter/core/schema';
import { Environment } from '@marcbachmann/cel-js';
import { equalCel } from './cel-equality.ts';
import { CelObject } from './cel-value.ts';
import { callLimit, estimatedCost, type Metered, meterExpression, withinLimit } from './cost/index.ts';
import { registerListFunctions } from './list-functions.ts';
import { registerQuantityFunctions } from './quantity-functions.ts';
import { readRule } from './rule-source.ts';
import { registerStringFunctions, renamedFunctions } from './string-functions.ts';

/** Creates a CEL environment with the functions that Kubernetes adds for all uses of CEL. */
export function createEnvironment(): Environment {
  const environment = new Environment({
    unlistedVariablesAreDyn: true,
    enableOptionalTypes: true,
    // Off, because a list literal may mix literals with fields, whose types this environment does not know.
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

/** A compiled validation rule. Stateless, so that one serves any number of objects. */
export interface CompiledRule {
  /** Whether the rule reads `oldSelf`, which makes it a transition rule. */
  readonly usesOldSelf: boolean;
  /** The highest cost of one evaluation on a value of this schema. */
  costOn(schema: JsonSchema): number;
  /** Throws `CostExceeded` beyond the limit, which is kube-apiserver's at most. */
  evaluate(variables: RuleVariables, limit: number): Metered<unknown>;
}

interface RuleVariables {
  readonly self: unknown;
  readonly oldSelf?: unknown;
}

/** Compiles a validation rule. Throws if it is not valid CEL. */
export function compileRule(rule: string): CompiledRule {
  const { expression, usesOldSelf } = readRule(rule, renamedFunctions);
  const evaluate = environment.parse(expression);
  meterExpression(evaluate);
  return {
    usesOldSelf,
    costOn: (schema) => estimatedCost(evaluate.ast, schema),
    evaluate: (variables, limit) => withinLimit(Math.min(limit, callLimit), () => evaluate({ ...variables })),
  };
}

/** Compiles an expression over the caller's own variables. Throws if it is not valid CEL. */
export function compileCondition(
  expression: string,
): (variables: Readonly<Record<string, unknown>>) => unknown {
  const evaluate = environment.parse(readRule(expression, renamedFunctions).expression);
  meterExpression(evaluate);
  return (variables) => withinLimit(callLimit, () => evaluate({ ...variables })).result;
}
