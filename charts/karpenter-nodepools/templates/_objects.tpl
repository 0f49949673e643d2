{{/* Parts of NodePools and EC2NodeClasses. */}}

{{/* The entries of a map as text. Helm reads whole numbers as floating-point ones and would print 20261105 as 2.0261105e+07. */}}
{{- define "nodepools.textMap" -}}
{{- range $key, $value := . }}
{{- if not (kindIs "invalid" $value) }}
{{- $isWhole := and (kindIs "float64" $value) (eq (toString $value) (toString (floor $value))) }}
{{ $key | quote }}: {{ printf (ternary "%.0f" "%v" $isWhole) $value | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Takes `root`, `name` and `entry`, the values of the object. */}}
{{- define "nodepools.metadata" -}}
{{- $root := .root -}}
{{- $labels := dict
  "helm.sh/chart" (printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_")
  "app.kubernetes.io/name" $root.Chart.Name
  "app.kubernetes.io/instance" $root.Release.Name
  "app.kubernetes.io/managed-by" $root.Release.Service
-}}
{{- $labels = merge $labels (deepCopy (.entry.labels | default dict)) (deepCopy ($root.Values.additionalLabels | default dict)) -}}
{{- $annotations := deepCopy ($root.Values.additionalAnnotations | default dict) -}}
{{- if $root.Values.keepOnUninstall -}}
{{- $_ := set $annotations "helm.sh/resource-policy" "keep" -}}
{{- end -}}
{{- $annotations = mergeOverwrite $annotations (deepCopy (.entry.annotations | default dict)) -}}
name: {{ .name | quote }}
labels:
  {{- include "nodepools.textMap" $labels | trim | nindent 2 }}
{{- with include "nodepools.textMap" $annotations }}
annotations:
  {{- trim . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* An object is left out only if it says so; other environments may have it. */}}
{{- define "nodepools.isEnabled" -}}
{{- ternary .enabled true (hasKey . "enabled") -}}
{{- end -}}

{{/* The spec of an EC2NodeClass with all defaults. Takes `root`, `name` and `entry`. */}}
{{- define "nodepools.nodeClassSpec" -}}
{{- $spec := mergeOverwrite (deepCopy (.root.Values.nodeClassDefaults | default dict)) (deepCopy (.entry.spec | default dict)) -}}
{{- $missing := list -}}
{{- range list "subnetSelectorTerms" "securityGroupSelectorTerms" -}}
{{- if not (hasKey $spec .) -}}{{- $missing = append $missing . -}}{{- end -}}
{{- end -}}
{{- if not (or (hasKey $spec "role") (hasKey $spec "instanceProfile")) -}}{{- $missing = append $missing "role" -}}{{- end -}}
{{- $cluster := .root.Values.clusterName -}}
{{- if and $missing (not $cluster) -}}
{{- fail (printf "nodeClasses.%s has no %s: set clusterName for the usual ones, or write them in its spec" .name (join ", " $missing)) -}}
{{- end -}}
{{- range $missing -}}
{{- $discovered := list (dict "tags" (dict "karpenter.sh/discovery" $cluster)) -}}
{{- $_ := set $spec . (eq . "role" | ternary (printf "KarpenterNodeRole-%s" $cluster) $discovered) -}}
{{- end -}}
{{- /* An EC2NodeClass has one of the two, so that its own replaces the other one of the defaults. */ -}}
{{- $own := .entry.spec | default dict -}}
{{- if hasKey $own "instanceProfile" -}}
{{- $spec = omit $spec "role" -}}
{{- else if hasKey $own "role" -}}
{{- $spec = omit $spec "instanceProfile" -}}
{{- end -}}
{{- toYaml $spec -}}
{{- end -}}

{{/* The spec of a NodePool with all defaults. Takes `root`, `name` and `entry`. */}}
{{- define "nodepools.nodePoolSpec" -}}
{{- $spec := mergeOverwrite (deepCopy (.root.Values.nodePoolDefaults | default dict)) (deepCopy (.entry.spec | default dict)) -}}
{{- if not (dig "template" "spec" "nodeClassRef" "" $spec) -}}
{{- $class := .entry.nodeClass | default "default" -}}
{{- $known := index (.root.Values.nodeClasses | default dict) $class -}}
{{- if or (kindIs "invalid" $known) (ne (include "nodepools.isEnabled" ($known | default dict)) "true") -}}
{{- fail (printf "nodePools.%s uses the NodeClass %s, which is not in nodeClasses or not enabled: add it there, or set spec.template.spec.nodeClassRef for one that exists already" .name $class) -}}
{{- end -}}
{{- $reference := dict "group" "karpenter.k8s.aws" "kind" "EC2NodeClass" "name" $class -}}
{{- $spec = mergeOverwrite $spec (dict "template" (dict "spec" (dict "nodeClassRef" $reference))) -}}
{{- end -}}
{{- with .entry.requirements -}}
{{- $all := concat (dig "template" "spec" "requirements" list $spec | default list) . -}}
{{- $spec = mergeOverwrite $spec (dict "template" (dict "spec" (dict "requirements" $all))) -}}
{{- end -}}
{{- toYaml $spec -}}
{{- end -}}
