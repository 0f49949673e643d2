import type { FindingVerdict, MigrationFinding } from '@karpenter/aws/migration';
import { wrapped } from '../output/index.ts';

const usualWidth = 110;

const marks: Readonly<Record<FindingVerdict, string>> = {
  mapped: 'ok  ',
  approximate: 'near',
  unmapped: 'NONE',
  'not-needed': '-   ',
};

/** The findings by subject, each with what becomes of the setting, and a last line that counts. */
export function reportText(findings: readonly MigrationFinding[], width = usualWidth): string {
  const subjects = [...new Set(findings.map(({ subject }) => subject))];
  const sections = subjects.map((subject) => {
    const own = findings.filter((finding) => finding.subject === subject);
    return [`${subject}:`, ...own.flatMap((finding) => findingLines(finding, width))].join('\n');
  });
  return `${[...sections, conclusion(findings)].join('\n\n')}\n`;
}

function findingLines({ setting, verdict, outcome }: MigrationFinding, width: number): readonly string[] {
  const [first = '', ...rest] = wrapped(`${setting} -> ${outcome}`, width - 8);
  return [`  ${marks[verdict]}  ${first}`, ...rest.map((line) => `        ${line}`)];
}

function conclusion(findings: readonly MigrationFinding[]): string {
  const count = (wanted: FindingVerdict) => findings.filter(({ verdict }) => verdict === wanted).length;
  return `${count('mapped')} mapped (ok), ${count('approximate')} approximate (near), ${count('unmapped')} without an equivalent (NONE), ${count('not-needed')} not needed (-)`;
}
