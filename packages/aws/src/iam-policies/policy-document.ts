/** An IAM policy document. */
export interface PolicyDocument {
  readonly Version: '2012-10-17';
  readonly Statement: readonly PolicyStatement[];
}

export interface PolicyStatement {
  readonly Sid?: string;
  readonly Effect: 'Allow' | 'Deny';
  /** Set in trust and queue policies; identity policies have none. */
  readonly Principal?: PolicyPrincipal;
  readonly Action: string | readonly string[];
  /** Trust policies have none. */
  readonly Resource?: string | readonly string[];
  /** By operator, then by context key. */
  readonly Condition?: PolicyConditions;
}

export type PolicyConditions = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

type PolicyPrincipal = '*' | Readonly<Record<string, string | readonly string[]>>;

export function policyDocument(statements: readonly PolicyStatement[]): PolicyDocument {
  return { Version: '2012-10-17', Statement: statements };
}
