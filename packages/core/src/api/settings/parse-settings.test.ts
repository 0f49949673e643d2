import { describe, expect, it } from 'vitest';
import { CodedError } from '../../errors/index.ts';
import { coreSettings } from './core-settings.ts';
import { parseSettings } from './parse-settings.ts';

const parse = (args: readonly string[] = [], env: Record<string, string> = {}) =>
  parseSettings(coreSettings, args, env);

function problem(args: readonly string[], env: Record<string, string> = {}): string {
  try {
    parse(args, env);
  } catch (error) {
    expect(error).toBeInstanceOf(CodedError);
    expect((error as CodedError).code).toBe('invalid-setting');
    return (error as CodedError).message;
  }
  throw new Error('expected a problem');
}

describe('defaults', () => {
  it('match the specification', () => {
    expect(parse()).toEqual({
      warnings: [],
      settings: {
        karpenterService: '',
        metricsPort: 8080,
        healthProbePort: 8081,
        kubeClientQps: 200,
        kubeClientBurst: 300,
        enableProfiling: false,
        disableControllerWarmup: true,
        disableLeaderElection: false,
        disableClusterStateObservability: false,
        leaderElectionName: 'karpenter-leader-election',
        leaderElectionNamespace: '',
        memoryLimit: -1,
        cpuRequests: 1000,
        logLevel: 'info',
        logOutputPaths: 'stdout',
        logErrorOutputPaths: 'stderr',
        batchMaxDuration: 10_000,
        batchIdleDuration: 1_000,
        preferencePolicy: 'Respect',
        minValuesPolicy: 'Strict',
        nodeOverheadPrice: 0.01,
        planUpcomingPods: true,
        ignoreDraRequests: true,
        featureGates: {
          NodeRepair: false,
          ReservedCapacity: true,
          SpotToSpotConsolidation: false,
          NodeOverlay: false,
          StaticCapacity: false,
          CapacityBuffer: false,
        },
        decisionLogSize: 1_000,
        decisionLogClusters: 5,
        schedulerConfig: '',
      },
    });
  });
});

describe('flags', () => {
  it.each([
    [['--metrics-port', '9090']],
    [['--metrics-port=9090']],
    [['-metrics-port', '9090']],
    [['-metrics-port=9090']],
    [['--metrics-port=1', '--metrics-port=9090']],
    [['--', '--metrics-port=0x2382']],
  ])('may be %j', (args) => {
    expect(parse(args).settings.metricsPort).toBe(9090);
  });

  it('override variables', () => {
    expect(parse(['--log-level=debug'], { LOG_LEVEL: 'error' }).settings.logLevel).toBe('debug');
  });

  it('keep every equals sign after the first', () => {
    expect(parse(['--karpenter-service=a=b']).settings.karpenterService).toBe('a=b');
  });

  it('may be empty for text settings', () => {
    expect(parse(['--leader-election-name=']).settings.leaderElectionName).toBe('');
  });

  it('take no separate value when they are boolean', () => {
    expect(parse(['--enable-profiling', '--metrics-port', '1']).settings).toMatchObject({
      enableProfiling: true,
      metricsPort: 1,
    });
    expect(parse(['--ignore-dra-requests=false']).settings.ignoreDraRequests).toBe(false);
    expect(problem(['--enable-profiling', 'false'])).toBe(
      '"false" is not a setting; write settings as --name=value',
    );
  });

  it('that are boolean accept only true and false', () => {
    expect(problem(['--enable-profiling=1'])).toBe(
      '--enable-profiling: "1" is not a valid value, must be true or false',
    );
  });

  it('report flag, value and accepted values when they cannot be parsed', () => {
    expect(problem(['--metrics-port=web'])).toBe('--metrics-port: "web" is not a whole number');
    expect(problem(['--batch-idle-duration=1'])).toBe(
      '--batch-idle-duration: "1" is not a duration, such as 10s or 1m30s',
    );
    expect(problem(['--metrics-port'])).toBe('--metrics-port needs a value; write a whole number');
    expect(problem(['--metric-port=1'])).toBe('--metric-port is not a setting; --help lists all settings');
    expect(problem(['---metrics-port=1'])).toBe(
      '"---metrics-port=1" is not a setting; write settings as --name=value',
    );
  });

  it('are all checked before failing', () => {
    expect(
      problem(['--log-level=loud', '--nonsense', '--metrics-port=x'], { PREFERENCE_POLICY: 'Sometimes' }),
    ).toBe(
      '--nonsense is not a setting; --help lists all settings; ' +
        '--metrics-port: "x" is not a whole number; ' +
        'validating cli flags / env vars, invalid LOG_LEVEL "loud"; ' +
        'validating cli flags / env vars, invalid PREFERENCE_POLICY "Sometimes"',
    );
  });
});

describe('variables', () => {
  it('are parsed by the kind of their setting', () => {
    const env = {
      METRICS_PORT: '9090',
      ENABLE_PROFILING: 'T',
      BATCH_MAX_DURATION: '1m30s',
      MIN_VALUES_POLICY: 'BestEffort',
      LEADER_ELECTION_NAMESPACE: 'kube-system',
    };
    expect(parse([], env).settings).toMatchObject({
      metricsPort: 9090,
      enableProfiling: true,
      batchMaxDuration: 90_000,
      minValuesPolicy: 'BestEffort',
      leaderElectionNamespace: 'kube-system',
    });
  });

  it('that cannot be parsed fall back to the default with a warning', () => {
    const { settings, warnings } = parse([], {
      METRICS_PORT: 'web',
      BATCH_IDLE_DURATION: 'soon',
      ENABLE_PROFILING: 'yes',
    });
    expect(settings).toMatchObject({ metricsPort: 8080, batchIdleDuration: 1_000, enableProfiling: false });
    expect(warnings).toEqual([
      'METRICS_PORT: "web" is not a whole number; 8080 is used instead',
      'ENABLE_PROFILING: "yes" is not a valid value, must be true or false; false is used instead',
      'BATCH_IDLE_DURATION: "soon" is not a duration, such as 10s or 1m30s; 1s is used instead',
    ]);
  });

  it('that are empty count as unset, except for text settings', () => {
    const { settings, warnings } = parse([], {
      METRICS_PORT: '',
      LOG_LEVEL: '',
      FEATURE_GATES: '',
      LEADER_ELECTION_NAME: '',
    });
    expect(settings).toMatchObject({ metricsPort: 8080, logLevel: 'info', leaderElectionName: '' });
    expect(settings.featureGates.ReservedCapacity).toBe(true);
    expect(warnings).toEqual([]);
  });

  it('are rejected when they are not among the choices', () => {
    expect(problem([], { LOG_LEVEL: 'loud' })).toBe(
      'validating cli flags / env vars, invalid LOG_LEVEL "loud"',
    );
    expect(problem([], { MIN_VALUES_POLICY: 'strict' })).toBe(
      'validating cli flags / env vars, invalid MIN_VALUES_POLICY "strict"',
    );
  });
});

describe('cpu-requests', () => {
  it.each(['0', '-5'])('of %s counts as one core', (text) => {
    expect(parse([], { CPU_REQUESTS: text }).settings.cpuRequests).toBe(1000);
    expect(parse([`--cpu-requests=${text}`]).settings.cpuRequests).toBe(1000);
  });
});

describe('feature gates', () => {
  const gates = (text: string) => parse([], { FEATURE_GATES: text }).settings.featureGates;

  it('that are not mentioned keep their defaults', () => {
    expect(gates('NodeRepair=true')).toMatchObject({
      NodeRepair: true,
      ReservedCapacity: true,
      NodeOverlay: false,
    });
  });

  it("may contain spaces, Go's spellings and a trailing comma", () => {
    expect(gates(' NodeRepair = T , ReservedCapacity=0,')).toMatchObject({
      NodeRepair: true,
      ReservedCapacity: false,
    });
  });

  it('that are unknown are ignored', () => {
    expect(gates('Teleportation=true')).toEqual(parse().settings.featureGates);
    expect(gates('constructor=true')).toEqual(parse().settings.featureGates);
  });

  it.each([
    [
      'NodeOverlays=true',
      'feature-gates: there is no feature gate "NodeOverlays"; did you mean NodeOverlay?',
    ],
    [
      'NodeRepair=true,X=false',
      'feature-gates: there is no feature gate "X"; the gates are NodeRepair, ReservedCapacity, SpotToSpotConsolidation, NodeOverlay, StaticCapacity, CapacityBuffer',
    ],
  ])('that are unknown, as in %s, are a warning', (text, warning) => {
    expect(parse([`--feature-gates=${text}`]).warnings).toEqual([warning]);
    expect(parse([], { FEATURE_GATES: text }).warnings).toEqual([warning]);
  });

  it.each(['NodeRepair', 'NodeRepair=', 'NodeRepair=yes', '=x'])('written %j are rejected', (text) => {
    const sentence = `feature-gates: ${JSON.stringify(text)} is not a gate with its value, such as NodeRepair=true`;
    expect(problem([], { FEATURE_GATES: text })).toBe(sentence);
    expect(problem([`--feature-gates=${text}`])).toBe(sentence);
  });
});
