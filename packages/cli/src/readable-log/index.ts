// The log of `karpenter dev` for people: one line per event, made from the JSON lines of the controllers. Start reading
// at `readable-line.ts`, a pure function from record to line; `event-texts.ts` has the wording of each event.

export { LogReader } from './log-reader.ts';
