import type { Scenario } from './transcript.ts';

const configMap = (data: object, labels: object = { app: 'shop' }) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', labels },
  data,
});

const deployment = (image: string, extra: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 0,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [
          { name: 'main', image, ...extra },
          { name: 'side', image: 'side:1' },
        ],
      },
    },
  },
});

const port = { ports: [{ containerPort: 80 }, { containerPort: 81, name: 'admin' }] };
const environment = { env: [{ name: 'A', value: '1' }] };

/** Writes of objects that no controller acts on. */
export const writingScenarios: readonly Scenario[] = [
  {
    title: 'applies, applies again and prunes what left the manifest',
    steps: [
      { run: 'apply -f -', input: configMap({ a: '1', b: '2' }), prints: 'configmap/settings created' },
      { run: 'apply -f -', input: configMap({ a: '1', b: '2' }), prints: 'configmap/settings unchanged' },
      {
        run: 'diff -f -',
        input: configMap({ a: '9' }),
        code: 1,
        prints: '-  b: "2"',
        differs: 'diff names temporary files',
      },
      { run: 'apply -f -', input: configMap({ a: '3' }), prints: 'configmap/settings configured' },
      { run: 'diff -f -', input: configMap({ a: '3' }), prints: /^$/ },
      { run: 'get configmap settings -o yaml', prints: 'a: "3"' },
      { run: 'apply view-last-applied configmap settings', prints: 'a: "3"' },
      { run: 'patch configmap settings -p \'{"data":{"other":"9"}}\'', prints: 'configmap/settings patched' },
      { run: 'apply -f -', input: configMap({}), prints: 'configured' },
      { run: 'get configmap settings -o jsonpath={.data}', prints: '{"other":"9"}' },
      { run: 'apply edit-last-applied configmap settings', editor: 'sed -i s/shop/store/', prints: /edited/ },
    ],
  },
  {
    title: 'applies workloads by strategic merge',
    steps: [
      {
        run: 'apply -f -',
        input: deployment('web:1', { ...port, ...environment }),
        prints: 'deployment.apps/web created',
      },
      { run: 'apply -f -', input: deployment('web:2', port), prints: 'deployment.apps/web configured' },
      {
        run: 'get deployment web -o yaml',
        prints: /image: web:2.*reason: NewReplicaSetAvailable.*observedGeneration: 2/s,
        eventually: true,
      },
      { run: 'set env deployment/web -c main B=2', prints: 'deployment.apps/web env updated' },
      { run: 'apply -f -', input: deployment('web:3', environment), prints: 'configured' },
      {
        run: 'get deployment web -o yaml',
        prints: /image: web:3.*reason: NewReplicaSetAvailable.*observedGeneration: 4/s,
        eventually: true,
      },
      { run: 'diff -f -', input: deployment('web:3', environment), prints: /^$/ },
      {
        run: 'apply --server-side -f -',
        input: deployment('web:3', environment),
        prints: 'serverside-applied',
      },
      { run: 'get deployment web -o yaml --show-managed-fields', prints: 'manager: kubectl' },
    ],
  },
  {
    title: 'applies on the server and minds what others own',
    steps: [
      {
        run: 'apply --server-side -f -',
        input: configMap({ a: '1', b: '2' }),
        prints: 'configmap/settings serverside-applied',
      },
      {
        run: 'apply --server-side -f -',
        input: configMap({ a: '1' }),
        prints: 'configmap/settings serverside-applied',
      },
      { run: 'get configmap settings -o yaml --show-managed-fields', prints: 'manager: kubectl' },
      {
        run: 'apply --server-side --field-manager=other -f -',
        input: configMap({ a: '2' }),
        code: 1,
        complains: 'conflict with "kubectl": .data.a',
      },
      {
        run: 'apply --server-side --field-manager=other --force-conflicts -f -',
        input: configMap({ a: '2' }),
        prints: 'serverside-applied',
      },
      { run: 'get configmap settings -o yaml --show-managed-fields', prints: 'manager: other' },
      { run: 'diff --server-side --field-manager=other -f -', input: configMap({ a: '2' }), prints: /^$/ },
      {
        run: 'apply --server-side --dry-run=server -f -',
        input: configMap({ c: '2' }),
        prints: 'configmap/settings serverside-applied (server dry run)',
      },
      { run: 'get configmap settings -o jsonpath={.data}', prints: '{"a":"2"}' },
    ],
  },
  {
    title: 'takes over on the server what was applied on the client',
    steps: [
      { run: 'apply -f -', input: configMap({ a: '1', b: '2' }), prints: 'created' },
      { run: 'apply --server-side -f -', input: configMap({ a: '1' }), prints: 'serverside-applied' },
      { run: 'get configmap settings -o yaml --show-managed-fields', prints: 'operation: Apply' },
    ],
  },
  {
    title: 'prunes applied objects by label',
    steps: [
      {
        run: 'apply -f -',
        input: [configMap({}), { ...configMap({}), metadata: { name: 'old', labels: { app: 'shop' } } }],
        prints: 'configmap/old created',
      },
      {
        run: 'apply --prune -l app=shop --prune-allowlist=core/v1/ConfigMap -f -',
        input: configMap({}),
        prints: 'configmap/old pruned',
      },
    ],
  },
  {
    title: 'refuses what is not valid, in the words of the server',
    steps: [
      {
        run: 'create -f -',
        input: { ...configMap({}), unknown: 1 },
        code: 1,
        complains: 'unknown field "unknown"',
      },
      {
        run: 'create --validate=warn -f -',
        input: { ...configMap({}), unknown: 1 },
        complains: 'Warning: unknown field "unknown"',
      },
      { run: 'create -f -', input: configMap({}), code: 1, complains: 'AlreadyExists' },
      {
        run: 'create -f -',
        input: { ...configMap({}), metadata: { name: 'No_Name' } },
        code: 1,
        complains: 'RFC 1123',
      },
      {
        run: 'create -f -',
        input: { ...deployment('web:1'), spec: { replicas: -1 } },
        code: 1,
        complains: 'spec.replicas',
      },
      {
        run: 'create -f -',
        input: { apiVersion: 'v1', kind: 'Nonsense', metadata: { name: 'a' } },
        code: 1,
        complains: 'no matches for kind "Nonsense"',
      },
      {
        run: 'apply -f -',
        input: { ...configMap({}), metadata: { name: 'x', namespace: 'elsewhere' } },
        code: 1,
        complains: 'does not match the namespace',
      },
      { run: 'get configmap absent', code: 1, complains: '"absent" not found' },
      { run: 'get nonsense', code: 1, complains: 'the server doesn\'t have a resource type "nonsense"' },
      {
        run: 'create configmap a --from-literal=a=1 --namespace=absent',
        code: 1,
        complains: 'namespaces "absent" not found',
      },
    ],
  },
  {
    title: 'creates from flags, with what kubectl sends as protobuf',
    steps: [
      {
        run: 'create -f - --dry-run=server',
        input: configMap({}),
        prints: 'configmap/settings created (server dry run)',
      },
      {
        run: 'create configmap flags --from-literal=a=1 --from-literal=b=2',
        prints: 'configmap/flags created',
      },
      { run: 'create secret generic hidden --from-literal=password=sesame', prints: 'secret/hidden created' },
      {
        run: 'create secret docker-registry puller --docker-username=u --docker-password=p',
        prints: 'secret/puller created',
      },
      { run: 'create serviceaccount robot', prints: 'serviceaccount/robot created' },
      {
        run: 'create role reader --verb=get,list --resource=pods,deployments.apps',
        prints: 'role.rbac.authorization.k8s.io/reader created',
      },
      {
        run: 'create rolebinding readers --role=reader --serviceaccount=$NAMESPACE:robot',
        prints: 'rolebinding.rbac.authorization.k8s.io/readers created',
      },
      {
        run: 'create poddisruptionbudget budget --selector=app=web --min-available=50%',
        prints: 'poddisruptionbudget.policy/budget created',
      },
      {
        run: 'create deployment flagged --image=web:1 --replicas=0 --port=80',
        prints: 'deployment.apps/flagged created',
      },
      {
        run: 'create job once --image=job:1 --dry-run=server -o yaml',
        prints: 'image: job:1',
        differs: 'the job carries generated labels',
      },
      {
        run: "create cronjob often --image=job:1 --schedule='0 0 1 1 *'",
        prints: 'cronjob.batch/often created',
      },
      { run: 'create service clusterip inner --tcp=80:8080', prints: 'service/inner created' },
      {
        run: 'create service nodeport outer --tcp=80:8080 --node-port=30999 --dry-run=server',
        prints: 'service/outer created',
      },
      {
        run: 'create ingress way --rule=example.com/*=inner:80',
        prints: 'ingress.networking.k8s.io/way created',
      },
      { run: 'create quota limits --hard=pods=10', prints: 'resourcequota/limits created' },
      { run: 'create clusterrole $NAMESPACE-role --verb=get --resource=nodes', prints: 'created' },
      {
        run: 'create clusterrolebinding $NAMESPACE-binding --clusterrole=$NAMESPACE-role --user=jane',
        prints: 'created',
      },
      { run: 'create priorityclass $NAMESPACE-high --value=1000 --description=important', prints: 'created' },
      { run: 'create namespace $NAMESPACE', code: 1, complains: 'AlreadyExists' },
      {
        run: 'get configmap,secret,serviceaccount,role,rolebinding,pdb,deployment,cronjob,service,ingress',
        prints: 'configmap/flags',
      },
      { run: 'get configmap flags -o yaml' },
      { run: 'get secret hidden puller -o yaml' },
      { run: 'get role,rolebinding -o yaml' },
      { run: 'get pdb budget -o jsonpath={.spec}' },
      { run: 'get deployment flagged -o jsonpath={.spec}' },
      { run: 'get cronjob often -o yaml' },
      { run: 'get service inner -o yaml' },
      { run: 'get ingress way -o yaml' },
      { run: 'get priorityclass $NAMESPACE-high -o yaml' },
      { run: 'delete clusterrole $NAMESPACE-role', prints: 'deleted' },
      { run: 'delete clusterrolebinding $NAMESPACE-binding', prints: 'deleted' },
      { run: 'delete priorityclass $NAMESPACE-high', prints: 'deleted' },
      {
        run: 'autoscale deployment flagged --min=1 --max=3 --cpu=80%',
        prints: 'horizontalpodautoscaler.autoscaling/flagged autoscaled',
      },
      { run: 'get hpa flagged -o jsonpath={.spec}', prints: '"maxReplicas":3' },
      { run: 'expose deployment flagged --port=80 --name=exposed', prints: 'service/exposed exposed' },
      { run: 'get service exposed -o jsonpath={.spec.ports}', prints: '"port":80' },
    ],
  },
  {
    title: 'patches in every form, labels, annotates and edits',
    steps: [
      { run: 'create -f -', input: deployment('web:1', port), prints: 'created' },
      {
        run: 'patch deployment web -p \'{"spec":{"template":{"spec":{"containers":[{"name":"main","image":"web:2"}]}}}}\'',
        prints: 'patched',
      },
      {
        run: 'patch deployment web --type=merge -p \'{"spec":{"revisionHistoryLimit":3}}\'',
        prints: 'patched',
      },
      {
        run: 'patch deployment web --type=merge -p \'{"spec":{"revisionHistoryLimit":3}}\'',
        prints: 'patched (no change)',
      },
      {
        run: 'patch deployment web --type=json -p \'[{"op":"replace","path":"/spec/template/spec/containers/1/image","value":"side:2"}]\'',
        prints: 'patched',
      },
      {
        run: 'patch deployment web --type=json -p \'[{"op":"test","path":"/spec/replicas","value":7}]\'',
        code: 1,
        complains: 'The request is invalid',
      },
      { run: 'rollout status deployment web', prints: 'successfully rolled out' },
      {
        run: 'patch deployment web --subresource=scale --type=merge -p \'{"spec":{"replicas":1}}\'',
        prints: 'scale.autoscaling/web patched',
      },
      {
        run: 'patch deployment web --subresource=status --type=merge -p \'{"status":{"collisionCount":2}}\'',
        prints: 'patched',
      },
      {
        run: 'patch deployment web -p \'{"spec":{"selector":{"matchLabels":{"a":"b"}}}}\'',
        code: 1,
        complains: 'field is immutable',
      },
      { run: 'get deployment web -o jsonpath={.spec}', prints: 'web:2' },
      { run: 'label deployment web tier=front', prints: 'deployment.apps/web labeled' },
      { run: 'label deployment web tier=back', code: 1, complains: '--overwrite is false' },
      { run: 'label deployment web tier=back --overwrite', prints: 'labeled' },
      { run: 'label deployment web tier-', prints: 'unlabeled' },
      { run: 'annotate deployment web note=hello', prints: 'annotated' },
      {
        run: 'annotate deployment web --list',
        prints: 'note=hello',
        differs: 'kubectl lists them in any order',
      },
      { run: 'set image deployment/web main=web:4', prints: 'image updated' },
      {
        run: 'set resources deployment web -c=main --requests=cpu=100m',
        prints: 'resource requirements updated',
      },
      { run: 'set serviceaccount deployment web robot', prints: 'serviceaccount updated' },
      { run: 'edit deployment web', editor: 'sed -i s/web:4/web:5/', prints: 'deployment.apps/web edited' },
      { run: 'edit deployment web', editor: 'true', complains: 'Edit cancelled, no changes made.' },
      { run: 'get deployment web -o jsonpath={.spec.template.spec}', prints: 'web:5' },
      {
        run: 'scale deployment web --replicas=0 --current-replicas=5',
        code: 1,
        complains: 'Expected replicas to be 5',
      },
    ],
  },
  {
    title: 'replaces, also by force',
    steps: [
      { run: 'create -f -', input: configMap({ a: '1' }), prints: 'created' },
      { run: 'replace -f -', input: configMap({ b: '1' }), prints: 'configmap/settings replaced' },
      { run: 'get configmap settings -o jsonpath={.data}', prints: '{"b":"1"}' },
      { run: 'replace --force -f -', input: configMap({ c: '1' }), prints: 'configmap/settings replaced' },
      { run: 'get configmap settings -o jsonpath={.data}', prints: '{"c":"1"}' },
      {
        run: 'replace -f -',
        input: { ...configMap({}), metadata: { name: 'absent' } },
        code: 1,
        complains: 'NotFound',
      },
      {
        run: 'replace -f -',
        input: { ...configMap({}), metadata: { name: 'settings', resourceVersion: '1' } },
        code: 1,
        complains: 'the object has been modified',
      },
    ],
  },
  {
    title: 'deletes with finalizers, by label, and all',
    steps: [
      {
        run: 'create -f -',
        input: { ...configMap({}), metadata: { name: 'held', finalizers: ['example.com/hold'] } },
        prints: 'created',
      },
      { run: 'delete configmap held --wait=false', prints: 'configmap "held" deleted' },
      { run: 'get configmap held -o jsonpath={.metadata.deletionTimestamp}', prints: /^\d{4}-/ },
      {
        run: 'patch configmap held --type=merge -p \'{"metadata":{"finalizers":["example.com/hold","example.com/more"]}}\'',
        code: 1,
        complains: 'no new finalizers can be added',
      },
      { run: 'patch configmap held --type=merge -p \'{"metadata":{"finalizers":null}}\'', prints: 'patched' },
      { run: 'get configmap held', code: 1, complains: 'not found' },
      { run: 'create configmap one', prints: 'created' },
      { run: 'create configmap two', prints: 'created' },
      { run: 'label configmap one two group=x', prints: 'configmap/two labeled' },
      { run: 'delete configmap -l group=x', prints: 'configmap "two" deleted' },
      { run: 'delete configmap one --ignore-not-found', prints: /^$/ },
      { run: 'delete configmap one', code: 1, complains: 'NotFound' },
      { run: 'create secret generic three', prints: 'created' },
      { run: 'delete secret --all --dry-run=server', prints: 'secret "three" deleted' },
      { run: 'delete secret --all', prints: 'secret "three" deleted' },
    ],
  },
];
