import { invalidValue } from '@karpenter/core/errors';
import { matchesPattern } from '../world/wildcard.ts';
import type { AccessRequest } from './access-request.ts';

/** A policy of the caller, in the JSON that IAM takes. */
export interface IdentityPolicy {
  readonly Statement: readonly IdentityStatement[];
}

export interface IdentityStatement {
  readonly Sid?: string;
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: string | readonly string[];
  readonly Resource?: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

/** As in IAM, a statement must allow the request and none may deny it. */
export function isAllowed(policies: readonly IdentityPolicy[], request: AccessRequest): boolean {
  const applying = policies
    .flatMap(({ Statement }) => Statement)
    .filter((statement) => applies(statement, request));
  return (
    applying.some(({ Effect }) => Effect === 'Allow') && !applying.some(({ Effect }) => Effect === 'Deny')
  );
}

function applies({ Action, Resource, Condition = {} }: IdentityStatement, request: AccessRequest): boolean {
  // Action names are case-insensitive, ARNs are not.
  const action = request.action.toLowerCase();
  return (
    listOf(Action).some((pattern) => matchesPattern(pattern.toLowerCase(), action)) &&
    listOf(Resource ?? '*').some((pattern) => matchesPattern(pattern, request.resource)) &&
    Object.entries(Condition).every(([operator, wanted]) =>
      Object.entries(wanted).every(([key, values]) => holds(operator, listOf(values), request.context[key])),
    )
  );
}

/** Whether the values of one context key satisfy a condition; undefined where the request has no such key. */
function holds(operator: string, wanted: readonly string[], values: readonly string[] | undefined): boolean {
  const { comparison, isForAll, isIfExists } = operatorOf(operator);
  const matches = (value: string) => wanted.some((pattern) => comparison(pattern, value));
  if (isForAll) return (values ?? []).every(matches);
  if (values === undefined) return isIfExists;
  return values.some(matches);
}

type Comparison = (pattern: string, value: string) => boolean;

const comparisons: Readonly<Record<string, Comparison>> = {
  StringEquals: (pattern, value) => pattern === value,
  StringLike: matchesPattern,
};

function operatorOf(operator: string) {
  const [, forAll, name = '', ifExists] = /^(ForAllValues:)?([A-Za-z]+?)(IfExists)?$/.exec(operator) ?? [];
  const comparison = comparisons[name];
  if (comparison === undefined) {
    throw invalidValue({
      code: 'invalid-setting',
      field: 'condition operator',
      value: operator,
      expected: `one of ${Object.keys(comparisons).join(', ')}, with ForAllValues: or IfExists`,
      advice: 'write the policy with these',
    });
  }
  return { comparison, isForAll: forAll !== undefined, isIfExists: ifExists !== undefined };
}

function listOf(texts: string | readonly string[]): readonly string[] {
  return typeof texts === 'string' ? [texts] : texts;
}
