import { awsSettings } from '@karpenter/aws';
import { coreSettings, renderSettingsTable } from '@karpenter/core/api';
import { errorCodes } from '@karpenter/core/errors';
import { agentSettings, functionNames } from '@karpenter/termination-handler';
import { pageSettings, webhookSettings } from '../controller/index.ts';
import { lintRules } from '../lint/index.ts';
import type { GeneratedFile } from './generated-file.ts';
import { referencePage } from './reference-page.ts';

export function referencePages(): readonly GeneratedFile[] {
  return [errorsPage(), lintPage(), settingsPage(), terminationHandlerPage()];
}

function errorsPage(): GeneratedFile {
  const rows = Object.entries(errorCodes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
  return referencePage({
    name: 'errors',
    title: 'Error codes',
    introduction: 'Every failure that is reported has one of these codes.',
    lines: ['| code | when |', '|---|---|', ...rows],
  });
}

function lintPage(): GeneratedFile {
  const rules = [...lintRules].flatMap(([code, { severity, finds, why }]) => [
    `## ${code}`,
    '',
    `*${severity}*: ${finds}.`,
    '',
    why,
    '',
  ]);
  return referencePage({
    name: 'lint',
    title: 'Rules of karpenter lint',
    introduction:
      'A code keeps its meaning; a rule that goes away leaves its code unused. [Linting](../linting.md) says how to run them.',
    lines: rules,
  });
}

function settingsPage(): GeneratedFile {
  const introduction =
    'A flag beats its environment variable. A variable that cannot be read is reported and its default used; a flag that cannot be read stops the program.';
  return referencePage({
    name: 'settings',
    title: 'Settings',
    introduction,
    lines: [
      '## Every cloud',
      '',
      renderSettingsTable(coreSettings),
      '',
      '## AWS',
      '',
      renderSettingsTable(awsSettings),
      '',
      '## The web page',
      '',
      'Karpenter does not have these.',
      '',
      renderSettingsTable(pageSettings),
      '',
      '## The admission webhook',
      '',
      'Karpenter does not have these any more; see [admission](../installing/admission.md).',
      '',
      renderSettingsTable(webhookSettings),
    ],
  });
}

function terminationHandlerPage(): GeneratedFile {
  const introduction =
    'A flag beats its environment variable. A flag or a variable that cannot be read stops the program, which then names all problems.';
  return referencePage({
    name: 'termination-handler',
    title: 'Settings of the termination handler',
    introduction,
    lines: [
      renderSettingsTable(agentSettings),
      '',
      '## Functions of webhook templates',
      '',
      functionNames.map((name) => `\`${name}\``).join(', '),
    ],
  });
}
