{{/* The variables of the container. Those of `extraEnv` replace ours: of two with one name the API server keeps both. */}}
{{- define "handler.environment" -}}
{{- $values := .Values -}}
{{- $settings := dict
  "DRY_RUN" $values.dryRun
  "LOG_LEVEL" $values.logLevel
  "LOG_FORMAT_VERSION" $values.logFormatVersion
  "JSON_LOGGING" $values.jsonLogging
  "ENABLE_PROMETHEUS_SERVER" $values.enablePrometheusServer
  "PROMETHEUS_SERVER_PORT" $values.prometheusServerPort
  "ENABLE_PROBES_SERVER" $values.enableProbesServer
  "PROBES_SERVER_PORT" $values.probesServerPort
  "PROBES_SERVER_ENDPOINT" $values.probesServerEndpoint
  "EMIT_KUBERNETES_EVENTS" $values.emitKubernetesEvents
  "KUBERNETES_EVENTS_EXTRA_ANNOTATIONS" $values.kubernetesEventsExtraAnnotations
  "ENABLE_SPOT_INTERRUPTION_DRAINING" $values.enableSpotInterruptionDraining
  "ENABLE_SCHEDULED_EVENT_DRAINING" $values.enableScheduledEventDraining
  "ENABLE_ASG_LIFECYCLE_DRAINING" $values.enableASGLifecycleDraining
  "ENABLE_REBALANCE_MONITORING" $values.enableRebalanceMonitoring
  "ENABLE_REBALANCE_DRAINING" $values.enableRebalanceDraining
  "REBALANCE_COOLDOWN" $values.rebalanceCooldown
  "MANAGE_KARPENTER_NODES" $values.manageKarpenterNodes
  "CORDON_ONLY" $values.cordonOnly
  "TAINT_NODE" $values.taintNode
  "TAINT_EFFECT" $values.taintEffect
  "ENABLE_OUT_OF_SERVICE_TAINT" $values.enableOutOfServiceTaint
  "EXCLUDE_FROM_LOAD_BALANCERS" $values.excludeFromLoadBalancers
  "DELETE_LOCAL_DATA" $values.deleteLocalData
  "IGNORE_DAEMON_SETS" $values.ignoreDaemonSets
  "POD_TERMINATION_GRACE_PERIOD" $values.podTerminationGracePeriod
  "NODE_TERMINATION_GRACE_PERIOD" $values.nodeTerminationGracePeriod
  "METADATA_TRIES" $values.metadataTries
  "INSTANCE_METADATA_URL" $values.instanceMetadataURL
  "WORKERS" $values.workers
  "KUBE_API_QPS" $values.kubeAPIQPS
  "KUBE_API_BURST" $values.kubeAPIBurst
  "USE_APISERVER_CACHE" $values.useAPIServerCacheToListPods
  "AWS_REGION" $values.awsRegion
  "WEBHOOK_PROXY" $values.webhookProxy
  "WEBHOOK_HEADERS" $values.webhookHeaders
  "WEBHOOK_TEMPLATE" $values.webhookTemplate
-}}
{{- $extra := list -}}
{{- range $values.extraEnv }}{{ $extra = append $extra .name }}{{ end -}}
{{- $entries := list -}}
{{- range $field := list (list "NODE_NAME" "spec.nodeName") (list "POD_NAME" "metadata.name") (list "NAMESPACE" "metadata.namespace") -}}
{{- $entries = append $entries (dict "name" (first $field) "valueFrom" (dict "fieldRef" (dict "fieldPath" (last $field)))) -}}
{{- end -}}
{{- range $name, $value := $settings -}}
{{- $text := include "handler.text" $value -}}
{{- if ne $text "" -}}{{- $entries = append $entries (dict "name" $name "value" $text) -}}{{- end -}}
{{- end -}}
{{- if ne .os "windows" -}}
{{- $entries = append $entries (dict "name" "UPTIME_FROM_FILE" "value" "/host/uptime") -}}
{{- end -}}
{{- if $values.webhookURLSecretName -}}
{{- $secret := dict "name" $values.webhookURLSecretName "key" "webhookurl" -}}
{{- $entries = append $entries (dict "name" "WEBHOOK_URL" "valueFrom" (dict "secretKeyRef" $secret)) -}}
{{- else if $values.webhookURL -}}
{{- $entries = append $entries (dict "name" "WEBHOOK_URL" "value" $values.webhookURL) -}}
{{- end -}}
{{- if $values.webhookTemplateConfigMapName -}}
{{- $file := printf "/config/%s" $values.webhookTemplateConfigMapKey -}}
{{- $entries = append $entries (dict "name" "WEBHOOK_TEMPLATE_FILE" "value" $file) -}}
{{- end -}}
{{- $kept := list -}}
{{- range $entries -}}{{- if not (has .name $extra) -}}{{- $kept = append $kept . -}}{{- end -}}{{- end -}}
{{- concat $kept ($values.extraEnv | default list) | toYaml -}}
{{- end -}}
