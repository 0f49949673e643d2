import { customResources, type ReadClass } from '@karpenter/aws';
import { nodePools } from '@karpenter/controllers/cluster';
import { labelKeys, type NodePool } from '@karpenter/core/api';
import { CodedError } from '@karpenter/core/errors';
import type { InstanceType } from '@karpenter/core/ports';
import type { JsonObject } from '@karpenter/core/schema';
import { type KubeObject, kindOf } from '@karpenter/kube/client';
import type { ConnectedCluster } from '../cluster-view/index.ts';
import { defaultSettings, typeList } from '../instance-types/index.ts';
import { type ClusterPlace, clusterPlace, type PlacedObject } from '../region/index.ts';
import { clusterInstanceTypes } from './cluster-instance-types.ts';
import { clusterView } from './cluster-price.ts';
import { listIfAllowed } from './live-objects.ts';
import type { ObjectLists } from './object-lists.ts';

export interface TypeSources {
  readonly connection: ConnectedCluster;
  /** The cluster as it is, of which the zones of the nodes are read. */
  readonly live: ObjectLists;
  /** The cluster after changes, of which the NodePools are read. */
  readonly lists: ObjectLists;
  /** Types for a cluster of which neither nodes nor EC2NodeClasses say where it is. */
  readonly fallback: (place: ClusterPlace) => readonly InstanceType[];
  /** From the command line; must be the one that nodes and EC2NodeClasses are in. */
  readonly region?: string | undefined;
  readonly note: (text: string) => void;
}

type TypesOfPool = (pool: NodePool) => readonly InstanceType[];

/**
 * Instance types of the catalogue for each NodePool: as its EC2NodeClass allows, in the zones of its subnets. Without
 * such a class, in the zones of the nodes. NodePools of one class share a list.
 */
export async function liveInstanceTypes(sources: TypeSources): Promise<TypesOfPool> {
  const classes = await readClasses(sources);
  const byClass = new Map<string, readonly InstanceType[]>();
  const others = onDemand(() => typesWithoutClass(sources));
  const typesOf: TypesOfPool = ({ spec }) => {
    const { group, kind, name } = spec.template.spec.nodeClassRef;
    const nodeClass =
      kind === nodeClasses.kind && group === nodeClasses.group ? classes.get(name) : undefined;
    if (nodeClass === undefined) return others();
    const types = byClass.get(name) ?? typesOfClass(nodeClass, sources);
    byClass.set(name, types);
    return types;
  };
  notePoolsWithoutTypes(sources, typesOf);
  return typesOf;
}

const [, , , , ec2NodeClass] = customResources;
const nodeClasses = kindOf(ec2NodeClass);

type ListedClass = KubeObject & ReadClass;

/** Those with subnets, by name: offerings exist only in the zones of subnets. */
async function readClasses({ connection, note }: TypeSources): Promise<ReadonlyMap<string, ListedClass>> {
  const { objects } = await listIfAllowed(connection, nodeClasses, note);
  const read = (objects as unknown as readonly ListedClass[]).filter(
    ({ status }) => firstZone(status) !== '',
  );
  return new Map(read.map((nodeClass) => [nodeClass.metadata?.name ?? '', nodeClass]));
}

function firstZone(status: ReadClass['status']): string {
  return status?.subnets?.[0]?.zone ?? '';
}

function typesOfClass(nodeClass: ListedClass, sources: TypeSources): readonly InstanceType[] {
  const region = /^[a-z]+(?:-[a-z]+)+-\d+/.exec(firstZone(nodeClass.status))?.[0] ?? '';
  refuseOtherRegion(sources, region, `the subnets of EC2NodeClass ${nodeClass.metadata?.name}`);
  return available(typeList({ nodeClass, region, settings: defaultSettings }));
}

function typesWithoutClass(sources: TypeSources): readonly InstanceType[] {
  const { live, lists, fallback, note, region } = sources;
  const nodes = [...clusterView(live).nodes.values()];
  if (nodes.length > 0) {
    refuseOtherRegion(sources, nodes[0]?.labels[labelKeys.region] ?? '', 'the nodes');
    return available(clusterInstanceTypes(nodes));
  }
  const place = clusterPlace(lists.of(nodePools).map(placedPool), region);
  if (region === undefined)
    note(`there are no nodes and no EC2NodeClass with subnets, so nodes are planned in ${place.region}`);
  return fallback(place);
}

function placedPool(pool: NodePool): PlacedObject {
  return { object: pool as unknown as JsonObject, subject: `NodePool ${pool.metadata.name}` };
}

function refuseOtherRegion({ region }: TypeSources, found: string, what: string): void {
  if (region === undefined || found === '' || region === found) return;
  throw new CodedError(
    'invalid-setting',
    `--region ${region}: ${what} of the cluster are in ${found}; leave out --region`,
    { details: { flag: '--region', value: region } },
  );
}

function available(types: readonly InstanceType[]): readonly InstanceType[] {
  return types.filter(({ offerings }) => offerings.some((offering) => offering.available));
}

function onDemand<T>(compute: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: compute() };
    return made.value;
  };
}

function notePoolsWithoutTypes({ lists, note }: TypeSources, typesOf: TypesOfPool): void {
  for (const pool of lists.of(nodePools)) {
    if (typesOf(pool).length === 0)
      note(
        `the catalogue has no instance types in the zones of NodePool ${pool.metadata.name}, so no node of it can be made`,
      );
  }
}
