/** One check that IAM makes before a call is served; a call is served if every one of its checks passes. */
export interface AccessRequest {
  /** `ec2:CreateFleet`. */
  readonly action: string;
  /** An ARN, or `*` for actions without a resource. */
  readonly resource: string;
  /** Values by context key, such as `aws:RequestTag/Name`. */
  readonly context: Readonly<Record<string, readonly string[]>>;
}

export type AccessContext = AccessRequest['context'];

/** The context keys of the tags that a resource has. */
export function resourceTags(tags: ReadonlyMap<string, string>): AccessContext {
  return Object.fromEntries([...tags].map(([key, value]) => [`aws:ResourceTag/${key}`, [value]]));
}

/** The context keys of the tags that a request gives. */
export function requestTags(tags: ReadonlyMap<string, string>): AccessContext {
  const values = [...tags].map(([key, value]) => [`aws:RequestTag/${key}`, [value]]);
  return { ...Object.fromEntries(values), 'aws:TagKeys': [...tags.keys()] };
}
