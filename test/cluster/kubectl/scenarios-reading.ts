import type { Scenario } from './transcript.ts';

const pod = (name: string, tier: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: { app: 'shop', tier } },
  spec: {
    // A name of its own: pods on a node that the garbage collector has missed for 40 s are deleted at any time.
    nodeName: 'absent-$NAMESPACE',
    terminationGracePeriodSeconds: 0,
    containers: [
      { name: 'main', image: `${name}:1`, resources: { requests: { cpu: '100m', memory: '64Mi' } } },
    ],
  },
});

const gadget = (name: string, size: number) => ({
  apiVersion: '$NAMESPACE.example.com/v1',
  kind: 'Gadget',
  metadata: { name },
  spec: { size, colour: 'green' },
});

/** A custom kind in a group of this scenario, because definitions are cluster-scoped. */
const gadgetDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.$NAMESPACE.example.com' },
  spec: {
    group: '$NAMESPACE.example.com',
    scope: 'Namespaced',
    names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', shortNames: ['gd'], categories: ['all'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' },
        },
        additionalPrinterColumns: [
          { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
          { name: 'Colour', type: 'string', jsonPath: '.spec.colour', priority: 1 },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
        schema: {
          openAPIV3Schema: {
            description: 'Gadget is a thing of this test.',
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                description: 'Desired state of the gadget.',
                required: ['size'],
                properties: {
                  size: { type: 'integer', minimum: 1, description: 'How large it is.' },
                  colour: { type: 'string', enum: ['green', 'red'], default: 'red' },
                  parts: {
                    type: 'array',
                    items: { type: 'object', properties: { name: { type: 'string' } } },
                  },
                },
                'x-kubernetes-validations': [{ rule: 'self.size < 100', message: 'size must be below 100' }],
              },
              status: {
                type: 'object',
                properties: { size: { type: 'integer' }, phase: { type: 'string' } },
              },
            },
          },
        },
      },
    ],
  },
};

/**
 * Reads in every output format. The pods are bound to a node that does not exist, so their status never
 * changes.
 */
export const readingScenarios: readonly Scenario[] = [
  {
    title: 'gets in every form of output',
    steps: [
      {
        run: 'create -f -',
        input: [pod('one', 'front'), pod('two', 'back'), pod('three', 'back')],
        prints: 'pod/three created',
      },
      { run: 'get pods', prints: /NAME +READY +STATUS/ },
      { run: 'get pods -o wide', prints: 'NOMINATED NODE' },
      { run: 'get pods --show-labels', prints: 'app=shop,tier=front' },
      { run: 'get pods -L tier,absent', prints: 'TIER' },
      {
        run: 'get pods --no-headers -o custom-columns=NAME:.metadata.name,IMAGE:.spec.containers[0].image',
        prints: 'one',
      },
      { run: 'get pods -o name', prints: 'pod/one' },
      { run: 'get pod one -o yaml', prints: 'kind: Pod' },
      { run: 'get pods -o json', prints: '"kind": "List"' },
      { run: 'get pods -o jsonpath={.items[*].metadata.name}', prints: 'one three two' },
      {
        run: "get pods -o go-template='{{range .items}}{{.metadata.name}} {{end}}'",
        prints: 'one three two',
      },
      { run: 'get pods --sort-by=.spec.containers[0].image', prints: 'one' },
      { run: 'get pods -l tier=back', prints: 'two' },
      { run: "get pods -l 'tier in (front, side),app!=other'", prints: 'one' },
      { run: 'get pods -l !tier', complains: 'No resources found' },
      { run: 'get pods --field-selector=metadata.name=two -o name', prints: 'pod/two' },
      {
        run: 'get pods --field-selector=spec.nodeName=absent-$NAMESPACE,status.phase!=Running -o name',
        prints: 'pod/one',
      },
      { run: 'get pods --field-selector=spec.nonsense=1', code: 1, complains: 'field label not supported' },
      { run: 'get pods --chunk-size=1 -o name', prints: 'pod/two' },
      { run: 'get pods -A --field-selector=metadata.namespace=$NAMESPACE', prints: '$NAMESPACE' },
      { run: 'get pods one two', prints: 'two' },
      { run: 'get pods one absent', code: 1, prints: 'one', complains: '"absent" not found' },
      { run: 'get pod one -o yaml --show-managed-fields=false --output-watch-events=false' },
      { run: 'get pod/one configmap/kube-root-ca.crt', prints: 'configmap/kube-root-ca.crt' },
      {
        run: 'get --raw /api/v1/namespaces/$NAMESPACE/pods?limit=1',
        prints: 'remainingItemCount',
        differs: 'it is full of identities',
      },
      { run: 'get pods --subresource=status one -o name', prints: 'pod/one' },
      { run: 'delete pod one two three --grace-period=0 --force', prints: 'pod "one" force deleted' },
      { run: 'get pods', complains: 'No resources found in $NAMESPACE namespace.' },
    ],
  },
  {
    title: 'describes objects',
    steps: [
      { run: 'create -f -', input: pod('one', 'front'), prints: 'created' },
      { run: 'describe pod one', prints: 'Node:' },
      { run: 'create deployment web --image=web:1 --replicas=0', prints: 'created' },
      { run: 'rollout status deployment web', prints: 'successfully rolled out' },
      { run: 'describe deployment web', prints: 'StrategyType:' },
      {
        run: 'create -f -',
        input: {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name: 'disk' },
          spec: {
            storageClassName: 'absent',
            accessModes: ['ReadWriteOnce'],
            resources: { requests: { storage: '1Gi' } },
          },
        },
        prints: 'persistentvolumeclaim/disk created',
      },
      { run: 'describe pvc disk', prints: /StorageClass: +absent/, differs: 'events come when they come' },
      { run: 'get pvc', prints: 'Pending' },
      { run: 'describe namespace $NAMESPACE', prints: 'No resource quota.' },
      { run: 'describe configmap kube-root-ca.crt', prints: 'ca.crt:', differs: 'certificates differ' },
      { run: 'create serviceaccount robot', prints: 'created' },
      { run: 'describe serviceaccount robot', prints: 'Image pull secrets:' },
      { run: 'create service clusterip web --tcp=80', prints: 'created' },
      {
        run: 'describe service web',
        prints: 'ClusterIP',
        differs: 'nobody keeps endpoints in the embedded cluster',
      },
    ],
  },
  {
    title: 'serves custom kinds as its own',
    steps: [
      { run: 'apply -f -', input: gadgetDefinition, prints: 'created' },
      {
        run: 'wait --for=condition=Established crd/gadgets.$NAMESPACE.example.com --timeout=30s',
        prints: 'condition met',
      },
      { run: 'get crd gadgets.$NAMESPACE.example.com', prints: 'CREATED AT' },
      { run: 'api-resources --api-group=$NAMESPACE.example.com', prints: 'gadgets', eventually: true },
      { run: 'apply -f -', input: gadget('first', 3), prints: 'gadget.$NAMESPACE.example.com/first created' },
      { run: 'apply -f -', input: { ...gadget('first', 3), spec: { size: 4 } }, prints: 'configured' },
      { run: 'apply --server-side -f -', input: gadget('second', 5), prints: 'serverside-applied' },
      { run: 'get gadgets', prints: /NAME +SIZE +AGE/ },
      { run: 'get gd -o wide', prints: 'COLOUR' },
      { run: 'get all', prints: 'gadget.$NAMESPACE.example.com/first' },
      { run: 'get gadget first -o yaml', prints: 'colour: red' },
      { run: 'describe gadget second', prints: /Size: +5/ },
      { run: 'create -f -', input: gadget('huge', 100), code: 1, complains: 'size must be below 100' },
      {
        run: 'create -f -',
        input: gadget('tiny', 0),
        code: 1,
        complains: 'should be greater than or equal to 1',
      },
      {
        run: 'create -f -',
        input: { ...gadget('odd', 1), spec: { size: 1, nonsense: 1 } },
        code: 1,
        complains: 'unknown field "spec.nonsense"',
      },
      { run: 'patch gadget first --type=merge -p \'{"spec":{"size":7}}\'', prints: 'patched' },
      { run: 'patch gadget first -p \'{"spec":{"size":7}}\'', code: 1, complains: 'is not supported by' },
      { run: 'scale gadget first --replicas=9', prints: 'scaled' },
      {
        run: 'patch gadget first --subresource=status --type=merge -p \'{"status":{"phase":"Done"}}\'',
        prints: 'patched',
      },
      { run: 'wait gadget/first --for=jsonpath={.status.phase}=Done --timeout=10s', prints: 'condition met' },
      { run: 'edit gadget first', editor: 'sed -i s/size:.9/size:\\ 11/', prints: 'edited' },
      { run: 'get gadget first -o jsonpath={.spec.size}', prints: '11' },
      { run: 'label gadget first a=b', prints: 'labeled' },
      {
        run: 'explain gadget',
        prints: 'Gadget is a thing of this test.',
        differs: 'what all kinds have in common is not described',
        eventually: true,
      },
      { run: 'explain gadget.spec', prints: 'Desired state of the gadget.' },
      {
        run: 'explain gadget --recursive',
        prints: 'parts',
        differs: 'what all kinds have in common is not described',
      },
      { run: 'explain gadget.spec.nonsense', code: 1, complains: 'field "nonsense" does not exist' },
      { run: 'delete gadget --all', prints: 'deleted' },
      { run: 'delete crd gadgets.$NAMESPACE.example.com', prints: 'deleted' },
      {
        run: 'get gadgets',
        code: 1,
        complains: /not find the requested resource|doesn't have a resource type/,
        differs: 'what kubectl remembers of discovery has an age',
        eventually: true,
      },
    ],
  },
  {
    title: 'waits for objects to be made and to go',
    steps: [
      { run: 'create -f -', input: pod('one', 'front'), prints: 'created' },
      { run: 'wait pod/one --for=create --timeout=10s', prints: 'condition met' },
      {
        run: 'wait pod/one --for=jsonpath={.spec.nodeName}=absent-$NAMESPACE --timeout=10s',
        prints: 'condition met',
      },
      {
        run: 'wait pod/one --for=condition=Ready --timeout=200ms',
        code: 1,
        complains: 'timed out waiting for the condition',
      },
      { run: 'delete pod one --wait=false', prints: 'deleted' },
      { run: 'wait pod/one --for=delete --timeout=20s', differs: 'the pod may be gone already' },
      { run: 'wait pod/absent --for=condition=Ready --timeout=10s', code: 1, complains: 'not found' },
    ],
  },
  {
    title: 'prints who may do what',
    steps: [
      { run: 'create serviceaccount robot', prints: 'created' },
      { run: 'create role reader --verb=get,list --resource=pods', prints: 'created' },
      {
        run: 'create rolebinding readers --role=reader --serviceaccount=$NAMESPACE:robot',
        prints: 'created',
      },
      { run: 'auth can-i delete nodes', prints: 'yes' },
      {
        run: 'auth can-i get pods --as=system:serviceaccount:$NAMESPACE:robot',
        prints: 'yes',
        eventually: true,
      },
      { run: 'auth can-i delete pods --as=system:serviceaccount:$NAMESPACE:robot', code: 1, prints: 'no' },
      {
        run: 'auth can-i get pods --as=system:serviceaccount:$NAMESPACE:robot -n default',
        code: 1,
        prints: 'no',
      },
      { run: 'auth can-i get /healthz --as=nobody --as-group=system:authenticated', prints: 'yes' },
      {
        run: 'auth can-i --list --as=system:serviceaccount:$NAMESPACE:robot',
        prints: 'pods',
        differs: 'the rules every user has differ',
      },
      { run: 'get pods --as=system:serviceaccount:$NAMESPACE:robot', complains: 'No resources found' },
      {
        run: 'delete pods --all --as=system:serviceaccount:$NAMESPACE:robot',
        prints: 'No resources found',
        differs: 'nothing is there to delete',
      },
      {
        run: 'get secrets --as=system:serviceaccount:$NAMESPACE:robot',
        code: 1,
        complains: 'cannot list resource "secrets" in API group "" in the namespace',
      },
      { run: 'auth whoami -o jsonpath={.status.userInfo.groups}', prints: 'system:masters' },
      { run: 'auth whoami --as=jane --as-group=developers', prints: 'jane' },
      { run: 'create token robot --duration=1h', prints: /^eyJ/, differs: 'tokens are secret' },
      { run: 'create token absent', code: 1, complains: 'serviceaccounts "absent" not found' },
    ],
  },
  {
    title: 'prints what it serves',
    steps: [
      { run: 'version -o json', prints: 'v1.36.1', differs: 'builds differ' },
      { run: 'cluster-info', prints: 'is running at' },
      { run: 'api-versions', prints: 'apps/v1', differs: 'the embedded server serves fewer versions' },
      { run: 'api-resources --api-group=apps', prints: 'deployments' },
      { run: 'api-resources --api-group=policy -o wide', prints: 'poddisruptionbudgets' },
      {
        run: 'api-resources --api-group= --namespaced=false -o name',
        prints: 'nodes',
        differs: 'component statuses are not served',
      },
      {
        run: 'explain pod.spec.containers.resources',
        prints: 'requests',
        differs: 'descriptions are not published',
      },
      {
        run: 'explain deployment --recursive',
        prints: 'progressDeadlineSeconds',
        differs: 'descriptions are not published',
      },
      {
        run: 'explain nodes.spec.taints.effect',
        prints: /FIELD: effect/,
        differs: 'descriptions are not published',
      },
      { run: 'explain nonsense', code: 1, complains: "the server doesn't have a resource type" },
      { run: 'get --raw /readyz', prints: 'ok' },
      { run: 'get namespaces default kube-system kube-node-lease', prints: 'Active' },
      { run: 'get service kubernetes -n default', prints: 'ClusterIP' },
      { run: 'get priorityclass system-node-critical system-cluster-critical', prints: '2000001000' },
    ],
  },
];
