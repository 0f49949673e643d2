import { plan } from '@karpenter/core/scheduling';
import { checkPlan } from '@karpenter/testkit/plan-checker';
import { randomCluster } from '@karpenter/testkit/random-clusters';
let deferred = 0, pinned = 0, withRes = 0; const bad = {};
for (let seed = 601; seed <= 3000; seed++) {
  const { snapshot, options } = randomCluster(seed);
  const has = [...snapshot.instanceTypes.values()].flat().some((t) => t.offerings.some((o) => o.reservationCapacity !== undefined));
  if (!has) continue;
  withRes++;
  const p = plan(snapshot, options);
  deferred += p.deferred.length; pinned += p.newNodes.filter((n) => n.requirements.some((r) => r.key.includes('reservation'))).length;
  for (const v of checkPlan(snapshot, p, options)) { (bad[v.rule] ??= []).push(`${seed}: ${v.detail}`); }
}
console.log({ withRes, deferred, pinned }); for (const [k, v] of Object.entries(bad)) console.log(k, v.length, v.slice(0, 6));
