{{/* Names and labels that several objects share. */}}

{{- define "handler.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "handler.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "handler.serviceAccountName" -}}
{{- $default := ternary (include "handler.fullname" .) "default" .Values.serviceAccount.create -}}
{{- default $default .Values.serviceAccount.name -}}
{{- end -}}

{{/* A value as text. Helm reads whole numbers as floating-point ones and would print 1000000 as 1e+06. */}}
{{- define "handler.text" -}}
{{- if and (kindIs "float64" .) (eq (toString .) (toString (floor .))) -}}
{{- printf "%.0f" . -}}
{{- else -}}
{{- toString . -}}
{{- end -}}
{{- end -}}

{{/* The entries of a map with their values as text, which labels and annotations must be. */}}
{{- define "handler.textMap" -}}
{{- range $key, $value := . }}
{{- if not (kindIs "invalid" $value) }}
{{ $key | quote }}: {{ include "handler.text" $value | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "handler.selectorLabels" -}}
app.kubernetes.io/name: {{ include "handler.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{/* The labels of every object. Custom ones replace none of them: Helm and the selectors rely on them. */}}
{{- define "handler.labels" -}}
{{- $labels := include "handler.selectorLabels" . | fromYaml -}}
{{- $chart := printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" -}}
{{- $_ := set $labels "helm.sh/chart" $chart -}}
{{- $_ := set $labels "app.kubernetes.io/version" .Chart.AppVersion -}}
{{- $_ := set $labels "app.kubernetes.io/managed-by" .Release.Service -}}
{{- $_ := set $labels "app.kubernetes.io/part-of" (include "handler.name" .) -}}
{{- include "handler.textMap" (merge $labels (deepCopy (.Values.customLabels | default dict))) | trim -}}
{{- end -}}

{{/* "true" if the cluster serves PodMonitors. `helm template --api-versions` may name the group or the kind. */}}
{{- define "handler.hasPodMonitors" -}}
{{- $versions := .Capabilities.APIVersions -}}
{{- or ($versions.Has "monitoring.coreos.com/v1") ($versions.Has "monitoring.coreos.com/v1/PodMonitor") -}}
{{- end -}}
