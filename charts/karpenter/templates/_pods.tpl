{{/* Parts of the pods: the image, where they run, and their containers. */}}

{{- define "karpenter.image" -}}
{{- with .Values.controller.image -}}
{{- .repository -}}:{{- include "karpenter.text" (.tag | default $.Chart.AppVersion) -}}
{{- with .digest -}}@{{ . }}{{- end -}}
{{- end -}}
{{- end -}}

{{- define "karpenter.labelSelector" -}}
matchLabels:
  {{- include "karpenter.selectorLabels" . | nindent 2 }}
{{- end -}}

{{/* The affinity, whose terms select the pods of this release where they have no selector. */}}
{{- define "karpenter.affinity" -}}
{{- $affinity := deepCopy .Values.affinity -}}
{{- $selector := include "karpenter.labelSelector" . | fromYaml -}}
{{- range $kind := list "podAffinity" "podAntiAffinity" -}}
{{- with index $affinity $kind -}}
{{- range .requiredDuringSchedulingIgnoredDuringExecution -}}
{{- if not (hasKey . "labelSelector") -}}{{- $_ := set . "labelSelector" $selector -}}{{- end -}}
{{- end -}}
{{- range .preferredDuringSchedulingIgnoredDuringExecution -}}
{{- with .podAffinityTerm -}}
{{- if not (hasKey . "labelSelector") -}}{{- $_ := set . "labelSelector" $selector -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $affinity -}}
{{- end -}}

{{- define "karpenter.topologySpreadConstraints" -}}
{{- $constraints := list -}}
{{- range .Values.topologySpreadConstraints -}}
{{- $constraint := deepCopy . -}}
{{- if not (hasKey $constraint "labelSelector") -}}
{{- $_ := set $constraint "labelSelector" (include "karpenter.labelSelector" $ | fromYaml) -}}
{{- end -}}
{{- $constraints = append $constraints $constraint -}}
{{- end -}}
{{- toYaml $constraints -}}
{{- end -}}

{{/* The other containers, with the mounts of the controller and their own. */}}
{{- define "karpenter.sidecars" -}}
{{- $containers := list -}}
{{- $mounts := concat (.Values.controller.extraVolumeMounts | default list) (.Values.controller.sidecarVolumeMounts | default list) -}}
{{- range .Values.controller.sidecarContainer -}}
{{- $container := deepCopy . -}}
{{- with concat ($container.volumeMounts | default list) $mounts -}}
{{- $_ := set $container "volumeMounts" . -}}
{{- end -}}
{{- $containers = append $containers $container -}}
{{- end -}}
{{- toYaml $containers -}}
{{- end -}}
