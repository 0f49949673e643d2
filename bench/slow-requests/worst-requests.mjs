// Requests that do as much work as Kubernetes' limits on a body (3 MiB) and on a stored object (1.5 MiB) allow.

const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const members = (count, make) => Object.fromEntries(times(count, make));
const pods = '/api/v1/namespaces/default/pods';
const configMaps = '/api/v1/namespaces/default/configmaps';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const widgets = '/apis/slow.example.com/v1/namespaces/default/widgets';
const yaml = 'application/yaml';
const patch = (type) => `application/${type}-patch+json`;
const apply = 'application/apply-patch+yaml';

const pod = (name, spec) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec });
const container = (index, more = {}) => ({ name: `c${index}`, image: 'i', ...more });
const configMap = (name, data) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
const widget = (name, spec) => ({
  apiVersion: 'slow.example.com/v1',
  kind: 'Widget',
  metadata: { name },
  spec,
});

const post = (path, body, type) => ({ method: 'POST', path, body, type });
const patched = (path, type, body) => ({ method: 'PATCH', path, body, type });

function definition(plural, kind, spec) {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.slow.example.com` },
    spec: {
      group: 'slow.example.com',
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          additionalPrinterColumns: [{ name: 'n', type: 'string', jsonPath: '.spec.texts[*]' }],
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  };
}

const text = { type: 'string' };
const numbers = (rule, maxItems) => ({
  type: 'array',
  maxItems,
  items: { type: 'integer' },
  'x-kubernetes-validations': [{ rule }],
});
const widgetSpec = {
  type: 'object',
  properties: {
    pattern: { type: 'string', pattern: '^(a+)+$' },
    schedule: {
      type: 'string',
      pattern: '^(@(annually|daily|hourly))|((.+)\\s(.+)\\s(.+)\\s(.+)\\s(.+))$',
    },
    texts: { type: 'array', items: text },
    keyed: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: { type: 'object', required: ['k'], properties: { k: text, v: text } },
    },
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
    cubed: numbers('self.all(a, self.all(b, self.all(c, a + b + c >= 0)))', 100),
    counted: numbers('self.all(a, a >= 0)', 1_000_000),
    matched: {
      type: 'array',
      maxItems: 10,
      items: {
        type: 'string',
        maxLength: 1000,
        'x-kubernetes-validations': [{ rule: "self.matches('^(a+)+$')" }],
      },
    },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    defaulted: {
      type: 'array',
      items: { type: 'object', properties: { a: { ...text, default: 'x' }, b: { ...text, default: 'y' } } },
    },
    chosen: { type: 'array', items: { ...text, enum: times(30_000, (index) => `e${index}`) } },
    repeated: { type: 'string', pattern: '[ab]*a[ab]{900}[cd]' },
    searched: {
      type: 'array',
      maxItems: 100,
      items: { type: 'string', maxLength: 1000 },
      'x-kubernetes-validations': [{ rule: "self.all(t, !t.matches('^[ab]*a[ab]{900}[cd]$'))" }],
    },
    duration: { type: 'string', format: 'duration' },
    several: { type: 'array', items: { anyOf: [{ pattern: '^a' }, { pattern: '^b' }], type: 'string' } },
  },
};

/** An owner of one field. */
function manager(index) {
  return {
    manager: `m${index}`,
    operation: 'Apply',
    apiVersion: 'v1',
    time: '2026-11-16T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { 'f:x': {} } },
  };
}

/** A kind with thousands of columns, each of which multiplies what there is to search. */
function definitionOfColumns() {
  const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const defined = definition('columns', 'Column', free);
  defined.spec.versions[0].additionalPrinterColumns = times(3_000, (index) => ({
    name: `c${index}`,
    type: 'string',
    jsonPath: `.spec..x..y..z${index}`,
  }));
  return defined;
}

/** What the other requests need to exist. */
export const preparation = [
  post(definitions, definition('widgets', 'Widget', widgetSpec)),
  post(configMaps, configMap('patched', {})),
  post(
    configMaps,
    configMap(
      'large',
      members(40_000, (index) => [`k${index}`, 'v']),
    ),
  ),
  post(
    configMaps,
    configMap(
      'listed',
      members(8, (index) => [`k${index}`, 'x'.repeat(120_000)]),
    ),
  ),
  post(pods, pod('patched', { containers: [container(0)] })),
  post(configMaps, {
    ...configMap('managed', {}),
    metadata: { name: 'managed', managedFields: times(10_000, manager) },
  }),
  post(definitions, definitionOfColumns()),
  post('/apis/slow.example.com/v1/namespaces/default/columns', {
    apiVersion: 'slow.example.com/v1',
    kind: 'Column',
    metadata: { name: 'columns' },
    spec: members(10_000, (index) => [`k${index}`, { x: { x: { y: {} } } }]),
  }),
];

const appliedKeyed = widget('applied', { keyed: times(30_000, (index) => ({ k: `k${index}`, v: 'v' })) });

/** Each with the codes that it may be answered with. */
export const worstRequests = {
  'JSON patch, 30 doubling copies': patched(`${configMaps}/patched`, patch('json'), [
    { op: 'add', path: '/data', value: { a: 'b' } },
    ...times(30, (index) => ({ op: 'copy', from: '/data', path: `/data/c${index}` })),
  ]),
  'JSON patch, 10,000 adds to one object': patched(
    `${configMaps}/large`,
    patch('json'),
    times(10_000, (index) => ({ op: 'add', path: `/data/n${index}`, value: 'v' })),
  ),
  'JSON patch, 10,000 items at the front of a long list': patched(`${widgets}/none`, patch('json'), [
    { op: 'add', path: '/spec/texts', value: times(200_000, () => 'a') },
    ...times(9_999, () => ({ op: 'add', path: '/spec/texts/0', value: 'b' })),
  ]),
  'merge patch of 100,000 members': patched(`${configMaps}/patched`, patch('merge'), {
    data: members(100_000, (index) => [`k${index}`, 'v']),
  }),
  'strategic patch of 10,000 containers': patched(`${pods}/patched`, patch('strategic-merge'), {
    spec: { containers: times(10_000, (index) => container(index)) },
  }),
  'strategic patch that deletes 50,000 containers': patched(`${pods}/patched`, patch('strategic-merge'), {
    spec: { containers: times(50_000, (index) => ({ $patch: 'delete', name: `c${index}` })) },
  }),
  'YAML with 200,000 keys': post(
    configMaps,
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: keys}\ndata:\n${times(200_000, (index) => `  k${index}: v`).join('\n')}\n`,
    yaml,
  ),
  'YAML, one flow list of 1,000,000 items': post(
    configMaps,
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: flow}\ndata: [${times(1_000_000, () => '1').join(',')}]\n`,
    yaml,
  ),
  'YAML, 100,000 aliases': post(
    configMaps,
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: aliases}\nx: &x v\ndata:\n${times(100_000, (index) => `  k${index}: *x`).join('\n')}\n`,
    yaml,
  ),
  'YAML, 50,000 anchors': post(
    configMaps,
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: anchors}\ndata:\n${times(50_000, (index) => `  k${index}: &a${index} v\n  l${index}: *a${index}`).join('\n')}\n`,
    yaml,
  ),
  'YAML, 35,000 comments': post(configMaps, `${'#\n'.repeat(35_000)}a: b\n`, yaml),
  'YAML, 18,000 directives': post(configMaps, `${'%YAML 1.2\n'.repeat(18_000)}---\na: b\n`, yaml),
  'YAML, 200,000 documents': post(configMaps, `a: b\n${'---\n{}\n'.repeat(200_000)}`, yaml),
  'YAML, 3 MiB of quotes': post(configMaps, `a: "${'\\"'.repeat(1_500_000)}"`, yaml),
  'YAML, nested 1,000,000 deep': post(configMaps, '['.repeat(1_000_000), yaml),
  'YAML, 900 merged maps of 900': post(
    configMaps,
    `x: &x {${times(900, (index) => `k${index}: v`).join(', ')}}\n${times(900, (index) => `m${index}: {<<: *x}`).join('\n')}\n`,
    yaml,
  ),
  'a pod of 10,000 containers': post(
    pods,
    pod('containers', { containers: times(10_000, (index) => container(index)) }),
  ),
  'a pod of 60,000 containers': post(
    pods,
    pod('many', { containers: times(60_000, (index) => container(index)) }),
  ),
  'a pod of 40,000 equal containers': post(
    pods,
    pod('equal', { containers: times(40_000, () => container(0)) }),
  ),
  'a pod of 20,000 init containers': post(
    pods,
    pod('init', {
      containers: times(20_000, (index) => container(index)),
      initContainers: times(20_000, (index) => container(index)),
    }),
  ),
  'a pod of 40,000 volumes and mounts': post(
    pods,
    pod('volumes', {
      containers: [
        container(0, {
          volumeMounts: times(20_000, (index) => ({ name: `v${index}`, mountPath: `/${index}` })),
        }),
      ],
      volumes: times(20_000, (index) => ({ name: `v${index}`, emptyDir: {} })),
    }),
  ),
  'a pod of 60,000 variables': post(
    pods,
    pod('variables', {
      containers: [container(0, { env: times(60_000, (index) => ({ name: `V${index}`, value: 'v' })) })],
    }),
  ),
  'a pod of 30,000 ports': post(
    pods,
    pod('ports', {
      containers: [
        container(0, { ports: times(30_000, (index) => ({ containerPort: (index % 65_535) + 1 })) }),
      ],
    }),
  ),
  'a pod of 30,000 tolerations': post(
    pods,
    pod('tolerations', {
      containers: [container(0)],
      tolerations: times(30_000, (index) => ({ key: `k${index}`, operator: 'Exists' })),
    }),
  ),
  'a pod of 20,000 affinity terms': post(
    pods,
    pod('affinity', {
      containers: [container(0)],
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: times(20_000, (index) => ({
            topologyKey: 'k',
            labelSelector: { matchLabels: { a: `b${index}` } },
          })),
        },
      },
    }),
  ),
  'a pod of 20,000 spread constraints': post(
    pods,
    pod('spread', {
      containers: [container(0)],
      topologySpreadConstraints: times(20_000, (index) => ({
        maxSkew: 1,
        topologyKey: `k${index}`,
        whenUnsatisfiable: 'DoNotSchedule',
      })),
    }),
  ),
  'a pod of 50,000 wrong fields': post(pods, {
    ...pod('wrong', { containers: [container(0)] }),
    ...members(50_000, (index) => [`unknown${index}`, 1]),
  }),
  'a pod with 50,000 labels': post(pods, {
    ...pod('labels', { containers: [container(0)] }),
    metadata: { name: 'labels', labels: members(50_000, (index) => [`k${index}`, 'v']) },
  }),
  'a pod with 50,000 owners': post(pods, {
    ...pod('owners', { containers: [container(0)] }),
    metadata: {
      name: 'owners',
      ownerReferences: times(20_000, (index) => ({
        apiVersion: 'v1',
        kind: 'Pod',
        name: `o${index}`,
        uid: `u${index}`,
      })),
    },
  }),
  'a pod with 100,000 finalizers': post(pods, {
    ...pod('finalizers', { containers: [container(0)] }),
    metadata: { name: 'finalizers', finalizers: times(100_000, (index) => `a.b/f${index}`) },
  }),
  'JSON of 500,000 duplicate members': post(
    configMaps,
    `{${times(300_000, () => '"a":1').join(',')}}`,
    'application/json',
  ),
  'JSON that ends in an error after 3 MB': post(
    configMaps,
    `{"data":{${times(200_000, (index) => `"k${index}":"v"`).join(',')}`,
    'application/json',
  ),
  'JSON of 1,500,000 numbers': post(
    configMaps,
    `{"data":[${times(1_400_000, () => '1').join(',')}]}`,
    'application/json',
  ),
  'server-side apply of a list of 30,000 keyed items': patched(
    `${widgets}/applied?fieldManager=a`,
    apply,
    appliedKeyed,
  ),
  'the same by another manager': patched(`${widgets}/applied?fieldManager=b&force=true`, apply, {
    ...appliedKeyed,
    spec: { keyed: times(30_000, (index) => ({ k: `k${index}`, v: 'w' })) },
  }),
  'an update of a list of 30,000 keyed items': patched(`${widgets}/applied`, patch('merge'), {
    spec: { keyed: times(30_000, (index) => ({ k: `k${29_999 - index}`, v: 'x' })) },
  }),
  'server-side apply of a set of 100,000 texts': patched(
    `${widgets}/set?fieldManager=a`,
    apply,
    widget('set', { set: times(100_000, (index) => `t${index}`) }),
  ),
  'server-side apply of 100,000 members': patched(
    `${configMaps}/members?fieldManager=a`,
    apply,
    configMap(
      'members',
      members(50_000, (index) => [`k${index}`, 'v']),
    ),
  ),
  'server-side apply of a pod of 10,000 containers': patched(
    `${pods}/applied?fieldManager=a`,
    apply,
    pod('applied', { containers: times(10_000, (index) => container(index)) }),
  ),
  'a pattern on 1 MB': post(widgets, widget('pattern', { pattern: `${'a'.repeat(1_000_000)}b` })),
  'a schedule of 1 MB of spaces': post(
    widgets,
    widget('schedule', { schedule: `${' '.repeat(1_000_000)}\n` }),
  ),
  'CEL, three nested loops': post(widgets, widget('cubed', { cubed: times(100, () => 1) })),
  'CEL, a loop over 500,000 items': post(widgets, widget('counted', { counted: times(500_000, () => 1) })),
  'CEL, ten matches': post(widgets, widget('matched', { matched: times(10, () => `${'a'.repeat(999)}b`) })),
  'unknown fields of any shape': post(
    widgets,
    widget('free', { free: members(100_000, (index) => [`k${index}`, { a: [1] }]) }),
  ),
  'a list whose 300,000 items match no alternative': post(
    widgets,
    widget('several', { several: times(300_000, () => 'c') }),
  ),
  'a list of 300,000 objects that get defaults': post(
    widgets,
    widget('defaulted', { defaulted: times(300_000, () => ({})) }),
  ),
  'a list of 100,000 items of a long enumeration': post(
    widgets,
    widget('chosen', { chosen: times(100_000, (index) => `e${index % 30_000}`) }),
  ),
  'a pattern that keeps 900 instructions busy': post(
    widgets,
    widget('repeated', { repeated: 'ab'.repeat(5_000) }),
  ),
  'CEL, 100 matches that keep 900 instructions busy': post(
    widgets,
    widget('searched', { searched: times(100, () => 'ab'.repeat(500)) }),
  ),
  'a pod with a quantity of a million digits': post(
    pods,
    pod('quantity', {
      containers: [container(0, { resources: { requests: { cpu: '1'.repeat(1_000_000) } } })],
    }),
  ),
  'a definition with a pattern of a million instructions': post(
    definitions,
    definition('repeats', 'Repeat', {
      type: 'object',
      properties: { f: { type: 'string', pattern: 'a{1000}'.repeat(1_000) } },
    }),
  ),
  'a definition of 20,000 fields': post(
    definitions,
    definition('fields', 'Field', {
      type: 'object',
      properties: members(20_000, (index) => [`f${index}`, text]),
    }),
  ),
  'a definition with 3,000 patterns': post(
    definitions,
    definition('patterns', 'Pattern', {
      type: 'object',
      properties: members(3_000, (index) => [
        `f${index}`,
        { type: 'string', pattern: `^(a${index}+|[b-z]{1,20})*$` },
      ]),
    }),
  ),
  'a definition with a long pattern': post(
    definitions,
    definition('longs', 'Long', {
      type: 'object',
      properties: { f: { type: 'string', pattern: '\\pL'.repeat(300_000) } },
    }),
  ),
  'a definition with 3,000 rules': post(
    definitions,
    definition('rules', 'Rule', {
      type: 'object',
      properties: members(3_000, (index) => [
        `f${index}`,
        {
          type: 'integer',
          'x-kubernetes-validations': [{ rule: `self > ${index} && self < 1000 || self == 5` }],
        },
      ]),
    }),
  ),
  'a definition with a rule of 100,000 characters': post(
    definitions,
    definition('longrules', 'LongRule', {
      type: 'object',
      properties: {
        f: {
          type: 'integer',
          'x-kubernetes-validations': [{ rule: times(10_000, () => 'self > 1').join('||') }],
        },
      },
    }),
  ),
  'a definition nested 900 deep': post(
    definitions,
    definition(
      'deeps',
      'Deep',
      times(300, () => 0).reduce((below) => ({ type: 'object', properties: { a: below } }), text),
    ),
  ),
  'a duration of a million digits': post(widgets, widget('duration', { duration: '1'.repeat(1_000_000) })),
  'a pod with a quantity of a million digits that end in no unit': post(
    pods,
    pod('unit', {
      containers: [container(0, { resources: { requests: { cpu: `${'1'.repeat(1_000_000)}!` } } })],
    }),
  ),
  'a definition with a rule of escaped quotes': post(
    definitions,
    definition('quotes', 'Quote', {
      type: 'object',
      'x-kubernetes-validations': [{ rule: '\\"'.repeat(49_000) }],
    }),
  ),
  'a definition with a count that does not end': post(
    definitions,
    definition('counts', 'Count', { type: 'string', pattern: `x{${'1'.repeat(1_000_000)}` }),
  ),
  'JSON patch, a path of a million parts': patched(`${configMaps}/patched`, patch('json'), [
    { op: 'add', path: '/a'.repeat(1_000_000), value: 1 },
  ]),
  'strategic patch that orders 80,000 finalizers': patched(`${pods}/patched`, patch('strategic-merge'), {
    metadata: {
      finalizers: times(80_000, (index) => `a.b/f${index}`),
      '$setElementOrder/finalizers': times(80_000, (index) => `a.b/f${index}`),
    },
  }),
  'server-side apply against 10,000 managers': patched(
    `${configMaps}/managed?fieldManager=a`,
    apply,
    configMap('managed', { x: 'b' }),
  ),
  'a table of 3,000 columns': {
    method: 'GET',
    path: '/apis/slow.example.com/v1/namespaces/default/columns',
    accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  },
  'a label selector of 100,000 terms': {
    method: 'GET',
    path: `${pods}?labelSelector=${times(2_000, (index) => `k${index}%3Dv`).join(',')}`,
  },
  'a table of large objects': {
    method: 'GET',
    path: configMaps,
    accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  },
  'a list of large objects': { method: 'GET', path: configMaps },
  'a table of widgets': {
    method: 'GET',
    path: widgets,
    accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  },
  'a watch of large objects': { method: 'GET', path: `${configMaps}?watch=1&timeoutSeconds=1` },
  'the OpenAPI document': { method: 'GET', path: '/openapi/v3/apis/slow.example.com/v1' },
};
