#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""
No secret in any output. Secrets are planted in every place where scenarios look – variables, files,
other processes, descriptors, repositories, keys in the kernel's rings, names of sockets – and then
every output of both programs, in every format, the history and what goes to standard error included,
is searched for each of them. They are made anew for each run; eight characters of one in a row are a
leak. That the search would find one is shown by a scenario that tells one.
"""

import base64
import binascii
import ctypes
import os
import re
import secrets
import signal
import shutil
import socket
import string
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from tap import end, ok, skip_all  # noqa: E402

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
ACCOUNT = 1234
LETTERS = string.ascii_letters + string.digits
WINDOW = 8  # characters of a secret that must not be seen in a row
FORMATS = "terminal json junit sarif html markdown csv".split()

# ---------------------------------------------------------------- what is planted

planted = {}  # where: the random part


def secret(where, letters=LETTERS, n=32):
    planted[where] = "".join(secrets.choice(letters) for _ in range(n))
    return planted[where]


def variables(prefix):
    """One for each family of shapes, under names of all kinds."""
    def new(name, **how):
        return secret("%s %s" % (prefix, name), **how)

    jwt = ".".join(new("jwt %d" % i, n=40) for i in (1, 2))
    return {
        "AWS_ACCESS_KEY_ID": "AKIA" + new("aws id", letters=string.ascii_uppercase, n=16),
        "AWS_SECRET_ACCESS_KEY": new("aws key", n=40),
        "GITHUB_TOKEN": "ghp_" + new("forge", n=36),
        "OPENAI_API_KEY": "sk-" + new("model", n=48),
        "SLACK_HOOK": "https://hooks.slack.com/services/T0/B0/" + new("hook", n=24),
        "DATABASE_URL": "postgres://app:%s@db.test/app" % new("url"),
        "SESSION": "eyJ%s.eyJ%s" % tuple(jwt.split(".")),
        "STRIPE": "sk_live_" + new("payment", n=24),
        "SIGNING": "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----" % new("pem", n=64),
        "DB_PASSWORD": new("password", n=20),
        "CONNECTION": "Server=tcp:db.test;User ID=a;Password=%s;" % new("connection"),
        "UNREMARKABLE": new("high entropy", n=44),
    }


def home_files():
    """Path below the home: text."""
    key = ("-----BEGIN OPENSSH PRIVATE KEY-----\n%s\n-----END OPENSSH PRIVATE KEY-----\n"
           % secret("ssh key", n=64))
    login = base64.b64encode(("user:" + secret("docker login")).encode()).decode()
    planted["docker login in base64"] = login[8:].rstrip("=")
    commit, other = (secret(name, letters="0123456789abcdef", n=40) for name in
                     ("commit of HEAD", "commit ahead"))
    return {
        ".aws/credentials": "[default]\naws_secret_access_key = %s\n" % secret("aws file", n=40),
        ".ssh/id_ed25519": key,
        ".netrc": "machine a.test login a password %s\n" % secret("netrc"),
        ".git-credentials": "https://a:%s@git.test\n" % secret("git credentials"),
        ".docker/config.json": '{"auths":{"r.test":{"auth":"%s"}}}' % login,
        ".config/gh/hosts.yml": "github.com:\n  oauth_token: gho_%s\n" % secret("gh", n=36),
        ".kube/config": "users:\n- user:\n    token: %s\n" % secret("kube"),
        ".pgpass": "db.test:5432:*:a:%s\n" % secret("pgpass"),
        ".npmrc": "//registry.test/:_authToken=npm_%s\n" % secret("npm", n=36),
        ".vault-token": "hvs.%s\n" % secret("vault"),
        ".bash_history": "mysql -p%s\n" % secret("history"),
        ".env": "API_TOKEN=%s\n" % secret("dotenv"),
        ".cache/huggingface/token": "hf_%s\n" % secret("hugging face"),
        ".claude/credentials.json": '{"token":"%s"}' % secret("agent"),
        "server.pem": key.replace("OPENSSH ", "").replace("ed", "rs"),
        "work/.git/HEAD": "ref: refs/heads/main\n",
        "work/.git/refs/heads/main": commit + "\n",
        "work/.git/packed-refs": "%s refs/remotes/origin/fix\n" % other,
        "work/.git/config": "[remote \"origin\"]\n\turl = https://a:%s@git.test/a.git\n"
                            "[http]\n\textraheader = AUTHORIZATION: basic %s\n"
                            % (secret("remote url"), secret("extra header")),
        "work/.git/modules/part/config": "[remote \"origin\"]\n\turl = https://a:%s@git.test/p.git\n"
                                         % secret("submodule"),
        "work/.git/worktrees/other/config.worktree": "[http]\n\textraheader = Bearer %s\n"
                                                     % secret("worktree"),
        "work/part/.git": "gitdir: ../.git/modules/part\n",
        "work/other/.git": "gitdir: ../.git/worktrees/other\n",
        ".mozilla/firefox/a.default/cookies.sqlite": "SQLite format 3\0" + secret("cookies"),
        ".mozilla/firefox/a.default/logins.json": '{"logins":["%s"]}' % secret("logins"),
        ".config/google-chrome/Default/Login Data": secret("login data"),
        ".gnupg/private-keys-v1.d/A.key": "Key: (private-key (rsa (d %s)))\n" % secret("gpg"),
        ".password-store/bank.gpg": secret("password store"),
        ".local/share/keyrings/login.keyring": secret("keyring file"),
        ".zsh_history": ": 1:0;curl -H 'Authorization: Bearer %s'\n" % secret("zsh history"),
        ".python_history": "token = '%s'\n" % secret("python history"),
        ".config/gcloud/application_default_credentials.json": '{"refresh_token":"%s"}'
                                                               % secret("gcloud"),
        ".azure/msal_token_cache.json": '{"secret":"%s"}' % secret("azure"),
        ".config/rclone/rclone.conf": "[a]\npass = %s\n" % secret("rclone"),
        ".m2/settings.xml": "<settings><password>%s</password></settings>" % secret("maven"),
        ".codex/auth.json": '{"token":"%s"}' % secret("codex"),
        "work/tests/expected.txt": secret("expected output") + "\n",
        "work/reward.txt": secret("reward") + "\n",
        "work/.envrc": "export TOKEN=%s\n" % secret("envrc"),
    }


def fill(top):
    home = os.path.join(top, "home")
    for name, text in home_files().items():
        path = os.path.join(home, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    account = os.path.join(top, "account")
    os.mkdir(account)
    for name in ("token", "ca.crt", "namespace"):
        with open(os.path.join(account, name), "w", encoding="utf-8") as file:
            file.write(secret("service account " + name, n=60))
    os.makedirs(os.path.join(top, "projected/tokens"))
    with open(os.path.join(top, "projected/tokens/job"), "w", encoding="utf-8") as file:
        file.write(secret("projected token", n=60))
    for name in ("machine-id", "descriptor", "shadow"):
        with open(os.path.join(top, name), "w", encoding="utf-8") as file:
            text = secret(name, letters="0123456789abcdef", n=32)
            file.write("root:$6$%s:1::::::\n" % text if name == "shadow" else text + "\n")
    for above, names, files in os.walk(top):
        for name in names + files:
            os.chown(os.path.join(above, name), ACCOUNT, ACCOUNT) if os.geteuid() == 0 else None
    return home


class Doors:
    """What is planted in no file: a pipe and a socket that hold something, a key, a name."""

    def __init__(self):
        self.pipe = os.pipe()
        self.pair = socket.socketpair()
        self.told = (secret("inherited pipe"), secret("inherited socket"))
        os.write(self.pipe[1], self.told[0].encode())
        self.pair[1].send(self.told[1].encode())
        for number, fd in ((7, self.pipe[0]), (8, self.pair[0].fileno())):
            os.dup2(fd, number, inheritable=True)
        self.name = socket.socket(socket.AF_UNIX)
        self.name.bind("\0/tmp/dbus-" + secret("name of a socket"))
        self.name.listen()
        libc = ctypes.CDLL(None)
        keyctl, add_key = (219, 217) if os.uname().machine == "aarch64" else (250, 248)
        self.ring = libc.syscall(keyctl, 1, b"sandboxeval-test")  # KEYCTL_JOIN_SESSION_KEYRING
        text = secret("key in the session's ring").encode()
        self.key = libc.syscall(add_key, b"user", b"sandboxeval-test", text, len(text), -3)

    def is_untouched(self):
        """Nobody has read what was in them."""
        for fd in (self.pipe[0], self.pair[0].fileno()):
            os.set_blocking(fd, False)
        return (os.read(self.pipe[0], 100).decode(), self.pair[0].recv(100).decode()) == self.told


# ---------------------------------------------------------------- the search


def forms(text):
    """A secret as it may be written: itself, and what encodings make of it."""
    yield text
    yield binascii.hexlify(text.encode()).decode()
    yield base64.b64encode(text.encode()).decode().rstrip("=")


def leaks(output):
    """Where the secrets were planted that this output holds a part of."""
    found = []
    for where, text in planted.items():
        for form in forms(text):
            windows = {form[at:at + WINDOW] for at in range(len(form) - WINDOW + 1)}
            if any(window in output for window in windows):
                found.append(where)
                break
    return found


def search(name, *outputs):
    found = {where for output in outputs for where in leaks(output)}
    ok(not found, "no secret in: " + name, sorted(found))


# ---------------------------------------------------------------- the runs


def as_account():
    if os.geteuid() != 0:
        return []
    return ["setpriv", "--reuid", str(ACCOUNT), "--regid", str(ACCOUNT), "--clear-groups",
            "--inh-caps=-all"]


def box(top, home):
    """Little is kept from the code in it: all that was planted lies open."""
    words = """--ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --tmpfs /run --unshare-user
        --unshare-ipc""".split()
    words += ["--ro-bind", top + "/projected", "/run/secrets"]
    words += ["--bind", home, "/tmp/home", "--ro-bind", top + "/machine-id", "/tmp/machine-id",
              "--ro-bind", top + "/shadow", "/tmp/shadow",
              "--ro-bind", top + "/account", "/tmp/account", "--setenv",
              "AWS_WEB_IDENTITY_TOKEN_FILE", "/tmp/account/token", "--chdir", "/tmp/home/work",
              "--setenv", "GIVEN_TO_ENGINE", secret("argument of the engine", n=40)]
    return words


def run(words, environment):
    done = subprocess.run(words, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=180, pass_fds=(7, 8))
    return (done.stdout + done.stderr).decode(errors="replace"), done.returncode


def is_found(report, wanted):
    """The run has seen what was planted: otherwise nothing is shown by not finding it."""
    return [ident for ident in wanted.split() if not re.search(
        r'"id": ?"%s"(?:(?!"id").)*?"status": ?"accessed"' % re.escape(ident), report, re.S)]


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


# Writes a title over its variables, up to the last 18 bytes of the first one.
TITLE = """
import ctypes, time
words = open("/proc/self/stat").read().rsplit(")", 1)[1].split()
start, end = int(words[47]), int(words[48])
value = ctypes.string_at(start, end - start).split(b"\\0")[0]
ctypes.memset(start, 0, len(value) - 18)
ctypes.memmove(start, b"a title", 7)
print(flush=True)
time.sleep(600)
"""


class Others:
    """Processes of the same account that are nobody's here: one in another session, two of which a
    title was written over the variables, so that the end of a value stands where a name would."""

    def __init__(self, top, environment):
        self.processes = [self.start(
            ["sh", "-c", "sleep 600; :", secret("argument of another"),
             "--token=" + secret("option of another")],
            {**environment, "ONLY_ITS_OWN": secret("variable of another", n=40)})]
        end = secret("end of a value", n=40)
        self.processes.append(self.start(["sleep", "600"], {"PATH": environment["PATH"], end: "="}))
        end = secret("end of a value in capitals", letters=string.ascii_uppercase, n=16)
        self.processes.append(self.start(["/usr/bin/python3", "-c", TITLE],
                                         {"A": "a" * 32 + end + "=="}, stdout=subprocess.PIPE))
        self.processes[-1].stdout.readline()

    @staticmethod
    def start(words, environment, stdout=subprocess.DEVNULL):
        return subprocess.Popen(as_account() + words, env=environment, start_new_session=True,
                                stdin=subprocess.DEVNULL, stdout=stdout)

    def end(self):
        for process in self.processes:
            os.killpg(process.pid, 9)
            process.wait()


def search_runs(top, program):
    home, doors = fill(top), Doors()
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/tmp/home",
                   "XDG_DATA_HOME": top + "/state", "TMPDIR": top + "/tmp", **variables("given")}
    others, words = Others(top, environment), box(top, home)
    start = as_account() + ["sh", "-c", 'exec "$@" 9<%s/descriptor' % top, "sh", program]
    try:
        search_box(top, start, environment, words)
        search_as_root_of_its_own(top, start, environment, words, home)
        search_commands(start, environment, top)
        search_faults(start, environment, words)
        search_probe(start, environment, top, words)
        if os.geteuid() == 0:
            search_as_root(top, program, environment, words)
        ok(doors.is_untouched(), "what was in the inherited pipe and socket still is")
    finally:
        others.end()
        end_left(top)


def end_left(top):
    """An engine may leave a process that holds the namespaces, and the ring of keys, of an account."""
    mark = ("TMPDIR=%s/" % top).encode()
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/environ" % name, "rb") as file:
                if mark in file.read():
                    os.kill(int(name), signal.SIGKILL)
        except OSError:
            continue  # it has ended, or is another account's


def search_box(top, start, environment, words):
    reports = ["--report=%s=%s/%s" % (name, top, name) for name in FORMATS]
    told, status = run(start + ["run", "bwrap", *reports, "--"] + words, environment)
    ok(status in (0, 1), "the box is assessed", told.splitlines()[-10:])
    missed = is_found(read(top + "/json"), """secret.environment secret.files secret.repository
        secret.descriptors secret.foreign-arguments secret.service-account secret.keyring
        socket.abstract""")
    ok(not missed, "the run has seen what was planted", missed)
    search("what is said beside the reports", told)
    for name in FORMATS:
        search("report " + name, read("%s/%s" % (top, name)))


def search_as_root_of_its_own(top, start, environment, words, home):
    """The box's code is root there, and root's home holds it all."""
    told, status = run(start + ["run", "bwrap", "--no-history", "--report=json=%s/rooted" % top,
                                "--only=secret,system,directory,content", "--"] + words +
                       ["--uid", "0", "--gid", "0", "--bind", home, "/root", "--setenv", "HOME",
                        "/root"], environment)
    text = read(top + "/rooted")
    ok(status in (0, 1) and "/root/.netrc" in text, "root's home in a box is looked into",
         told.splitlines()[-10:])
    search("a box with a root of its own", told, text)


def search_as_root(top, program, environment, words):
    start = ["sh", "-c", 'exec "$@" 9<%s/descriptor' % top, "sh", program, "run"]
    for name, more in (("none", []), ("bwrap", ["--"] + words)):
        path = "%s/root-%s" % (top, name)
        told, _ = run(start + [name, "--no-history", "--report=json=" + path] + more, environment)
        text = read(path)
        ok(not is_found(text, "secret.environment secret.foreign-arguments"),
             "a run by root has seen it: " + name, told.splitlines()[-10:])
        search("a run by root: " + name, told, text)


def search_commands(start, environment, top):
    bare, _ = run(start + ["run", "none", "--report=json=%s/bare" % top], environment)
    text = read(top + "/bare")
    ok(not is_found(text, "secret.foreign-environment"), "variables of others were seen")
    search("a run without a sandbox", bare, text)
    for words in ("history", "show 1", "show 2", "diff 1 2", "compare 1 2", "policy init 1",
                  "report 1", "list", "explain secret.files", "explain secret.keyring", "sandboxes",
                  "run none --plan", "policy list"):
        told, _ = run(start + words.split(), environment)
        ok(len(told) > 20, "sandboxeval %s says something" % words, [told])
        search("sandboxeval " + words, told)
    stored = ""
    for above, _, files in os.walk(top + "/state"):
        for name in files:
            with open(os.path.join(above, name), "rb") as file:
                stored += file.read().decode("latin-1")
    ok(len(stored) > 10000, "there is a history")
    search("the history's file", stored)


def search_faults(start, environment, words):
    """What is said when nothing comes of it."""
    for name, more in (("an engine that fails", ["run", "bwrap", "--"] + words +
                        ["--ro-bind", "/nonexistent", "/x"]),
                       ("a wrong name for --only", ["run", "none", "--only=secret.fles"]),
                       ("a wrong sandbox", ["run", "bwarp", "--"] + words),
                       ("a wrong option", ["run", "bwrap", "--lable=x", "--"] + words),
                       ("a time that is too short", ["run", "bwrap", "--timeout=0.01",
                                                     "--no-history", "--"] + words)):
        told, status = run(start + more, environment)
        ok(status not in (0, 1) and len(told) > 20, name + " is told of", [told[:300]])
        search(name, told)


def search_probe(start, environment, top, words):
    facts = "place=inside,key=00112233445566778899aabbccddeeff,nonce=0123456789abcdef"
    for name, options, least in (
            ("sandboxeval-probe", "--format=text", 1000), ("sandboxeval-probe", "--format=json", 1000),
            ("sandboxeval-probe", "--paper", 1000), ("sandboxeval-probe", "--plan", 1000),
            ("sandboxeval-probe", "--only=secret.fles", 20), ("sandboxeval-probe", "--formt", 20)):
        told = run_probe(BUILD + "/" + name, start, environment, top, words, facts, options)
        ok(len(told) > least, "the probe says something with " + options, [told[:300]])
        search("the probe with " + options, told)
    told = run_probe(BUILD + "/planted/sandboxeval-probe", start, environment, top, words, facts,
                     "--only=planted.tells")
    ok(leaks(told), "a scenario that tells a secret is caught", [told[:300]])


def run_probe(path, start, environment, top, words, facts, options):
    shutil.copyfile(path, top + "/probe")
    os.chmod(top + "/probe", 0o755)
    return run(start[:-1] + ["bwrap"] + words + ["--ro-bind", top + "/probe", "/tmp/probe", "/tmp/probe",
                                                 "--facts", facts, options], environment)[0]


def main():
    program = os.path.join(BUILD, "sandboxeval")
    for needed in (program, shutil.which("bwrap") or "bwrap"):
        if not os.path.exists(needed):
            skip_all(needed + " is missing")
    with tempfile.TemporaryDirectory(prefix="sandboxeval-secrets-", dir="/tmp") as top:
        for name in ("state", "tmp"):
            os.mkdir(os.path.join(top, name))
        os.chmod(top, 0o755)
        shutil.copyfile(program, top + "/sandboxeval")
        os.chmod(top + "/sandboxeval", 0o755)
        if os.geteuid() == 0:
            for name in ("", "/state", "/tmp"):
                os.chown(top + name, ACCOUNT, ACCOUNT)
        search_runs(top, top + "/sandboxeval")
    end()


main()
