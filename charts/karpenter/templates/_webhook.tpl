{{/* How a webhook is called. Takes `root` and `path`. */}}
{{- define "karpenter.webhookCall" -}}
{{- $account := printf "system:serviceaccount:%s:%s" .root.Release.Namespace (include "karpenter.serviceAccountName" .root) -}}
admissionReviewVersions: [v1]
sideEffects: None
failurePolicy: {{ .root.Values.webhook.failurePolicy }}
timeoutSeconds: {{ .root.Values.webhook.timeoutSeconds }}
clientConfig:
  service:
    name: {{ include "karpenter.fullname" .root | quote }}
    namespace: {{ .root.Release.Namespace | quote }}
    port: {{ .root.Values.webhook.port }}
    path: {{ .path }}
matchConditions:
  # What the controller writes itself never waits for the webhook, which may be down with it.
  - name: not-the-controller
    expression: request.userInfo.username != {{ $account | quote }}
  # Finalizers of what is being deleted can always be removed.
  - name: not-being-deleted
    expression: oldObject == null || !has(oldObject.metadata.deletionTimestamp)
{{- end -}}

{{/* "true" if the webhook converts. */}}
{{- define "karpenter.converts" -}}
{{- $webhook := .Values.webhook | default dict -}}
{{- if and $webhook.conversion (not $webhook.enabled) -}}
{{- fail "webhook.conversion needs webhook.enabled: the same server converts; set both or neither" -}}
{{- end -}}
{{- $webhook.conversion | default false -}}
{{- end -}}
