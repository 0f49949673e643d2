import { nodeClassRuleTexts } from '@karpenter/aws/lint';
import { CodedError } from '@karpenter/core/errors';
import { type LintRuleText, poolRuleTexts } from '@karpenter/core/lint';
import { nearestName } from '@karpenter/core/values';

/** All rules by code, in order. */
export const lintRules: ReadonlyMap<string, LintRuleText> = new Map(
  Object.entries<LintRuleText>({ ...poolRuleTexts, ...nodeClassRuleTexts }).sort(([a], [b]) =>
    a < b ? -1 : 1,
  ),
);

/** Codes as `--ignore` takes them: several, separated by commas or given one by one, in any case. */
export function ignoredCodes(texts: readonly string[]): ReadonlySet<string> {
  const codes = texts.flatMap((text) => text.split(',')).map((code) => code.trim().toUpperCase());
  const unknown = codes.find((code) => !lintRules.has(code));
  if (unknown === undefined) return new Set(codes);
  const nearest = nearestName(unknown, lintRules.keys());
  const advice = nearest === undefined ? 'docs/reference/lint.md lists them' : `did you mean ${nearest}?`;
  throw new CodedError(
    'invalid-setting',
    `--ignore ${JSON.stringify(unknown)} is not the code of a rule; ${advice}`,
    {
      details: { flag: '--ignore', value: unknown },
    },
  );
}
