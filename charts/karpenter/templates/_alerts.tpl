{{/*
The alert rules of files/alert-rules.yaml without the disabled ones, with the labels and the runbook address of the
values. They are read as data: their descriptions hold templates of Prometheus, which Helm must not render.
*/}}
{{- define "karpenter.alertGroups" -}}
{{- $values := .Values.prometheusRule -}}
{{- $groups := list -}}
{{- range (.Files.Get "files/alert-rules.yaml" | fromYaml).groups -}}
{{- $rules := list -}}
{{- range .rules -}}
{{- if not (has .alert ($values.disabledAlerts | default list)) -}}
{{- $annotations := mergeOverwrite .annotations (dict "runbook_url" (include "karpenter.runbook" (dict "address" $values.runbookAddress "path" .annotations.runbook_url))) -}}
{{- $labels := merge (deepCopy .labels) (include "karpenter.textMap" $values.ruleLabels | fromYaml) -}}
{{- $rules = append $rules (mergeOverwrite . (dict "annotations" $annotations "labels" $labels)) -}}
{{- end -}}
{{- end -}}
{{- if $rules -}}
{{- $groups = append $groups (mergeOverwrite . (dict "rules" $rules)) -}}
{{- end -}}
{{- end -}}
{{- toYaml $groups -}}
{{- end -}}

{{/* Where the runbook of an alert is. Takes `address` and `path`, its path in the repository. */}}
{{- define "karpenter.runbook" -}}
{{- with .address -}}
{{- printf "%s/%s" (trimSuffix "/" .) (base $.path) -}}
{{- else -}}
{{- .path -}}
{{- end -}}
{{- end -}}
