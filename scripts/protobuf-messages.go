// Prints the protobuf messages of the API kinds, one a line, from the tags of the Go structs; for
// protobuf-messages.mjs.
package main

import (
	"fmt"
	"reflect"
	"sort"
	"strings"

	apps "k8s.io/api/apps/v1"
	authentication "k8s.io/api/authentication/v1"
	authorization "k8s.io/api/authorization/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	batch "k8s.io/api/batch/v1"
	certificates "k8s.io/api/certificates/v1"
	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	events "k8s.io/api/events/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	rbac "k8s.io/api/rbac/v1"
	resource "k8s.io/api/resource/v1"
	scheduling "k8s.io/api/scheduling/v1"
	storage "k8s.io/api/storage/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var roots = []any{
	apps.ControllerRevision{}, apps.DaemonSet{}, apps.Deployment{}, apps.ReplicaSet{}, apps.StatefulSet{},
	authentication.SelfSubjectReview{}, authentication.TokenRequest{}, authentication.TokenReview{},
	authorization.LocalSubjectAccessReview{}, authorization.SelfSubjectAccessReview{},
	authorization.SelfSubjectRulesReview{}, authorization.SubjectAccessReview{},
	autoscalingv1.Scale{}, autoscaling.HorizontalPodAutoscaler{},
	batch.CronJob{}, batch.Job{}, certificates.CertificateSigningRequest{}, coordination.Lease{},
	core.Binding{}, core.ConfigMap{}, core.Endpoints{}, core.Event{}, core.LimitRange{}, core.Namespace{}, core.Node{},
	core.PersistentVolume{}, core.PersistentVolumeClaim{}, core.Pod{}, core.PodTemplate{},
	core.ReplicationController{}, core.ResourceQuota{}, core.Secret{}, core.Service{}, core.ServiceAccount{},
	discovery.EndpointSlice{}, events.Event{}, networking.Ingress{}, networking.IngressClass{},
	networking.NetworkPolicy{}, policy.Eviction{}, policy.PodDisruptionBudget{},
	rbac.ClusterRole{}, rbac.ClusterRoleBinding{}, rbac.Role{}, rbac.RoleBinding{},
	resource.DeviceClass{}, resource.ResourceClaim{}, resource.ResourceClaimTemplate{}, resource.ResourceSlice{},
	scheduling.PriorityClass{}, storage.CSIDriver{}, storage.CSINode{}, storage.CSIStorageCapacity{},
	storage.StorageClass{}, storage.VolumeAttachment{}, meta.DeleteOptions{},
}

// special types have a JSON form of their own.
var special = map[string]string{
	"resource.Quantity": "Quantity", "intstr.IntOrString": "IntOrString", "v1.Time": "Time",
	"v1.MicroTime": "MicroTime", "runtime.RawExtension": "Raw", "v1.FieldsV1": "Raw",
}

var messages = map[string]string{}

func messageName(t reflect.Type) string {
	parts := strings.Split(t.PkgPath(), "/")
	return strings.Join(append(parts[len(parts)-2:], t.Name()), ".")
}

// typeText is s(tring), i(nteger), b(ool), d(ouble), B(ytes) or a message; * before it is a list, % a map.
func typeText(t reflect.Type) string {
	if name, ok := special[t.String()]; ok {
		return name
	}
	switch t.Kind() {
	case reflect.Pointer:
		return typeText(t.Elem())
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "B"
		}
		return "*" + typeText(t.Elem())
	case reflect.Map:
		// A map of lists has a message with the list as its only field for values.
		if t.Elem().Kind() == reflect.Slice && t.Elem().Elem().Kind() != reflect.Uint8 {
			return "%[]" + typeText(t.Elem().Elem())
		}
		return "%" + typeText(t.Elem())
	case reflect.String:
		return "s"
	case reflect.Bool:
		return "b"
	case reflect.Float64, reflect.Float32:
		return "d"
	case reflect.Struct:
		visit(t)
		return messageName(t)
	default:
		return "i"
	}
}

func visit(t reflect.Type) {
	name := messageName(t)
	if _, ok := messages[name]; ok {
		return
	}
	messages[name] = ""
	fields := []string{}
	for i := range t.NumField() {
		field := t.Field(i)
		tag := field.Tag.Get("protobuf")
		if tag == "" || tag == "-" {
			continue
		}
		fields = append(fields, fieldText(field, strings.Split(tag, ",")[1]))
	}
	messages[name] = strings.Join(fields, " ")
}

// fieldText is number=name:type, with ? at the end where JSON leaves zero values out; no name means inline.
func fieldText(field reflect.StructField, number string) string {
	parts := strings.Split(field.Tag.Get("json"), ",")
	options := parts[1:]
	has := func(option string) bool {
		for _, other := range options {
			if other == option {
				return true
			}
		}
		return false
	}
	text := number + "=" + parts[0] + ":" + typeText(field.Type)
	kind := field.Type.Kind()
	if has("omitempty") && kind != reflect.Pointer && kind != reflect.Struct {
		text += "?"
	}
	return text
}

func main() {
	for _, root := range roots {
		visit(reflect.TypeOf(root))
	}
	names := []string{}
	for name := range messages {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Println(name, messages[name])
	}
}
