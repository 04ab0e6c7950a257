#!/bin/sh
# SPDX-License-Identifier: MIT
#
# kubernetes-job.sh MANIFEST OPTION…: one pod of the manifest's Job runs the probe with these
# options; prints what it said and removes the Job. For
#
#	sandboxeval run command --no-baseline -- kubernetes-job.sh kubernetes-job.yaml {options}
#
# Needs kubectl and jq. The ConfigMap with the probe must be there (see the manifest).
set -eu
manifest=$1
shift
job=
trap '[ -z "$job" ] || kubectl delete "$job" --wait=false >/dev/null' EXIT
trap 'exit 130' INT TERM

options=$(jq -n -c '$ARGS.positional' --args -- "$@")
job=$(kubectl create --dry-run=client -o json -f "$manifest" |
	jq --argjson options "$options" '.spec.template.spec.containers[0].args = $options' |
	kubectl create -o name -f -)
for _ in $(seq 120); do
	ended=$(kubectl get "$job" -o jsonpath='{.status.succeeded}{.status.failed}')
	[ -z "$ended" ] || break
	sleep 1
done
kubectl logs "$job" --container probe
