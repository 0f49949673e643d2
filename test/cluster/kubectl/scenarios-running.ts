import type { Scenario } from './transcript.ts';

const job = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'once' },
  spec: {
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'job:1' }] } },
  },
};

const budget = (minAvailable: number) => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'web' },
  spec: { minAvailable, selector: { matchLabels: { app: 'web' } } },
});

const ready = 'deployment "web" successfully rolled out';
const otherHash = 'hashes of templates differ';

/** Workloads that run: both servers have simulated kubelets on two nodes. */
export const runningScenarios: readonly Scenario[] = [
  {
    title: 'rolls out, pauses, undoes and restarts a deployment',
    steps: [
      { run: 'create deployment web --image=web:1 --replicas=2', prints: 'created' },
      { run: 'rollout status deployment web --timeout=40s', prints: ready },
      { run: 'get deployment web', prints: '2/2' },
      { run: 'get deployment,replicaset,pod', prints: 'Running' },
      { run: 'get pods -o wide', prints: /node-[ab]/, differs: 'the schedulers choose for themselves' },
      { run: 'set image deployment/web web=web:2', prints: 'image updated' },
      { run: 'rollout status deployment web --timeout=40s', prints: ready },
      { run: "annotate deployment web 'kubernetes.io/change-cause=second image'", prints: 'annotated' },
      { run: 'rollout history deployment web', prints: 'REVISION', eventually: true, differs: otherHash },
      { run: 'rollout history deployment web --revision=2', prints: 'web:2', differs: otherHash },
      { run: 'rollout undo deployment web', prints: 'rolled back' },
      { run: 'rollout status deployment web --timeout=40s', prints: ready },
      { run: 'get deployment web -o jsonpath={.spec.template.spec.containers[0].image}', prints: /^web:1$/ },
      { run: 'rollout restart deployment web', prints: 'restarted' },
      { run: 'rollout status deployment web --timeout=40s', prints: ready },
      { run: 'rollout pause deployment web', prints: 'paused' },
      { run: 'rollout resume deployment web', prints: 'resumed' },
      { run: 'scale deployment web --replicas=3', prints: 'scaled' },
      {
        run: 'wait deployment/web --for=jsonpath={.status.readyReplicas}=3 --timeout=40s',
        prints: 'condition met',
      },
      {
        run: 'wait pod -l app=web --for=condition=Ready --timeout=40s',
        prints: 'condition met',
        differs: 'the order is that of names',
      },
      { run: 'describe deployment web', prints: '3 desired', differs: 'events come when they come' },
      { run: 'describe pods', prints: 'topology.kubernetes.io/zone=us-west-2a', differs: 'names are random' },
      { run: 'events', prints: 'Scheduled', eventually: true, differs: 'events come when they come' },
      {
        run: 'get events --field-selector=reason=Scheduled,involvedObject.kind=Pod',
        prints: 'Scheduled',
        differs: 'names are random',
      },
    ],
  },
  {
    title: 'deletes owners with, before and without what they own',
    steps: [
      { run: 'create deployment web --image=web:1 --replicas=1', prints: 'created' },
      { run: 'rollout status deployment web --timeout=40s', prints: ready },
      { run: 'delete deployment web --cascade=orphan', prints: 'deleted' },
      {
        run: 'get replicaset -o jsonpath={.items[*].metadata.ownerReferences}',
        prints: /^$/,
        eventually: true,
      },
      { run: 'delete replicaset --all --cascade=foreground', prints: 'deleted', differs: 'names are random' },
      { run: 'get pods', complains: 'No resources found', eventually: true },
      { run: 'create deployment web --image=web:1 --replicas=1', prints: 'created' },
      { run: 'rollout status deployment web --timeout=40s', prints: ready },
      { run: 'delete deployment web', prints: 'deleted' },
      { run: 'get pods,replicasets', complains: 'No resources found', eventually: true },
    ],
  },
  {
    title: 'runs jobs and pods to their end',
    steps: [
      { run: 'create -f -', input: job, prints: 'job.batch/once created' },
      { run: 'wait job/once --for=condition=Complete --timeout=50s', prints: 'condition met' },
      { run: 'get job once', prints: '1/1' },
      { run: 'get pods -l job-name=once', prints: 'Completed', differs: 'names are random' },
      { run: 'delete job once', prints: 'deleted' },
      { run: 'run single --image=single:1 --restart=Always', prints: 'pod/single created' },
      { run: 'wait pod/single --for=condition=Ready --timeout=40s', prints: 'condition met' },
      { run: 'delete pod single', prints: 'pod "single" deleted' },
      { run: 'run single --image=single:1', prints: 'created' },
      { run: 'wait pod/single --for=condition=Ready --timeout=40s', prints: 'condition met' },
      { run: 'delete pod single --grace-period=0 --force', prints: 'force deleted' },
      {
        run: 'create -f -',
        input: {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'fixed' },
          spec: { containers: [{ name: 'main', image: 'a:1' }] },
        },
        prints: 'created',
      },
      {
        run: 'patch pod fixed -p \'{"spec":{"priority":7}}\'',
        code: 1,
        complains: 'Forbidden',
        differs: 'the real server shows the difference in its own Go types',
      },
    ],
  },
  {
    title: 'cordons, taints and drains nodes, minding budgets',
    steps: [
      { run: 'create deployment web --image=web:1 --replicas=2', prints: 'created' },
      { run: 'rollout status deployment web --timeout=40s', prints: ready },
      { run: 'apply -f -', input: budget(2), prints: 'created' },
      {
        run: 'wait pdb/web --for=jsonpath={.status.currentHealthy}=2 --timeout=40s',
        prints: 'condition met',
      },
      { run: 'get pdb', prints: 'web' },
      { run: 'cordon node-a', prints: 'node/node-a cordoned' },
      { run: 'cordon node-b', prints: 'node/node-b cordoned' },
      { run: 'get nodes', prints: 'Ready,SchedulingDisabled' },
      {
        run: 'drain node-a node-b --ignore-daemonsets --delete-emptydir-data --force --timeout=2s --pod-selector=app=web',
        code: 1,
        complains: "Cannot evict pod as it would violate the pod's disruption budget.",
        differs: 'names are random',
      },
      { run: 'apply -f -', input: budget(0), prints: 'configured' },
      {
        run: 'wait pdb/web --for=jsonpath={.status.disruptionsAllowed}=2 --timeout=40s',
        prints: 'condition met',
      },
      {
        run: 'drain node-a node-b --ignore-daemonsets --delete-emptydir-data --force --timeout=50s --pod-selector=app=web',
        prints: /evicting|drained/,
        differs: 'names are random',
      },
      { run: 'get pods --field-selector=spec.nodeName!= -o name', prints: /^$/, eventually: true },
      { run: 'uncordon node-a', prints: 'node/node-a uncordoned' },
      { run: 'uncordon node-a', prints: 'already uncordoned' },
      { run: 'uncordon node-b', prints: 'node/node-b uncordoned' },
      { run: 'taint node node-a example.com/key=value:NoSchedule', prints: 'node/node-a tainted' },
      { run: 'taint node node-a example.com/key=other:NoSchedule', code: 1, complains: 'overwrite is false' },
      { run: 'taint node node-a example.com/key=other:NoSchedule --overwrite', prints: 'modified' },
      { run: 'taint node node-a example.com/key-', prints: 'untainted' },
      { run: 'rollout status deployment web --timeout=40s', prints: ready },
      {
        run: 'describe node node-a',
        prints: /Allocatable:[\s\S]*Non-terminated Pods:/,
        differs: 'pods are placed anywhere',
      },
      { run: 'label node node-a example.com/a=b', prints: 'labeled' },
      { run: 'get nodes -l example.com/a=b -o name', prints: 'node/node-a' },
      { run: 'label node node-a example.com/a-', prints: 'unlabeled' },
    ],
  },
];
