// Command dashboard-picture evaluates PromQL queries over samples from standard input with Prometheus' own engine,
// for scripts/dashboard-picture.mjs.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"os"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/tsdb"
)

type input struct {
	Samples []struct {
		Labels  map[string]string
		T       int64
		V       float64
		IsStale bool
	}
	Queries          []string
	Start, End, Step int64
}
type series struct {
	Labels map[string]string `json:"labels"`
	Points [][2]float64      `json:"points"`
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	var in input
	check(json.NewDecoder(os.Stdin).Decode(&in))
	dir, err := os.MkdirTemp("", "query")
	check(err)
	defer os.RemoveAll(dir)
	db, err := tsdb.Open(dir, slog.New(slog.DiscardHandler), nil, tsdb.DefaultOptions(), nil)
	check(err)
	app := db.Appender(context.Background())
	for _, s := range in.Samples {
		v := s.V
		if s.IsStale {
			v = math.Float64frombits(value.StaleNaN)
		}
		_, err := app.Append(0, labels.FromMap(s.Labels), s.T, v)
		check(err)
	}
	check(app.Commit())
	engine := promql.NewEngine(promql.EngineOpts{MaxSamples: 50_000_000, Timeout: time.Minute, Parser: parser.NewParser(parser.Options{})})
	out := [][]series{}
	for _, q := range in.Queries {
		rq, err := engine.NewRangeQuery(context.Background(), db, nil, q, time.UnixMilli(in.Start), time.UnixMilli(in.End), time.Duration(in.Step)*time.Millisecond)
		check(err)
		res := rq.Exec(context.Background())
		check(res.Err)
		m, err := res.Matrix()
		check(err)
		all := []series{}
		for _, s := range m {
			one := series{Labels: s.Metric.Map()}
			for _, p := range s.Floats {
				one.Points = append(one.Points, [2]float64{float64(p.T), p.F})
			}
			all = append(all, one)
		}
		out = append(out, all)
	}
	check(json.NewEncoder(os.Stdout).Encode(out))
}
