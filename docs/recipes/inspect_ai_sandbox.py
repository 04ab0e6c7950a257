# SPDX-License-Identifier: MIT
"""
Inspect AI: assesses the sandbox that a sample gets, through the sandbox's own write_file() and
exec(), whatever provider it is of (docker, k8s, proxmox …).

    from inspect_ai import Task, task
    from inspect_ai.dataset import Sample
    from inspect_ai_sandbox import sandbox_report

    @task
    def sandbox():
        return Task(dataset=[Sample(input="-")], solver=sandbox_report(), sandbox="docker")

    inspect eval task.py --model mockllm/model

How: `sandboxeval run command` starts this file as its command for every launch. It hands the probe's
path and options through a socket to the evaluation, which copies the probe in, runs it there, and
hands back what it said. So everything that sandboxeval does works: policies, reports, what is lost
with one launch tried in another.
"""

import asyncio
import json
import os
import socket
import sys
import tempfile

PROBE = "/tmp/sandboxeval-probe"


async def assess(box, *options, program="sandboxeval", seconds=120):
    """
    Runs `sandboxeval run` with these options on `box`, which has Inspect's write_file() and
    exec(). Returns its exit status and what it printed.
    """

    async def serve(reader, writer):
        order = json.loads(await reader.readline())
        try:
            with open(order["probe"], "rb") as file:
                await box.write_file(PROBE, file.read())
            try:
                await box.exec(["chmod", "755", PROBE])
                done = await box.exec([PROBE, *order["options"]], timeout=seconds)
            finally:
                await box.exec(["rm", "-f", PROBE])
            answer = {"out": done.stdout, "errors": done.stderr, "status": done.returncode}
        except Exception as failure:  # sandboxeval tells it: the probe did not start
            answer = {"out": "", "errors": "%s: %s" % (type(failure).__name__, failure), "status": 1}
        writer.write(json.dumps(answer).encode())
        writer.close()

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "socket")
        server = await asyncio.start_unix_server(serve, path)
        async with server:
            process = await asyncio.create_subprocess_exec(
                program, "run", "command", "--no-baseline", "--timeout", str(seconds), *options, "--",
                sys.executable, os.path.abspath(__file__), path, "{probe-file}", "{options}",
                stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
            said, _ = await process.communicate()
    return process.returncode, said.decode(errors="replace")


def launch(path, probe, options):
    """What sandboxeval starts: one launch of the probe, by way of the evaluation."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        connection.sendall(json.dumps({"probe": probe, "options": options}).encode() + b"\n")
        answer = json.loads(b"".join(iter(lambda: connection.recv(65536), b"")))
    sys.stdout.write(answer["out"])
    sys.stderr.write(answer["errors"])
    return answer["status"]


try:
    from inspect_ai.solver import solver
    from inspect_ai.util import sandbox

    @solver
    def sandbox_report(policy="evaluation-harness"):
        async def solve(state, generate):
            status, said = await assess(sandbox(), "--policy", policy, "--report", "terminal")
            state.output.completion = said
            state.metadata["sandboxeval_status"] = status
            state.completed = True
            return state

        return solve
except ImportError:  # as sandboxeval's command, or in a test: Inspect is not needed
    pass

if __name__ == "__main__":
    sys.exit(launch(sys.argv[1], sys.argv[2], sys.argv[3:]))
