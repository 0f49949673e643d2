{{/* Names, labels and annotations that several objects share. */}}

{{- define "karpenter.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "karpenter.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "karpenter.serviceAccountName" -}}
{{- $default := ternary (include "karpenter.fullname" .) "default" .Values.serviceAccount.create -}}
{{- default $default .Values.serviceAccount.name -}}
{{- end -}}

{{/* The Secret with the certificates of the webhook, and both webhook configurations. */}}
{{- define "karpenter.webhookName" -}}
{{- printf "%s-webhook" (include "karpenter.fullname" . | trunc 55 | trimSuffix "-") -}}
{{- end -}}

{{- define "karpenter.subjects" -}}
subjects:
  - kind: ServiceAccount
    name: {{ include "karpenter.serviceAccountName" . | quote }}
    namespace: {{ .Release.Namespace | quote }}
{{- end -}}

{{/* A value as text. Helm reads whole numbers as floating-point ones and would print 1000000 as 1e+06. */}}
{{- define "karpenter.text" -}}
{{- if and (kindIs "float64" .) (eq (toString .) (toString (floor .))) -}}
{{- printf "%.0f" . -}}
{{- else -}}
{{- toString . -}}
{{- end -}}
{{- end -}}

{{/* The entries of a map with their values as text, which labels and annotations must be. */}}
{{- define "karpenter.textMap" -}}
{{- range $key, $value := . }}
{{- if not (kindIs "invalid" $value) }}
{{ $key | quote }}: {{ include "karpenter.text" $value | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "karpenter.selectorLabels" -}}
app.kubernetes.io/name: {{ include "karpenter.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{/* The labels of every object. Additional ones replace none of them: Helm and the selectors rely on them. */}}
{{- define "karpenter.labels" -}}
{{- $labels := include "karpenter.selectorLabels" . | fromYaml -}}
{{- $chart := printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" -}}
{{- $_ := set $labels "helm.sh/chart" $chart -}}
{{- $_ := set $labels "app.kubernetes.io/version" .Chart.AppVersion -}}
{{- $_ := set $labels "app.kubernetes.io/managed-by" .Release.Service -}}
{{- include "karpenter.textMap" (merge $labels (deepCopy (.Values.additionalLabels | default dict))) | trim -}}
{{- end -}}

{{/* Takes `root`, and `annotations` for an object that has its own. */}}
{{- define "karpenter.annotations" -}}
{{- $annotations := deepCopy (.root.Values.additionalAnnotations | default dict) -}}
{{- with include "karpenter.textMap" (mergeOverwrite $annotations (.annotations | default dict)) -}}
annotations:
  {{- trim . | nindent 2 }}
{{- end -}}
{{- end -}}

{{/* The metadata that every object has. Takes `root`, `name`, and optionally `namespace`, `annotations`, `labels`. */}}
{{- define "karpenter.metadata" -}}
{{- $labels := merge (include "karpenter.labels" .root | fromYaml) (deepCopy (.labels | default dict)) -}}
name: {{ .name | quote }}
{{- with .namespace }}
namespace: {{ . | quote }}
{{- end }}
labels:
  {{- include "karpenter.textMap" $labels | trim | nindent 2 }}
{{- with include "karpenter.annotations" . }}
{{ . }}
{{- end }}
{{- end -}}

{{/*
"true" if the cluster serves a kind of the Prometheus Operator. Takes `root` and `kind`. Helm lists the kinds of a
cluster; `helm template --api-versions` may name the group alone, which then stands for all kinds.
*/}}
{{- define "karpenter.servesMonitoring" -}}
{{- $group := "monitoring.coreos.com/v1" -}}
{{- $versions := .root.Capabilities.APIVersions -}}
{{- $kinds := list -}}
{{- range $versions -}}
{{- if hasPrefix (printf "%s/" $group) . -}}{{- $kinds = append $kinds . -}}{{- end -}}
{{- end -}}
{{- or (has (printf "%s/%s" $group .kind) $kinds) (and (not $kinds) ($versions.Has $group)) -}}
{{- end -}}
