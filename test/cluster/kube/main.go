// Command kube is a whole control plane in one binary, for tests: the first
// argument names the program to be, the rest are that program's own arguments.
// One binary links the shared libraries once, which halves build time and disk.
//
// With KUBE_EXIT_WITH_STDIN=1 every program but kubectl exits when its standard
// input ends, and removes the directory named by KUBE_REMOVE_DIR. Whoever starts
// a program holds the other end of that pipe, and the kernel closes it however
// the starter dies, so a killed test leaves neither processes nor files.
package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

var programs = map[string]func() *cobra.Command{
	"kube-apiserver":          apiserver.NewAPIServerCommand,
	"kube-controller-manager": controllermanager.NewControllerManagerCommand,
	"kube-scheduler":          func() *cobra.Command { return scheduler.NewSchedulerCommand() },
	"kubectl":                 kubectl.NewDefaultKubectlCommand,
}

func main() {
	if len(os.Args) < 2 {
		fail("name a program: etcd, kube-apiserver, kube-controller-manager, kube-scheduler or kubectl")
	}
	name := os.Args[1]
	os.Args = append([]string{name}, os.Args[2:]...)
	if name != "kubectl" && os.Getenv("KUBE_EXIT_WITH_STDIN") == "1" {
		go exitWithStdin(os.Getenv("KUBE_REMOVE_DIR"))
	}
	if name == "etcd" {
		etcdmain.Main(os.Args)
		return
	}
	program, known := programs[name]
	if !known {
		fail(fmt.Sprintf("unknown program %q", name))
	}
	os.Exit(cli.Run(program()))
}

func exitWithStdin(directory string) {
	_, _ = io.Copy(io.Discard, os.Stdin)
	// The programs of one control plane get here together, some still writing
	// into the directory: a removal that meets a new file is tried again, and
	// the last program to exit removes what the others wrote meanwhile.
	for try := 0; directory != "" && os.RemoveAll(directory) != nil && try < 100; try++ {
		time.Sleep(20 * time.Millisecond)
	}
	os.Exit(1)
}

func fail(message string) {
	fmt.Fprintln(os.Stderr, "kube: "+message)
	os.Exit(2)
}
