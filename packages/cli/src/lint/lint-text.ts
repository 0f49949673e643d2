import { type LintFinding, type LintSeverity, lintSeverities } from '@karpenter/core/lint';
import { wrapped } from '../output/index.ts';

const usualWidth = 100;

/** Findings for people: what is wrong, where, and what to do; a last line counts. */
export function lintText(findings: readonly LintFinding[], width = usualWidth): string {
  const lines = findings.flatMap((finding) => [...findingLines(finding, width), '']);
  return `${[...lines, conclusion(findings)].join('\n')}\n`;
}

function findingLines(
  { code, severity, object, field, reason, fix }: LintFinding,
  width: number,
): readonly string[] {
  const indented = (text: string) => wrapped(text, width - 2).map((line) => `  ${line}`);
  return [`${severity} ${code}  ${object}: ${field}`, ...indented(reason), ...indented(`fix: ${fix}`)];
}

function conclusion(findings: readonly LintFinding[]): string {
  if (findings.length === 0) return 'no findings';
  const count = (wanted: LintSeverity) => findings.filter(({ severity }) => severity === wanted).length;
  const texts = [...lintSeverities].reverse().map((severity) => `${count(severity)} ${severity}`);
  return `${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}: ${texts.join(', ')}`;
}
