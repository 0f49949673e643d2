{{- define "layout.selector" -}}
app.kubernetes.io/name: karpenter
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}
{{- define "layout.labels" -}}
helm.sh/chart: karpenter-1.14.1
{{ include "layout.selector" . }}
app.kubernetes.io/version: 1.14.1
app.kubernetes.io/managed-by: Helm
{{- end -}}
