{{/*
The environment of the controller. A value that is false or zero is a setting like any other; only null and empty
texts leave the default to the controller.
*/}}

{{- define "karpenter.environment" -}}
{{- $own := list -}}
{{- range .Values.controller.env -}}
{{- $own = append $own .name -}}
{{- end -}}
{{- $variables := list -}}
{{- range include "karpenter.variables" . | fromYamlArray -}}
{{- if not (has .name $own) -}}
{{- $variables = append $variables . -}}
{{- end -}}
{{- end -}}
{{- concat $variables (.Values.controller.env | default list) | toYaml -}}
{{- end -}}

{{- define "karpenter.variables" -}}
- name: KUBERNETES_MIN_VERSION
  value: 1.19.0-0
- name: KARPENTER_SERVICE
  value: {{ include "karpenter.fullname" . | quote }}
- name: SYSTEM_NAMESPACE
  valueFrom:
    fieldRef:
      fieldPath: metadata.namespace
- name: CPU_REQUESTS
  valueFrom:
    resourceFieldRef:
      containerName: {{ .Values.controller.containerName | quote }}
      divisor: 1m
      resource: requests.cpu
- name: MEMORY_LIMIT
  valueFrom:
    resourceFieldRef:
      containerName: {{ .Values.controller.containerName | quote }}
      divisor: "0"
      resource: limits.memory
- name: METRICS_PORT
  value: {{ include "karpenter.text" .Values.controller.metrics.port | quote }}
- name: HEALTH_PROBE_PORT
  value: {{ include "karpenter.text" .Values.controller.healthProbe.port | quote }}
- name: CLUSTER_NAME
  value: {{ include "karpenter.clusterName" . | quote }}
- name: FEATURE_GATES
  value: {{ include "karpenter.featureGates" . | quote }}
{{- if (.Values.webhook).enabled }}
- name: WEBHOOK_PORT
  value: {{ include "karpenter.text" .Values.webhook.port | quote }}
- name: WEBHOOK_NAME
  value: {{ include "karpenter.webhookName" . | quote }}
{{- end }}
{{- if eq (include "karpenter.converts" .) "true" }}
- name: WEBHOOK_CONVERSION
  value: "true"
{{- end }}
{{- range $name, $value := dict
  "LOG_LEVEL" .Values.logLevel
  "LOG_OUTPUT_PATHS" (join "," .Values.logOutputPaths)
  "LOG_ERROR_OUTPUT_PATHS" (join "," .Values.logErrorOutputPaths)
  "PREFERENCE_POLICY" .Values.settings.preferencePolicy
  "MIN_VALUES_POLICY" .Values.settings.minValuesPolicy
  "REBALANCE_POLICY" .Values.settings.rebalancePolicy
  "SCHEDULER_CONFIG" .Values.settings.schedulerConfig
}}
{{- if $value }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}
{{- range $name, $value := dict
  "BATCH_MAX_DURATION" .Values.settings.batchMaxDuration
  "BATCH_IDLE_DURATION" .Values.settings.batchIdleDuration
  "CLUSTER_CA_BUNDLE" .Values.settings.clusterCABundle
  "CLUSTER_ENDPOINT" .Values.settings.clusterEndpoint
  "ISOLATED_VPC" .Values.settings.isolatedVPC
  "EKS_CONTROL_PLANE" .Values.settings.eksControlPlane
  "VM_MEMORY_OVERHEAD_PERCENT" .Values.settings.vmMemoryOverheadPercent
  "INTERRUPTION_QUEUE" .Values.settings.interruptionQueue
  "ENABLE_ZONAL_SHIFT" .Values.settings.enableZonalShift
  "RESERVED_ENIS" .Values.settings.reservedENIs
  "IGNORE_DRA_REQUESTS" .Values.settings.ignoreDRARequests
  "DISABLE_CLUSTER_STATE_OBSERVABILITY" .Values.settings.disableClusterStateObservability
  "DISABLE_DRY_RUN" .Values.settings.disableDryRun
  "AMI_REFRESH_INTERVAL" .Values.settings.amiRefreshInterval
  "SUBNET_REFRESH_INTERVAL" .Values.settings.subnetRefreshInterval
  "REBALANCE_REPLACEMENTS_PER_HOUR" .Values.settings.rebalanceReplacementsPerHour
  "UI_PORT" .Values.settings.uiPort
  "UI_HOST" .Values.settings.uiHost
  "UI_ALLOWED_HOSTS" .Values.settings.uiAllowedHosts
  "DECISION_LOG_SIZE" .Values.settings.decisionLogSize
  "DECISION_LOG_CLUSTERS" .Values.settings.decisionLogClusters
}}
{{- with include "karpenter.setting" (dict "root" $ "value" $value) }}
- name: {{ $name }}
  value: {{ . | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{/* A setting as the text of its variable, rendered as a template. Takes `root` and `value`. */}}
{{- define "karpenter.setting" -}}
{{- if not (kindIs "invalid" .value) -}}
{{- tpl (include "karpenter.text" .value) .root -}}
{{- end -}}
{{- end -}}

{{- define "karpenter.clusterName" -}}
{{- $name := include "karpenter.setting" (dict "root" . "value" .Values.settings.clusterName) | trim -}}
{{- if not $name -}}
{{- fail "Chart cannot be installed without a valid settings.clusterName!" -}}
{{- end -}}
{{- $name -}}
{{- end -}}

{{- define "karpenter.featureGates" -}}
{{- $values := .Values.settings.featureGates -}}
{{- $gates := list -}}
{{- range $gate := list
  "ReservedCapacity" "SpotToSpotConsolidation" "NodeRepair" "NodeOverlay" "StaticCapacity" "CapacityBuffer"
-}}
{{- with include "karpenter.setting" (dict "root" $ "value" (index $values (untitle $gate))) -}}
{{- $gates = append $gates (printf "%s=%s" $gate .) -}}
{{- end -}}
{{- end -}}
{{- join "," $gates -}}
{{- end -}}

{{/* The port of the web page; empty if there is no page. */}}
{{- define "karpenter.pagePort" -}}
{{- with .Values.settings.uiPort -}}{{- int . -}}{{- end -}}
{{- end -}}

{{/* Fails if two servers of the container have the same port: one would not start, and a Service rejects both. */}}
{{- define "karpenter.checkPorts" -}}
{{- $controller := .Values.controller -}}
{{- $webhook := .Values.webhook | default dict -}}
{{- $ports := list
  (list "controller.metrics.port" $controller.metrics.port "the metrics")
  (list "controller.healthProbe.port" $controller.healthProbe.port "the probes")
-}}
{{- with .Values.settings.uiPort -}}{{- $ports = append $ports (list "settings.uiPort" . "the web page") -}}{{- end -}}
{{- if $webhook.enabled -}}{{- $ports = append $ports (list "webhook.port" $webhook.port "the webhook") -}}{{- end -}}
{{- range $at, $one := $ports -}}
{{- range $other := slice $ports 0 $at -}}
{{- if eq (int (index $one 1)) (int (index $other 1)) -}}
{{- fail (printf "%s and %s are both %d; choose another port for %s" (first $one) (first $other) (int (index $one 1)) (last $one)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* "true" if pods of other nodes can reach the web page: it is served, and not on a loopback address. */}}
{{- define "karpenter.hasReachablePage" -}}
{{- $host := include "karpenter.setting" (dict "root" . "value" .Values.settings.uiHost) | trim -}}
{{- $isLoopback := or (eq $host "") (eq $host "localhost") (eq $host "::1") (hasPrefix "127." $host) -}}
{{- and (gt (int .Values.settings.uiPort) 0) (not $isLoopback) -}}
{{- end -}}
