import type { LintFinding, LintRuleText } from '@karpenter/core/lint';
import type { EC2NodeClass } from '../node-class/index.ts';

export const nodeClassRuleTexts = {
  KL010: {
    severity: 'info',
    finds: 'an EC2NodeClass whose images are not pinned (an error with --production)',
    why: 'A new image rolls out to every node by itself when it is released, tested or not.',
  },
} as const satisfies Readonly<Record<string, LintRuleText>>;

export interface NodeClassLintOptions {
  /** Whether the files are for production, where unpinned images are an error. */
  readonly isProduction: boolean;
}

/** Returns a finding for each term that is not pinned to one image. */
export function lintNodeClasses(
  classes: readonly EC2NodeClass[],
  { isProduction }: NodeClassLintOptions,
): readonly LintFinding[] {
  const severity = isProduction ? 'error' : nodeClassRuleTexts.KL010.severity;
  return classes.flatMap(({ metadata, spec }) =>
    (spec.amiSelectorTerms ?? []).flatMap((term, index) => {
      const moving = movingSelector(term);
      if (moving === undefined) return [];
      const { field, selects } = moving;
      return [
        {
          code: 'KL010',
          severity,
          object: `EC2NodeClass ${metadata.name}`,
          field: `spec.amiSelectorTerms[${index}].${field}`,
          reason: `${selects} selects newer images as they are released, which replaces every node`,
          fix: fixOf(term),
        },
      ];
    }),
  );
}

/** Windows aliases have no versions except `latest`, so the advice there is an id. */
function fixOf({ alias = '' }: AmiSelectorTerm): string {
  if (alias.startsWith('windows')) return 'name an image by its id, and change it when a newer one is tested';
  const release = alias.startsWith('bottlerocket') ? 'bottlerocket@v1.50.0' : 'al2023@v20260101';
  return `name one release, such as alias: ${release}, or an id, and change it when it is tested`;
}

type AmiSelectorTerm = NonNullable<EC2NodeClass['spec']['amiSelectorTerms']>[number];

interface MovingSelector {
  readonly field: string;
  readonly selects: string;
}

/** Returns the field of a term that selects newer images when they are released; undefined for a pinned term. */
function movingSelector({
  alias,
  id,
  name,
  tags,
  ssmParameter,
}: AmiSelectorTerm): MovingSelector | undefined {
  if (id !== undefined) return undefined;
  if (alias !== undefined) return alias.endsWith('@latest') ? { field: 'alias', selects: alias } : undefined;
  if (ssmParameter !== undefined) return movingParameter(ssmParameter);
  if (name !== undefined)
    return name.includes('*') ? { field: 'name', selects: `name ${JSON.stringify(name)}` } : undefined;
  return tags === undefined ? undefined : { field: 'tags', selects: 'a selector by tags' };
}

/** Public parameters of the newest image have `latest` or `recommended` in their name; others may be pinned. */
function movingParameter(name: string): MovingSelector | undefined {
  const isMoving = /(^|\/)(latest|recommended)(\/|$)/.test(name);
  return isMoving ? { field: 'ssmParameter', selects: `parameter ${name}` } : undefined;
}
