import { describe, expect, it } from 'vitest';
import { agentSettings, readAgentSettings } from './index.ts';

const read = (args: readonly string[] = [], env = {}) => readAgentSettings(['--node-name=a', ...args], env);

/** Flag, variable and default of every setting, as operators of aws-node-termination-handler know them. */
const known = `
dry-run DRY_RUN false
node-name NODE_NAME -
pod-name POD_NAME -
pod-namespace NAMESPACE -
metadata-url INSTANCE_METADATA_URL http://169.254.169.254
ignore-daemon-sets IGNORE_DAEMON_SETS true
delete-local-data DELETE_LOCAL_DATA true
kubernetes-service-host KUBERNETES_SERVICE_HOST -
kubernetes-service-port KUBERNETES_SERVICE_PORT -
grace-period GRACE_PERIOD -1
pod-termination-grace-period POD_TERMINATION_GRACE_PERIOD -1
node-termination-grace-period NODE_TERMINATION_GRACE_PERIOD 120
kube-api-qps KUBE_API_QPS 5
kube-api-burst KUBE_API_BURST 10
webhook-url WEBHOOK_URL -
webhook-proxy WEBHOOK_PROXY -
webhook-headers WEBHOOK_HEADERS {"Content-type":"application/json"}
webhook-template-file WEBHOOK_TEMPLATE_FILE -
enable-scheduled-event-draining ENABLE_SCHEDULED_EVENT_DRAINING true
enable-spot-interruption-draining ENABLE_SPOT_INTERRUPTION_DRAINING true
enable-asg-lifecycle-draining ENABLE_ASG_LIFECYCLE_DRAINING false
enable-rebalance-monitoring ENABLE_REBALANCE_MONITORING false
enable-rebalance-draining ENABLE_REBALANCE_DRAINING false
metadata-tries METADATA_TRIES 3
cordon-only CORDON_ONLY false
taint-node TAINT_NODE false
taint-effect TAINT_EFFECT NoSchedule
enable-out-of-service-taint ENABLE_OUT_OF_SERVICE_TAINT false
exclude-from-load-balancers EXCLUDE_FROM_LOAD_BALANCERS false
json-logging JSON_LOGGING false
log-level LOG_LEVEL INFO
log-format-version LOG_FORMAT_VERSION 1
uptime-from-file UPTIME_FROM_FILE -
enable-prometheus-server ENABLE_PROMETHEUS_SERVER false
prometheus-server-port PROMETHEUS_SERVER_PORT 9092
enable-probes-server ENABLE_PROBES_SERVER false
probes-server-port PROBES_SERVER_PORT 8080
probes-server-endpoint PROBES_SERVER_ENDPOINT /healthz
emit-kubernetes-events EMIT_KUBERNETES_EVENTS false
kubernetes-events-extra-annotations KUBERNETES_EVENTS_EXTRA_ANNOTATIONS -
aws-region AWS_REGION -
aws-endpoint AWS_ENDPOINT -
workers WORKERS 10
use-apiserver-cache USE_APISERVER_CACHE false
enable-sqs-termination-draining ENABLE_SQS_TERMINATION_DRAINING false
queue-url QUEUE_URL -
check-tag-before-draining CHECK_TAG_BEFORE_DRAINING false
check-asg-tag-before-draining CHECK_ASG_TAG_BEFORE_DRAINING false
managed-tag MANAGED_TAG -
managed-asg-tag MANAGED_ASG_TAG -
use-provider-id USE_PROVIDER_ID false
complete-lifecycle-action-delay-seconds COMPLETE_LIFECYCLE_ACTION_DELAY_SECONDS -1
delete-sqs-msg-if-node-not-found DELETE_SQS_MSG_IF_NODE_NOT_FOUND false
sqs-msg-visibility-timeout-sec SQS_MSG_VISIBILITY_TIMEOUT_SEC -1
heartbeat-interval HEARTBEAT_INTERVAL -1
heartbeat-until HEARTBEAT_UNTIL -1
`
  .trim()
  .split('\n')
  .map((line) => line.split(' '));

/** Settings of our own. */
const additional = ['manage-karpenter-nodes', 'rebalance-cooldown', 'webhook-template'];

it.each(known)('has --%s, variable %s, default %s', (flag, env, fallback) => {
  const found = Object.values(agentSettings).find((each) => each.flag === flag);
  expect([found?.env, found?.defaultText]).toEqual([env, fallback === '-' ? '' : fallback]);
});

it('has no other settings than these and our own', () => {
  const flags = Object.values(agentSettings).map(({ flag }) => flag);
  expect(flags.toSorted()).toEqual([...known.map(([flag]) => flag), ...additional].toSorted());
});

describe('refuses', () => {
  it.each([
    [['--taint-effect=Never'], {}, /taint-effect: "Never" is not one of NoSchedule/],
    [['--workers=0'], {}, /workers: 0 is less than 1/],
    [['--log-level=loud'], {}, /log-level: "loud" is not one of/],
    [['--log-format-version=3'], {}, /log-format-version/],
    [['--metadata-url=there'], {}, /metadata-url: "there" is not a URL/],
    [['--heartbeat-interval=30'], {}, /heartbeat-interval: heartbeats need the queue mode/],
    [[], { HEARTBEAT_UNTIL: '300' }, /heartbeat-until/],
    [[], { ENABLE_REBALANCE_DRAINING: 'maybe' }, /ENABLE_REBALANCE_DRAINING: "maybe"/],
    [[], { WORKERS: 'ten' }, /WORKERS: "ten" is not a whole number/],
    [['--kubernetes-events-extra-annotations=a'], {}, /key=value pairs/],
    [['--probes-server-endpoint=healthz'], {}, /must begin with \//],
    [['--prometheus-server-port=70000'], {}, /is not a port/],
    [['--no-such-flag'], {}, /--no-such-flag is not a setting/],
  ])('%j %j', (args, env, problem) => {
    expect(() => read(args, env)).toThrow(problem);
  });

  it('to start without the name of the node', () => {
    expect(() => readAgentSettings([], {})).toThrow(/set NODE_NAME from spec.nodeName/);
  });
});

it('treats an empty variable as not set, as charts write it', () => {
  expect(read([], { WORKERS: '', DRY_RUN: '' }).settings).toMatchObject({ workers: 10, dryRun: false });
});

it('prefers a flag to a variable', () => {
  expect(read(['--workers=3'], { WORKERS: '4' }).settings.workers).toBe(3);
});

it('says which settings have no effect', () => {
  const { notices } = read(['--queue-url=https://sqs', '--grace-period=5'], {
    ENABLE_SQS_TERMINATION_DRAINING: 'true',
  });
  expect(notices).toEqual([
    'grace-period is deprecated; use pod-termination-grace-period',
    expect.stringMatching(/^enable-sqs-termination-draining has no effect/),
    expect.stringMatching(/^queue-url has no effect/),
  ]);
});
