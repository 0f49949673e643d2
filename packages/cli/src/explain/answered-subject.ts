import type { ObjectName } from '@karpenter/core/decisions';
import type { Explanation } from '@karpenter/core/explanation';
import { type ClusterChoice, connectTo } from '../cluster-view/index.ts';
import { type ExplainPorts, explainObject } from './explain-object.ts';

/** What `karpenter explain` prints for the same object, for the page: connects, reads the cluster once, and closes. */
export async function answeredSubject(
  choice: ClusterChoice,
  subject: ObjectName,
  clock: ExplainPorts['clock'],
): Promise<Explanation> {
  const connection = await connectTo(choice);
  try {
    return await explainObject(connection, subject, { clock, note: () => undefined });
  } finally {
    await connection.client.close();
  }
}
