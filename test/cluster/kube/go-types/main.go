// Command go-types prints, as JSON, the Go types behind Kubernetes' API kinds:
// which fields a type has in which order, what they hold, and which of them are
// left out of JSON when empty. The OpenAPI documents of a server do not say
// that, and both its error messages and the JSON it stores depend on it.
package main

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	aggregator "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// A field of a struct, or the underlying type of any other named type.
type field struct {
	Name      string `json:"name"`
	Type      string `json:"type"`
	OmitEmpty bool   `json:"omitEmpty,omitempty"`
	OmitZero  bool   `json:"omitZero,omitempty"`
	Inline    bool   `json:"inline,omitempty"`
}

type named struct {
	Fields     []field `json:"fields,omitempty"`
	Underlying string  `json:"underlying,omitempty"`
	// It reads and writes its JSON itself.
	Opaque bool `json:"opaque,omitempty"`
}

type output struct {
	Kinds map[string]string `json:"kinds"`
	Types map[string]named  `json:"types"`
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

func main() {
	known := scheme.Scheme
	for _, add := range []func(*runtime.Scheme) error{apiextensions.AddToScheme, aggregator.AddToScheme} {
		if err := add(known); err != nil {
			panic(err)
		}
	}
	out := output{Kinds: map[string]string{}, Types: map[string]named{}}
	for kind, goType := range known.AllKnownTypes() {
		out.Kinds[kind.GroupVersion().String()+"/"+kind.Kind] = out.describe(goType)
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(out); err != nil {
		panic(err)
	}
}

// describe names a type and, the first time it is seen, adds what it is made of.
func (out output) describe(t reflect.Type) string {
	if t.PkgPath() == "" {
		return out.describeUnnamed(t)
	}
	name := t.PkgPath() + "." + t.Name()
	if _, seen := out.Types[name]; seen {
		return name
	}
	out.Types[name] = named{}
	switch {
	case reflect.PointerTo(t).Implements(unmarshaler) || t.Kind() == reflect.Interface:
		out.Types[name] = named{Opaque: true}
	case t.Kind() == reflect.Struct:
		out.Types[name] = named{Fields: out.fields(t)}
	default:
		out.Types[name] = named{Underlying: out.describeUnderlying(t)}
	}
	return name
}

func (out output) describeUnnamed(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + out.describe(t.Elem())
	case reflect.Slice, reflect.Map:
		return out.describeUnderlying(t)
	default:
		return t.String()
	}
}

func (out output) describeUnderlying(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice:
		return "[]" + out.describe(t.Elem())
	case reflect.Map:
		return "map[" + out.describe(t.Key()) + "]" + out.describe(t.Elem())
	default:
		return t.Kind().String()
	}
}

func (out output) fields(t reflect.Type) []field {
	fields := []field{}
	for i := range t.NumField() {
		declared := t.Field(i)
		name, options, _ := strings.Cut(declared.Tag.Get("json"), ",")
		if !declared.IsExported() || name == "-" {
			continue
		}
		fields = append(fields, field{
			Name:      name,
			Type:      out.describe(declared.Type),
			OmitEmpty: strings.Contains(options, "omitempty"),
			OmitZero:  strings.Contains(options, "omitzero"),
			Inline:    name == "" && declared.Anonymous,
		})
	}
	return fields
}
