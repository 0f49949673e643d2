import { labelKeys, type NodePool } from '@karpenter/core/api';
import type { InstanceType } from '@karpenter/core/ports';
import { isSavedCluster } from '@karpenter/core/saved-cluster';
import type { Plan } from '@karpenter/core/scheduling';
import { notesOnOtherRegions, placeOf, refuseUnknownZones } from '../region/index.ts';
import { type PlannableCluster, plannableCluster } from './cluster/listed-cluster.ts';
import { manifestCluster } from './cluster/manifest-cluster.ts';
import { documentsOf, type InputDocument } from './input/document.ts';
import type { InputFile } from './input/input-file.ts';
import { rethrowWithSource } from './input/origin.ts';
import { inventoryOfManifests, unreadNotes } from './objects/inventory.ts';
import { type Manifest, manifestsOf, placedManifest } from './objects/manifest.ts';
import { checkManifests } from './objects/object-checks.ts';
import { storedObjects } from './objects/stored-objects.ts';
import { savedCluster } from './saved/saved-cluster.ts';
import { isScenario } from './scenario/scenario.ts';
import { scenarioSimulation } from './scenario/scenario-snapshot.ts';
import {
  type Choices,
  noChoices,
  type Planner,
  type PlanSimulation,
  type Simulated,
  type SimulationPorts,
} from './simulation.ts';

/** A cluster whose input is parsed but whose snapshot is not built yet, so that one snapshot is in memory at a time. */
export type PendingSimulation = () => Promise<PlanSimulation>;

/**
 * The clusters that the files describe, in their order: each scenario and each saved cluster is one; all manifests
 * together are one, as if they were applied to the same cluster. Throws on malformed files and unknown kinds.
 */
export function simulationsOf(
  files: readonly InputFile[],
  ports: SimulationPorts,
  choices: Choices = noChoices,
): readonly PendingSimulation[] {
  const documents = files.flatMap(documentsOf);
  const manifests = documents.filter((document) => kindOf(document) === 'manifest');
  const [firstManifest] = manifests;
  const together = firstManifest && manifestSimulation(manifests.flatMap(manifestsOf), ports, choices);
  noteUselessConfig(choices, documents.length - manifests.length, ports);
  return documents.flatMap((document) => {
    if (kindOf(document) !== 'manifest') return [async () => ownSimulation(document, ports, choices)];
    return document === firstManifest && together !== undefined ? [together] : [];
  });
}

/**
 * Default spread constraints need the Services and workloads of a pod to derive its selector. Scenarios contain
 * neither, and saved clusters only if they were planned with constraints, which they keep.
 */
function noteUselessConfig({ defaultConstraints }: Choices, others: number, { note }: SimulationPorts): void {
  if (defaultConstraints.length === 0 || others === 0) return;
  note('default spread constraints are given to pods of manifests only, not of scenarios or saved clusters');
}

async function ownSimulation(
  document: InputDocument,
  { clock }: SimulationPorts,
  { policies }: Choices,
): Promise<PlanSimulation> {
  const { origin, value } = document;
  if (kindOf(document) === 'scenario') return scenarioSimulation(value, origin, { policies, clock });
  const cluster = plannableCluster(savedCluster(value, origin, policies), clock);
  return simulationOf(await cluster.catch(rethrowWithSource(origin.file)), 'saved', origin.file);
}

export function simulationOf(
  { input, options, findings, captured }: PlannableCluster,
  kind: PlanSimulation['kind'],
  source: string,
): PlanSimulation {
  return { kind, source, snapshot: input.snapshot, options, findings, captured };
}

/** Plans one cluster. `seconds` covers planning only, without reading and building the snapshot. */
export function simulate(simulation: PlanSimulation, { plan, clock }: SimulationPorts): Simulated {
  const start = clock.monotonic();
  const made = planned(simulation, plan);
  const seconds = (clock.monotonic() - start) / 1000;
  return { ...simulation, plan: made, seconds };
}

function planned({ snapshot, options, source }: PlanSimulation, plan: Planner): Plan {
  try {
    return plan(snapshot, options);
  } catch (error) {
    return rethrowWithSource(source)(error);
  }
}

export function kindOf({ value }: InputDocument): 'scenario' | 'saved' | 'manifest' {
  if (isScenario(value)) return 'scenario';
  return isSavedCluster(value) ? 'saved' : 'manifest';
}

/** Checks kinds at once instead of on demand, so that an unknown kind fails the command before it plans anything. */
export function manifestSimulation(
  manifests: readonly Manifest[],
  ports: SimulationPorts,
  choices: Choices,
): PendingSimulation {
  const inventory = inventoryOfManifests(manifests);
  const placed = manifests.map(placedManifest);
  const place = placeOf(placed, choices.region);
  const source = [...new Set(manifests.map(({ origin }) => origin.file))].join(', ');
  return async () => {
    const { clock } = ports;
    const stored = storedObjects(inventory.manifests, clock.now());
    if (ports.objectCheck !== undefined) checkManifests(inventory.manifests, await ports.objectCheck());
    const types = ports.instanceTypes(place);
    refuseUnknownZones(placed, zonesOf(types));
    const described = { ...stored, types };
    const cluster = await plannableCluster(manifestCluster(described, choices, ports), clock).catch(
      rethrowWithSource(source),
    );
    // After everything that can throw: a rejected input is reported by its error alone, without notes before it.
    const elsewhere = notesOnOtherRegions(placed, place.region);
    const notes = [...unreadNotes(inventory), ...elsewhere, ...stored.notes, ...poolNotes(cluster.input)];
    for (const text of notes) ports.note(text);
    return simulationOf(cluster, 'manifests', source);
  };
}

function zonesOf(types: readonly InstanceType[]): ReadonlySet<string> {
  const requirements = types.flatMap(({ offerings }) =>
    offerings.flatMap((offering) => offering.requirements),
  );
  return new Set(requirements.flatMap(({ key, values = [] }) => (key === labelKeys.zone ? values : [])));
}

export function poolNotes({ notReady }: { readonly notReady: readonly NodePool[] }): readonly string[] {
  return notReady.map(
    ({ metadata }) => `NodePool ${metadata.name} is not ready, so no node of it can be made`,
  );
}
