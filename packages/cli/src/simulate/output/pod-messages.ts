import { wrapped } from '../../output/index.ts';
import { examples, pluralized } from './wording.ts';

/** Messages about pods, as pairs of uid and message. */
export type PodMessages = readonly (readonly [uid: string, message: string])[];

export interface MessageWording {
  /** What happened to the pods, such as `without a place`. */
  readonly outcome: string;
  readonly names: ReadonlyMap<string, string>;
  readonly width: number;
  /** Further lines for a group, computed from its first pod: pods with the same message get the same help. */
  readonly help?: (uid: string | undefined) => readonly string[];
}

/** Groups pods by message, the largest group first, so that a thousand equal failures take a few lines. */
export function podMessageLines(
  messages: PodMessages,
  { outcome, names, width, help = () => [] }: MessageWording,
): readonly string[] {
  const byMessage = new Map<string, string[]>();
  for (const [uid, message] of messages) {
    const uids = byMessage.get(message);
    if (uids === undefined) byMessage.set(message, [uid]);
    else uids.push(uid);
  }
  const groups = [...byMessage].sort(([, a], [, b]) => b.length - a.length);
  const indented = (text: string) => wrapped(text, width - 2).map((line) => `  ${line}`);
  return groups.flatMap(([message, uids], index) => {
    const pods = examples(uids.map((uid) => names.get(uid) ?? uid));
    const opening = wrapped(`${pluralized(uids.length, 'pod')} ${outcome}: ${pods}`, width);
    return [
      ...(index > 0 ? [''] : []),
      ...opening,
      ...indented(message),
      ...help(uids[0]).flatMap((advice) => indented(advice)),
    ];
  });
}
