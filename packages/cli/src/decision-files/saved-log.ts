import { join } from 'node:path';
import type { Decision, DecisionClusters, DecisionLog } from '@karpenter/core/decisions';
import { CodedError } from '@karpenter/core/errors';
import { ClusterFiles } from './cluster-files.ts';
import { DecisionLines } from './decision-lines.ts';

const mebibyte = 1024 * 1024;
const lineBounds = { fileBytes: mebibyte, totalBytes: 8 * mebibyte };
const clusterBounds = { files: 200, totalBytes: 128 * mebibyte, waiting: 20 };

export interface SavedLogOptions {
  /** Called with each failure to write, after which the log goes on. */
  readonly onError: (error: unknown) => void;
  readonly onNotice: (message: string) => void;
}

/** Decisions in a directory. */
export interface SavedLog {
  readonly clusters: DecisionClusters;
  /** Gives the log what is saved, and saves what it records from now on. */
  attach(log: DecisionLog): Promise<void>;
  /** Resolves when everything is written. */
  flush(): Promise<void>;
}

/** Opens the directory `decisions` of a data directory. Throws `unusable-data-directory` if that is not possible. */
export async function openSavedLog(dataDir: string, options: SavedLogOptions): Promise<SavedLog> {
  const directory = join(dataDir, 'decisions');
  try {
    const lines = await DecisionLines.open(directory, lineBounds);
    const clusters = await ClusterFiles.open(join(directory, 'clusters'), clusterBounds, options.onError);
    return savedLog(lines, clusters, options);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CodedError(
      'unusable-data-directory',
      `decisions cannot be kept in ${directory}: ${why}; make it readable and writable, or remove it`,
      { cause: error },
    );
  }
}

function savedLog(
  lines: DecisionLines,
  clusters: ClusterFiles,
  { onError, onNotice }: SavedLogOptions,
): SavedLog {
  let writing: Promise<void> = Promise.resolve();
  const append = (decision: Decision) => {
    writing = writing.then(() => lines.append(decision)).catch(onError);
  };
  return {
    clusters,
    async attach(log) {
      const { decisions, damaged } = await lines.read();
      if (damaged > 0) onNotice(`${damaged} damaged line${damaged === 1 ? '' : 's'} of saved decisions`);
      log.restore(decisions);
      log.watch(append);
    },
    async flush() {
      await writing;
      await clusters.flush();
    },
  };
}
