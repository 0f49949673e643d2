import { booleanSetting, integerSetting, textSetting } from '@karpenter/core/api';
import { atLeast, oneOf, portCheck } from './setting-checks.ts';

const defaultTemplate =
  '{"text":"[NTH][Instance Interruption] EventID: {{ .EventID }} - Kind: {{ .Kind }} - Instance: {{ .InstanceID }} - Node: {{ .NodeName }} - Description: {{ .Description }} - Start Time: {{ .StartTime }}"}';

/** How the process talks to the API server and to people. */
export const processSettings = {
  kubernetesServiceHost: textSetting('kubernetes-service-host', {
    default: '',
    description: 'Address of the API server; empty means what the kubelet or KUBECONFIG says',
  }),
  kubernetesServicePort: textSetting('kubernetes-service-port', {
    default: '',
    description: 'Port of the API server',
  }),
  kubeApiQps: integerSetting('kube-api-qps', {
    default: 5,
    description: 'Requests to the API server per second, over time',
    check: atLeast('kube-api-qps', 1),
  }),
  kubeApiBurst: integerSetting('kube-api-burst', {
    default: 10,
    description: 'Requests to the API server at once, before the rate counts',
    check: atLeast('kube-api-burst', 1),
  }),
  useApiserverCache: booleanSetting('use-apiserver-cache', {
    default: false,
    description: 'Accepts lists from the cache of the API server, which may be slightly old',
  }),
  webhookUrl: textSetting('webhook-url', {
    default: '',
    description: 'Address to post a notification of each event to',
    check: (value) =>
      value === '' || URL.canParse(value)
        ? undefined
        : 'webhook-url: the value is not a URL; write https://…',
  }),
  webhookProxy: textSetting('webhook-proxy', {
    default: '',
    description: 'HTTP proxy for that address',
    check: (value) =>
      value === '' || URL.canParse(value)
        ? undefined
        : 'webhook-proxy: the value is not a URL; write http://…',
  }),
  webhookHeaders: textSetting('webhook-headers', {
    default: '{"Content-type":"application/json"}',
    description: 'Headers of the notification, as a JSON object',
  }),
  webhookTemplate: textSetting('webhook-template', {
    default: defaultTemplate,
    description: 'Go template of the notification',
  }),
  webhookTemplateFile: textSetting('webhook-template-file', {
    default: '',
    description: 'File with the template; takes precedence over webhook-template',
  }),
  jsonLogging: booleanSetting('json-logging', { default: false, description: 'Writes log lines as JSON' }),
  logLevel: textSetting('log-level', {
    default: 'INFO',
    description: 'The least serious log lines to write',
    accepts: 'info, debug or error, in any case',
    check: (value) => oneOf('log-level', ['info', 'debug', 'error'])(value.toLowerCase()),
  }),
  logFormatVersion: integerSetting('log-format-version', {
    default: 1,
    description: '2 adds the field event_type to the lines about events',
    accepts: '1 or 2',
    check: (value) => oneOf('log-format-version', ['1', '2'])(String(value)),
  }),
  enablePrometheusServer: booleanSetting('enable-prometheus-server', {
    default: false,
    description: 'Serves metrics at /metrics',
  }),
  prometheusServerPort: integerSetting('prometheus-server-port', {
    default: 9092,
    description: 'Port that metrics are served on',
    check: portCheck('prometheus-server-port'),
  }),
  enableProbesServer: booleanSetting('enable-probes-server', {
    default: false,
    description: 'Serves the liveness probe',
  }),
  probesServerPort: integerSetting('probes-server-port', {
    default: 8080,
    description: 'Port of the liveness probe',
    check: portCheck('probes-server-port'),
  }),
  probesServerEndpoint: textSetting('probes-server-endpoint', {
    default: '/healthz',
    description: 'Path of the liveness probe',
    check: (value) =>
      value.startsWith('/') ? undefined : 'probes-server-endpoint: the path must begin with /',
  }),
  emitKubernetesEvents: booleanSetting('emit-kubernetes-events', {
    default: false,
    description: 'Publishes Kubernetes events on the node and on evicted pods',
  }),
  kubernetesEventsExtraAnnotations: textSetting('kubernetes-events-extra-annotations', {
    default: '',
    description: 'Further annotations of those events, as key=value pairs separated by commas',
    check: (value) =>
      value === '' || value.split(',').every((pair) => /^\s*[^=\s]+=/.test(pair))
        ? undefined
        : 'kubernetes-events-extra-annotations: write key=value pairs separated by commas',
  }),
  awsRegion: textSetting('aws-region', {
    default: '',
    description: 'Region in notifications, if the metadata service does not name it',
  }),
};
