import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDecisionId } from '@karpenter/core/decisions';
import { CodedError } from '@karpenter/core/errors';
import { type InputFile, readInput } from '../simulate/index.ts';

/** Where a decision with an id is kept. */
export interface DecisionPlace {
  /** The address of a controller's metrics port. */
  readonly from?: string;
  /** The data directory of `karpenter dev`. */
  readonly dataDir?: string;
}

/** The file of a decision, which is named by its path or by the id of the decision. */
export async function decisionFile(
  name: string,
  place: DecisionPlace,
  readStdin: () => Promise<string>,
): Promise<InputFile> {
  const { from, dataDir } = place;
  if (from !== undefined && dataDir !== undefined) throw twoPlaces();
  if (!isDecisionId(name)) return fileNamed(name, place, readStdin);
  if (dataDir !== undefined) return readInput(await clusterFile(dataDir, name), readStdin);
  if (from !== undefined) return fetched(addressOf(from), name);
  throw new CodedError(
    'invalid-setting',
    `where is decision ${name} kept? Name the metrics address of its controller with --from http://127.0.0.1:PORT, or the directory of \`karpenter dev\` with --data-dir`,
  );
}

function fileNamed(name: string, place: DecisionPlace, readStdin: () => Promise<string>): Promise<InputFile> {
  if (place.from === undefined && place.dataDir === undefined) return readInput(name, readStdin);
  throw new CodedError(
    'unknown-decision',
    `${JSON.stringify(name)} is not the id of a decision; ids look like 0mk3v9f2a-000-7h2c, and a file needs neither --from nor --data-dir`,
  );
}

async function clusterFile(dataDir: string, id: string): Promise<string> {
  const path = join(dataDir, 'decisions', 'clusters', `${id}.json.gz`);
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  if (isThere) return path;
  throw new CodedError(
    'unknown-decision',
    `${dataDir} does not hold the cluster of decision ${id}: only the last plans and disruptions have one, and launches, refusals and notices have none`,
  );
}

function addressOf(text: string): URL {
  const withScheme = text.includes('://') ? text : `http://${text}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined;
  if (url !== undefined && ['http:', 'https:'].includes(url.protocol)) return url;
  throw new CodedError(
    'invalid-setting',
    `--from ${JSON.stringify(text)} is not an address; write http://127.0.0.1:PORT with the metrics port of the controller`,
    { details: { flag: '--from', value: text } },
  );
}

async function fetched(address: URL, id: string): Promise<InputFile> {
  const url = new URL(`/decisions/${id}/cluster`, address);
  const { status, text } = await responseOf(url);
  if (status === 200) return { name: url.href, text };
  throw new CodedError(
    'unknown-decision',
    `${url.origin}: ${refusalText(text) ?? `it answered ${status}, so it is no controller with decisions`}`,
  );
}

async function responseOf(url: URL): Promise<{ readonly status: number; readonly text: string }> {
  try {
    const response = await fetch(url);
    return { status: response.status, text: await response.text() };
  } catch (error) {
    const { cause } = error as Error;
    const why = cause instanceof Error ? cause.message : (error as Error).message;
    throw new CodedError(
      'controller-unreachable',
      `no answer from ${url.origin}: ${why}; check that the controller runs and that this is its metrics port`,
      { cause: error },
    );
  }
}

function refusalText(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}

function twoPlaces(): CodedError {
  return new CodedError('invalid-setting', '--from and --data-dir name two places; leave out one of them');
}
