import type { ConnectedCluster } from '../cluster-view/index.ts';
import { catalogueInstanceTypes } from '../instance-types/index.ts';
import { planSettings } from '../simulate/index.ts';
import { liveInstanceTypes, liveObjects } from '../what-if/index.ts';
import type { ExplainPorts } from './explain-object.ts';
import type { ExplainedObjects } from './explained-cluster.ts';

/** Lists the objects that plans read, with the instance types of the catalogue that the EC2NodeClasses allow. */
export async function liveObjectsToExplain(
  connection: ConnectedCluster,
  { clock, note, region }: ExplainPorts,
): Promise<ExplainedObjects> {
  const live = await liveObjects(connection, { settings: planSettings({}), defaultSpread: [], note });
  const instanceTypes = await liveInstanceTypes({
    connection,
    live,
    lists: live,
    fallback: catalogueInstanceTypes,
    region,
    note,
  });
  return { lists: live.all, instanceTypes, at: clock.now() };
}
