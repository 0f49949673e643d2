import { wrapped } from './columns.ts';
import { examples, nouned } from './wording.ts';

/** Messages about pods, by uid. */
export type PodMessages = readonly (readonly [uid: string, message: string])[];

export interface MessageWording {
  /** What has become of the pods: `without a place`. */
  readonly fate: string;
  readonly names: ReadonlyMap<string, string>;
  readonly width: number;
  /** More to say about the pods of a group, by one of them. */
  readonly help?: (uid: string | undefined) => readonly string[];
}

/** Pods with the same message together, the largest group first. */
export function podMessageLines(
  messages: PodMessages,
  { fate, names, width, help = () => [] }: MessageWording,
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
    const opening = wrapped(`${nouned(uids.length, 'pod')} ${fate}: ${pods}`, width);
    return [
      ...(index > 0 ? [''] : []),
      ...opening,
      ...indented(message),
      ...help(uids[0]).flatMap((advice) => indented(advice)),
    ];
  });
}
