import type { CheckResult } from '@karpenter/aws/preflight';

const marks: Readonly<Record<CheckResult['verdict'], string>> = {
  passed: 'ok  ',
  warning: 'warn',
  failed: 'FAIL',
  unknown: '?   ',
};

/** One line for each result, the fix under it, and a last line that counts. */
export function preflightText(results: readonly CheckResult[]): string {
  const lines = results.flatMap(({ check, verdict, message, fix }) => [
    `${marks[verdict]}  ${check}: ${message}`,
    ...(fix === undefined ? [] : [`      fix: ${fix}`]),
  ]);
  return `${[...lines, '', conclusion(results)].join('\n')}\n`;
}

function conclusion(results: readonly CheckResult[]): string {
  const count = (wanted: CheckResult['verdict']) =>
    results.filter(({ verdict }) => verdict === wanted).length;
  const [failed, warnings, unknown] = [count('failed'), count('warning'), count('unknown')];
  const counts = `${count('passed')} passed, ${warnings} warnings, ${failed} failed, ${unknown} unknown`;
  return failed === 0 ? `${counts}: ready to install` : `${counts}: fix what failed before installing`;
}
