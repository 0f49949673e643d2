import { CodedError } from '@karpenter/core/errors';
import { documentsOf } from '../input/document.ts';
import type { InputFile } from '../input/input-file.ts';
import { type Manifest, manifestsOf } from '../objects/manifest.ts';
import { kindOf, manifestSimulation, simulate } from '../simulate.ts';
import type { Choices, SimulationPorts } from '../simulation.ts';
import type { ComparedPlans } from './comparison.ts';

export interface ComparedFiles {
  readonly files: readonly InputFile[];
  /** Their objects take the place of all objects of the same kinds. */
  readonly against: readonly InputFile[];
}

/** Plans the manifests twice: as they are, and with the objects of `against`, such as other NodePools. */
export async function comparedSimulations(
  { files, against }: ComparedFiles,
  ports: SimulationPorts,
  choices: Choices,
): Promise<ComparedPlans> {
  const old = manifestsIn(files);
  const others = manifestsIn(against);
  const exchanged = new Set(others.map(({ kind }) => kind));
  const kept = old.filter(({ kind }) => !exchanged.has(kind));
  const once = { ...ports, note: noteOnce(ports.note) };
  const before = await manifestSimulation(old, once, choices)();
  const after = await manifestSimulation([...kept, ...others], once, choices)();
  const source = against.map(({ name }) => name).join(', ');
  return { before: simulate(before, once), after: { ...simulate(after, once), source } };
}

function manifestsIn(files: readonly InputFile[]): readonly Manifest[] {
  const documents = files.flatMap(documentsOf);
  const other = documents.find((document) => kindOf(document) !== 'manifest');
  if (other === undefined) return documents.flatMap(manifestsOf);
  throw new CodedError(
    'invalid-setting',
    `--against compares manifests, and ${other.origin.file} is a benchmark scenario or a saved cluster; give manifests`,
    { details: { flag: '--against', file: other.origin.file } },
  );
}

/** Both clusters have most of their objects in common, and what is to say about them. */
function noteOnce(note: (text: string) => void): (text: string) => void {
  const said = new Set<string>();
  return (text) => {
    if (!said.has(text)) note(text);
    said.add(text);
  };
}
