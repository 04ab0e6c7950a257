# SPDX-License-Identifier: MIT
"""
recipes_check.py TOPIC …: what recipes.t asks about YAML, and the steps of action.yml.

  shape                   keys of action.yml, the workflows and the manifest against written lists
  scripts FOLDER          every shell text of action.yml and gitlab-ci.yml, one file each
  action NAME=VALUE…      runs the action's own steps as a runner would, with these inputs; what
                          GitHub would be given stays in $RUNNER_TEMP
"""

import os
import re
import subprocess
import sys

import yaml

EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")

# docs.github.com, "Metadata syntax reference" and "Workflow syntax", the keys that there are.
ACTION = {"name", "author", "description", "inputs", "outputs", "runs", "branding"}
INPUT = {"description", "required", "default", "deprecationMessage"}
OUTPUT = {"description", "value"}
COMPOSITE = {"using", "steps"}
STEP = {"run", "shell", "if", "name", "id", "env", "working-directory", "uses", "with",
        "continue-on-error"}
WORKFLOW = {"name", "run-name", "on", "permissions", "env", "defaults", "concurrency", "jobs"}
JOB = {"name", "permissions", "needs", "if", "runs-on", "environment", "concurrency", "outputs", "env",
       "defaults", "steps", "timeout-minutes", "strategy", "continue-on-error", "container", "services"}
WORKFLOW_STEP = STEP | {"timeout-minutes"}
# docs.gitlab.com, "CI/CD YAML syntax reference", of a job and of its artifacts.
GITLAB_JOB = {"stage", "image", "script", "before_script", "after_script", "variables", "artifacts",
              "allow_failure", "rules", "needs", "tags", "timeout", "cache", "services"}
GITLAB_ARTIFACTS = {"paths", "exclude", "expire_in", "expose_as", "name", "public", "reports",
                    "untracked", "when"}
# kubernetes.io, API reference: Job, PodSpec, Container, SecurityContext, Volume.
KUBERNETES = {
    "": {"apiVersion", "kind", "metadata", "spec"},
    "metadata": {"name", "generateName", "labels", "annotations", "namespace"},
    "spec": {"backoffLimit", "activeDeadlineSeconds", "ttlSecondsAfterFinished", "template",
             "completions", "parallelism"},
    "spec.template": {"metadata", "spec"},
    "spec.template.spec": {"restartPolicy", "automountServiceAccountToken", "serviceAccountName",
                           "runtimeClassName", "securityContext", "containers", "volumes",
                           "initContainers"},
    "container": {"name", "image", "imagePullPolicy", "command", "args", "env", "securityContext",
                  "resources", "volumeMounts", "workingDir"},
    "securityContext": {"runAsNonRoot", "runAsUser", "runAsGroup", "allowPrivilegeEscalation",
                        "readOnlyRootFilesystem", "capabilities", "seccompProfile", "privileged"},
    "volumeMount": {"name", "mountPath", "readOnly", "subPath"},
    "volume": {"name", "configMap", "emptyDir"},
    "configMap": {"name", "defaultMode", "items", "optional"},
}

faults = []


def fault(text):
    faults.append(text)


def within(what, given, known):
    for key in set(given) - known:
        fault("%s: there is no key %s" % (what, key))


def load(path):
    with open(path, encoding="utf-8") as file:
        return yaml.safe_load(file)


# ---------------------------------------------------------------- shapes


def check_step(what, step, known):
    within(what, step, known)
    if ("run" in step) == ("uses" in step):
        fault("%s: either run or uses" % what)


def check_expressions(action):
    """What an expression names must be there."""
    ids = {step.get("id") for step in action["runs"]["steps"]}
    for expression in EXPRESSION.findall(open("action.yml", encoding="utf-8").read()):
        for name in re.findall(r"inputs\.([a-z-]+)", expression):
            if name not in action["inputs"]:
                fault("there is no input %s" % name)
        for step in re.findall(r"steps\.([a-z-]+)\.", expression):
            if step not in ids:
                fault("there is no step %s" % step)
    for step in action["runs"]["steps"]:
        # An input inside a script would be a script: it goes through the environment.
        if EXPRESSION.search(step.get("run", "")):
            fault("%s: an expression inside a script" % step["name"])


def check_action(action):
    within("action.yml", action, ACTION)
    for needed in ("name", "description", "runs"):
        if needed not in action:
            fault("action.yml: %s is required" % needed)
    for name, one in action["inputs"].items():
        within("input " + name, one, INPUT)
        if not isinstance(one.get("default", ""), str):
            fault("input %s: the default is no string" % name)
    for name, one in action["outputs"].items():
        within("output " + name, one, OUTPUT)
    within("runs", action["runs"], COMPOSITE)
    if action["runs"]["using"] != "composite":
        fault("runs.using")
    for step in action["runs"]["steps"]:
        check_step(step["name"], step, STEP)
        if "run" in step and "shell" not in step:
            fault("%s: a step of a composite action names its shell" % step["name"])
    check_expressions(action)


def check_workflow(path, action):
    workflow = load(path)
    # YAML 1.1 reads the key "on" as true.
    within(path, {("on" if key is True else key) for key in workflow}, WORKFLOW)
    for name, job in workflow["jobs"].items():
        within(name, job, JOB)
        for step in job["steps"]:
            check_step(name, step, WORKFLOW_STEP)
            if step.get("uses", "").startswith("OWNER/sandboxeval"):
                within(name + ": with", step["with"], set(action["inputs"]))


def check_gitlab(path):
    pipeline = load(path)
    for name, job in pipeline.items():
        if name == "stages":
            continue
        within(name, job, GITLAB_JOB)
        within(name + ": artifacts", job["artifacts"], GITLAB_ARTIFACTS)
        if job["stage"] not in pipeline["stages"]:
            fault("%s: there is no stage %s" % (name, job["stage"]))


def check_manifest(path):
    job = load(path)
    for place in ("", "metadata", "spec", "spec.template", "spec.template.spec"):
        at = job
        for key in place.split(".") if place else []:
            at = at[key]
        within(place or path, at, KUBERNETES[place])
    pod = job["spec"]["template"]["spec"]
    volumes = {volume["name"] for volume in pod["volumes"]}
    for container in pod["containers"]:
        within("container", container, KUBERNETES["container"])
        within("securityContext", container["securityContext"], KUBERNETES["securityContext"])
        for mount in container["volumeMounts"]:
            within("volumeMount", mount, KUBERNETES["volumeMount"])
            if mount["name"] not in volumes:
                fault("there is no volume %s" % mount["name"])
    for volume in pod["volumes"]:
        within("volume", volume, KUBERNETES["volume"])
        within("configMap", volume.get("configMap", {}), KUBERNETES["configMap"])
        if volume["configMap"]["defaultMode"] != 0o555:
            fault("the probe must be executable")


# ---------------------------------------------------------------- scripts


def write_scripts(folder):
    scripts = {"action-%d" % i: "#!/bin/bash\n" + step["run"]
               for i, step in enumerate(load("action.yml")["runs"]["steps"]) if "run" in step}
    job = load("docs/recipes/gitlab-ci.yml")["sandbox"]
    scripts["gitlab"] = "#!/bin/sh\n" + "\n".join(job["script"]) + "\n"
    for name, text in scripts.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)


# ---------------------------------------------------------------- the action, run


def expand(text, values):
    def replace(match):
        return values.get(match.group(1), "")

    return EXPRESSION.sub(replace, text)


def read_outputs(path, step, values):
    with open(path, encoding="utf-8") as file:
        for line in file:
            name, _, value = line.rstrip("\n").partition("=")
            values["steps.%s.outputs.%s" % (step, name)] = value


def run_action(given):
    action = load("action.yml")
    values = {"inputs." + name: one.get("default", "") for name, one in action["inputs"].items()}
    values.update({"inputs." + name: value for name, value in given.items()})
    values["github.action_path"] = os.getcwd()
    temp = os.environ["RUNNER_TEMP"]
    for step in action["runs"]["steps"]:
        if "uses" in step:
            continue
        output = os.path.join(temp, "output")
        open(output, "w", encoding="utf-8").close()
        env = dict(os.environ, GITHUB_OUTPUT=output,
                   GITHUB_STEP_SUMMARY=os.path.join(temp, "step-summary.md"))
        env.update({name: expand(text, values) for name, text in step.get("env", {}).items()})
        # As a runner starts "shell: bash".
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                              env=env, check=False)
        read_outputs(output, step.get("id", ""), values)
        if done.returncode != 0:
            return done.returncode
    return 0


def main(topic, *words):
    if topic == "action":
        return run_action(dict(word.split("=", 1) for word in words))
    if topic == "scripts":
        write_scripts(words[0])
        return 0
    action = load("action.yml")
    check_action(action)
    check_workflow("docs/recipes/github-workflow.yml", action)
    check_gitlab("docs/recipes/gitlab-ci.yml")
    check_manifest("docs/recipes/kubernetes-job.yaml")
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
