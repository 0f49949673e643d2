// `karpenter replay`: finds the file of a decision on disk or at a controller (`decision-file.ts`), decides
// again from the cluster in it with the code of the controllers (`replay.ts`) and prints whether the result
// is the same (`replay-output.ts`). Writes nothing. Start reading at `replay.ts`.

export { type DecisionPlace, decisionFile } from './decision-file.ts';
export { replayFile } from './replay.ts';
export { replayDocument, replayText } from './replay-output.ts';
