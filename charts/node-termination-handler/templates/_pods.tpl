{{/* Where the pods of one operating system run. Each takes `os` beside what templates usually get. */}}

{{- define "handler.nodeSelector" -}}
{{- $own := ternary .Values.windowsNodeSelector .Values.linuxNodeSelector (eq .os "windows") -}}
{{- $all := mergeOverwrite (dict) (.Values.nodeSelector | default dict) (.Values.daemonsetNodeSelector | default dict) ($own | default dict) -}}
{{- $_ := set $all "kubernetes.io/os" .os -}}
{{- include "handler.textMap" $all | trim -}}
{{- end -}}

{{- define "handler.affinity" -}}
{{- $own := ternary .Values.windowsAffinity .Values.linuxAffinity (eq .os "windows") -}}
{{- with $own | default .Values.affinity | default .Values.daemonsetAffinity -}}
{{- toYaml . -}}
{{- end -}}
{{- end -}}

{{- define "handler.tolerations" -}}
{{- $own := ternary .Values.windowsTolerations .Values.linuxTolerations (eq .os "windows") -}}
{{- with concat (.Values.tolerations | default list) ($own | default .Values.daemonsetTolerations | default list) -}}
{{- toYaml . -}}
{{- end -}}
{{- end -}}

{{- define "handler.podLabels" -}}
{{- $own := ternary .Values.windowsPodLabels .Values.linuxPodLabels (eq .os "windows") -}}
{{- $selected := include "handler.selectorLabels" . | fromYaml -}}
{{- $_ := set $selected "k8s-app" (include "handler.name" .) -}}
{{- $_ := set $selected "kubernetes.io/os" .os -}}
{{- include "handler.textMap" (mergeOverwrite (dict) (.Values.podLabels | default dict) ($own | default dict) $selected) | trim -}}
{{- end -}}

{{- define "handler.podAnnotations" -}}
{{- $own := ternary .Values.windowsPodAnnotations .Values.linuxPodAnnotations (eq .os "windows") -}}
{{- include "handler.textMap" (mergeOverwrite (dict) (.Values.podAnnotations | default dict) ($own | default dict)) | trim -}}
{{- end -}}

{{/* The volumes, and where the container mounts them. */}}
{{- define "handler.volumes" -}}
{{- $volumes := list -}}
{{- if ne .os "windows" -}}
{{- $volumes = append $volumes (dict "name" "uptime" "hostPath" (dict "path" "/proc/uptime" "type" "File")) -}}
{{- end -}}
{{- if .Values.webhookTemplateConfigMapName -}}
{{- $volumes = append $volumes (dict "name" "webhook-template" "configMap" (dict "name" .Values.webhookTemplateConfigMapName)) -}}
{{- end -}}
{{- with $volumes }}{{ toYaml . }}{{ end -}}
{{- end -}}

{{- define "handler.volumeMounts" -}}
{{- $mounts := list -}}
{{- if ne .os "windows" -}}
{{- $mounts = append $mounts (dict "name" "uptime" "mountPath" "/host/uptime" "readOnly" true) -}}
{{- end -}}
{{- if .Values.webhookTemplateConfigMapName -}}
{{- $mounts = append $mounts (dict "name" "webhook-template" "mountPath" "/config" "readOnly" true) -}}
{{- end -}}
{{- with $mounts }}{{ toYaml . }}{{ end -}}
{{- end -}}
