import type { Explanation, Finding, ProposedChange } from '@karpenter/core/explanation';
import { wrapped } from '../output/index.ts';

export interface TextOptions {
  /** Columns of the terminal. */
  readonly width: number;
  readonly hasColour: boolean;
  /** Milliseconds since 1970, for how long something still holds. */
  readonly now: number;
}

const marks = { blocked: '✗', met: '✓', fact: '·' } as const;
/** SGR parameters: red, green, none; bold titles. */
const colours = { blocked: '31', met: '32', fact: '', title: '1', change: '36' } as const;

/** The explanation for people: the answer, what would help, and the reasons. */
export function explanationText(explanation: Explanation, options: TextOptions): string {
  const { summary, sections, changes } = explanation;
  const lines = [
    ...wrapped(summary, options.width),
    ...(changes.length > 0 ? [painted('What would help', 'title', options)] : []),
    ...changes.flatMap((change) => changeLines(change, options)),
    ...sections.flatMap(({ title, findings }) => [
      painted(title, 'title', options),
      ...findings.flatMap((finding) => findingLines(finding, 1, options)),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

function changeLines({ text, together = [] }: ProposedChange, options: TextOptions): readonly string[] {
  const whole = [text, ...together.map((each) => each.text)].join(', and ');
  return hanging(whole, { mark: painted('→', 'change', options), depth: 1, width: options.width });
}

function findingLines(finding: Finding, depth: number, options: TextOptions): readonly string[] {
  const { text, verdict, until, details = [] } = finding;
  const whole = until === undefined ? text : `${text} (${untilText(until, options.now)})`;
  return [
    ...hanging(whole, { mark: painted(marks[verdict], verdict, options), depth, width: options.width }),
    ...details.flatMap((detail) => findingLines(detail, depth + 1, options)),
  ];
}

interface Hanging {
  readonly mark: string;
  readonly depth: number;
  readonly width: number;
}

/** Wrapped text with a mark before its first line. */
function hanging(text: string, { mark, depth, width }: Hanging): readonly string[] {
  const indent = ' '.repeat(2 * depth);
  return wrapped(text, Math.max(20, width - indent.length - 2)).map((line, index) =>
    index === 0 ? `${indent}${mark} ${line}` : `${indent}  ${line}`,
  );
}

function painted(text: string, colour: keyof typeof colours, { hasColour }: TextOptions): string {
  const code = colours[colour];
  return hasColour && code !== '' ? `\u001b[${code}m${text}\u001b[0m` : text;
}

const minute = 60_000;

function untilText(until: number, now: number): string {
  const at = new Date(until)
    .toISOString()
    .replace(/:\d\d\.\d{3}Z$/, 'Z')
    .replace('T', ' ');
  return until <= now ? `until ${at}` : `until ${at}, ${spanText(until - now)} from now`;
}

function spanText(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / minute);
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours}h${minutes % 60 === 0 ? '' : `${minutes % 60}m`}`;
  return `${Math.floor(hours / 24)}d`;
}
