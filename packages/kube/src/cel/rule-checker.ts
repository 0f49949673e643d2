import {
  counterpart,
  type FieldError,
  hasRules,
  isJsonArray,
  isJsonObject,
  isUnchanged,
  itemPath,
  type Json,
  maxReportedErrors,
  member,
  memberPath,
  memberSchema,
  type RuleChecker,
  type RuleSubject,
  type ValidationRule,
} from '@karpenter/core/schema';
import { StepCounter, type Steps, yieldTuning } from '@karpenter/core/yielding';
import { Optional } from '@marcbachmann/cel-js';
import { patternMatcher } from '../patterns/index.ts';
import { RecentMap } from '../runtime/index.ts';
import { resourceToCel, toCel } from './cel-value.ts';
import { type CompiledRule, compileRule } from './compiled-rule.ts';
import { CostExceeded, callLimit, requestLimit } from './cost/index.ts';
import { pathBelow } from './field-path.ts';
import { failureWords } from './rule-failure.ts';

/** More rules than the CustomResourceDefinitions of a large cluster have. Limited because their authors can add any. */
const maxCompiledRules = 4_096;

/** Checks `x-kubernetes-validations` rules as kube-apiserver does, transition rules and ratcheting included. */
export class CelRuleChecker implements RuleChecker {
  readonly #compiled = new RecentMap<CompiledRule>(maxCompiledRules);

  matchesPattern(pattern: string, text: string): boolean | undefined {
    return patternMatcher.matchesPattern(pattern, text);
  }

  *check(subject: RuleSubject): Steps<readonly FieldError[]> {
    const errors: FieldError[] = [];
    const request = { errors, budget: { left: requestLimit }, counter: new StepCounter() };
    yield* this.#check({ ...subject, isUntouched: false, request });
    return errors;
  }

  *#check(parent: Visit): Steps<void> {
    const { request, self } = parent;
    // Further errors would not be reported, so the rest is not evaluated (ADR 0066).
    if (self === null || !hasRules(parent.schema) || request.errors.length > maxReportedErrors) return;
    const visit = { ...parent, isUntouched: parent.isUntouched || isUntouched(parent) };
    request.counter.spend(typeof self === 'object' ? yieldTuning.lightItemsPerStep : 1);
    if (request.counter.endsStep()) yield;
    yield* this.#ownRules(visit);
    for (const child of children(visit)) {
      yield* this.#check({ ...child, isUntouched: visit.isUntouched, request });
    }
  }

  *#ownRules(subject: Visit): Steps<void> {
    const { request } = subject;
    const rules = subject.schema['x-kubernetes-validations'] ?? [];
    if (rules.length === 0 || request.budget.left < 0) return;
    const variables = variablesOf(subject);
    for (const rule of rules) {
      const { left } = request.budget;
      for (const error of this.#findings(rule, subject, variables)) request.errors.push(error);
      request.counter.spend((left - request.budget.left) / costOfItem);
      if (request.counter.endsStep()) yield;
    }
  }

  #findings(rule: ValidationRule, subject: Visit, variables: Variables): FieldError[] {
    if (subject.request.budget.left < 0) return [];
    try {
      const compiled = this.#compile(rule.rule);
      const isTransition = compiled.usesOldSelf && rule.optionalOldSelf !== true;
      if (isTransition && variables.oldSelf === undefined) return [];
      return this.#evaluate(rule, subject, compiled, bind(rule, variables));
    } catch (error) {
      // The API server would have refused the CRD, so the rule is either invalid or beyond the CEL library.
      const detail = `rule compile error: ${error instanceof Error ? error.message : error}`;
      return [{ type: 'Invalid', field: subject.path, value: subject.schema.type ?? '', detail }];
    }
  }

  #evaluate(
    rule: ValidationRule,
    subject: Visit,
    compiled: CompiledRule,
    variables: Variables,
  ): FieldError[] {
    const { budget } = subject.request;
    try {
      const { result, cost } = compiled.evaluate(variables, budget.left);
      budget.left -= cost;
      if (result === true) return [];
    } catch (error) {
      if (error instanceof CostExceeded) return [exceededCost(rule, subject)];
      return [evaluationError(rule, subject, error)];
    }
    // Ratcheting: an update may keep an invalid value that it
    // does not touch, unless the rule compares with the old one.
    const finding = failedRule(rule, subject, this.#message(rule, variables, budget));
    return [!compiled.usesOldSelf && subject.isUntouched ? { ...finding, ratcheted: true } : finding];
  }

  /**
   * Returns the messageExpression's result if it is usable, else the rule's message, else the rule itself.
   */
  #message(rule: ValidationRule, variables: Variables, budget: CostBudget): string {
    const written = rule.message?.trim() || `failed rule: ${rule.rule.trim()}`;
    if (rule.messageExpression === undefined) return written;
    try {
      const { result: text, cost } = this.#compile(rule.messageExpression).evaluate(variables, budget.left);
      budget.left -= cost;
      const computed = typeof text === 'string' ? text.trim() : '';
      return computed === '' || computed.includes('\n') || computed.length > 5120 ? written : computed;
    } catch {
      return written;
    }
  }

  #compile(expression: string): CompiledRule {
    const cached = this.#compiled.get(expression);
    if (cached) return cached;
    const compiled = compileRule(expression);
    this.#compiled.set(expression, compiled);
    return compiled;
  }
}

interface Visit extends RuleSubject {
  /** The update left this value, or one that contains it, unchanged. */
  readonly isUntouched: boolean;
  readonly request: RequestState;
}

/** What the rules of one request share. */
interface RequestState {
  readonly errors: FieldError[];
  readonly budget: CostBudget;
  readonly counter: StepCounter;
}

/** Units of CEL cost that take about as long as one light item of `yieldTuning.lightItemsPerStep`. */
const costOfItem = 10;

/** What the rules of one request may still cost; below zero after a rule was stopped. */
interface CostBudget {
  left: number;
}

interface Variables {
  readonly self: unknown;
  readonly oldSelf?: unknown;
}

function variablesOf({ schema, self, oldSelf, path }: RuleSubject): Variables {
  const convert = (value: Json): unknown =>
    path === '' && isJsonObject(value) ? resourceToCel(schema, value) : toCel(schema, value);
  return oldSelf === undefined || oldSelf === null
    ? { self: convert(self) }
    : { self: convert(self), oldSelf: convert(oldSelf) };
}

function isUntouched({ schema, self, oldSelf }: RuleSubject): boolean {
  return oldSelf !== undefined && isUnchanged(schema, self, oldSelf);
}

/** With optionalOldSelf, `oldSelf` is an optional that is empty on create. */
function bind(rule: ValidationRule, variables: Variables): Variables {
  if (rule.optionalOldSelf !== true) return variables;
  const { oldSelf } = variables;
  return { ...variables, oldSelf: oldSelf === undefined ? Optional.none() : Optional.of(oldSelf) };
}

/** No rule runs after one that was stopped, so this is the last error of the request. */
function exceededCost(rule: ValidationRule, { schema, path, request }: Visit): FieldError {
  const { budget } = request;
  const ofCall = `'${new CostExceeded().message}': no further validation rules will be run due to call cost exceeds limit for rule: ${rule.message?.trim() || rule.rule.trim()}`;
  const ofRequest =
    'validation failed due to running out of cost budget, no further validation rules will be run';
  const detail = budget.left < callLimit ? ofRequest : ofCall;
  budget.left = -1;
  return { type: 'Invalid', field: path, value: schema.type ?? '', detail };
}

const noSuchOverload =
  "'no such overload': call arguments did not match a supported operator, function or macro signature";

function evaluationError(rule: ValidationRule, { schema, path }: RuleSubject, error: unknown): FieldError {
  const words = failureWords(error);
  const name = rule.message?.trim() || rule.rule.trim();
  const detail =
    words === undefined ? `${noSuchOverload} for rule: ${name}` : `${words} evaluating rule: ${name}`;
  return { type: 'Invalid', field: path, value: schema.type ?? '', detail };
}

const typeByReason = {
  FieldValueDuplicate: 'Duplicate',
  FieldValueForbidden: 'Forbidden',
  FieldValueInvalid: 'Invalid',
  FieldValueRequired: 'Required',
} as const;

function failedRule(rule: ValidationRule, { schema, self, path }: RuleSubject, message: string): FieldError {
  const type = typeByReason[rule.reason ?? 'FieldValueInvalid'];
  const field = rule.fieldPath === undefined ? path : pathBelow(schema, path, rule.fieldPath);
  // Lists and objects could be long, so the message leaves them out.
  const shown = isJsonArray(self) || isJsonObject(self) ? {} : { value: self };
  switch (type) {
    case 'Duplicate':
      return { type, field, ...shown };
    case 'Invalid':
      return { type, field, ...shown, detail: message };
    default:
      return { type, field, detail: message };
  }
}

function children(subject: RuleSubject): RuleSubject[] {
  return isJsonArray(subject.self) ? itemSubjects(subject, subject.self) : memberSubjects(subject);
}

function itemSubjects({ schema, oldSelf, path }: RuleSubject, list: readonly Json[]): RuleSubject[] {
  const { items } = schema;
  if (!items) return [];
  return list.map((item, index) => ({
    schema: items,
    self: item,
    oldSelf: counterpart(schema, item, oldSelf),
    path: itemPath(path, index),
  }));
}

/**
 * Declared fields in schema order, then the others in object order, so that errors come in a stable order.
 */
function memberSubjects({ schema, self, oldSelf, path }: RuleSubject): RuleSubject[] {
  if (!isJsonObject(self)) return [];
  const declared = Object.keys(schema.properties ?? {});
  const known = new Set(declared);
  const others = Object.keys(self).filter((name) => !known.has(name));
  return [...declared, ...others].flatMap((name) => {
    const value = member(self, name);
    const below = memberSchema(schema, name);
    if (value === undefined || !below) return [];
    return [
      { schema: below, self: value, oldSelf: member(oldSelf, name), path: memberPath(schema, path, name) },
    ];
  });
}
