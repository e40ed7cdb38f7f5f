"""Renders the Helm chart with Helm's own library, and checks the result against Kubernetes' schemas and our rules.

Usage: check_chart.py CHART VERSION KUBERNETES...
"""

import sys

import helm_python
import kubernetes_validate
import yaml

CHART, VERSION, *KUBERNETES = sys.argv[1:]
URLS = {name: f"https://{name}.linchpin.example" for name in ("public", "sdk", "hosted", "files", "console")}
SECRET = {"name": "database", "key": "address"}
POSTGRES = {"urls": URLS, "database": {"kind": "postgresql", "secret": SECRET}}
FULL = POSTGRES | {
    "rollingUpdate": True,
    "settings": {"TRUSTED_PROXIES": "10.0.0.0/8", "RATE_BURST": "1000000", "DOCUMENT_SANDBOX": "required", "DRAIN_SECONDS": "60", "BACKUP_TO": "s3://backups/x"},
    "secretSettings": [{"name": "SMTP_URL", "secret": "mail", "key": "url"}],
    "configSecret": "connectors",
    "masterKey": {"programConfigMap": "kms", "env": [{"name": "AWS_REGION", "value": "eu-central-1"}]},
    "bucket": {"name": "files", "endpoint": "https://s3.example", "region": "x", "secret": {"name": "s3"}},
    "storage": {"keys": {"existingClaim": "1234"}, "backupDraft": {"size": "7Gi", "storageClass": "true"}},
    "ingress": {"enabled": True, "className": "nginx", "annotations": {"a": "b"}, "tlsSecret": "tls"},
    "metrics": {"serviceMonitor": {"enabled": True, "labels": {"release": "prometheus"}}},
    "image": {"repository": "registry.example/linchpin", "pullSecrets": [{"name": "registry"}]},
    "serviceAccount": {"annotations": {"eks.amazonaws.com/role-arn": "arn:aws:iam::1:role/linchpin"}},
    "service": {"annotations": {"c": "d"}},
    "podAnnotations": {"e": "f"},
    "podLabels": {"team": "data"},
    "nodeSelector": {"disk": "ssd"},
    "tolerations": [{"key": "dedicated", "operator": "Exists"}],
    "affinity": {"nodeAffinity": {}},
}
CASES = {
    "sqlite": {"urls": {"public": "https://linchpin.example"}},
    "postgresql": POSTGRES,
    "one-postgresql-pod": POSTGRES
    | {
        "replicas": 1,
        "rollingUpdate": True,
        "storage": {"keys": {"accessMode": "ReadWriteOnce"}, "files": {"accessMode": "ReadWriteOncePod"}},
    },
    "everything": FULL,
}

checks = 0


def check(condition, message):
    global checks
    checks += 1
    if not condition:
        sys.exit(f"The chart is wrong: {message}")


def render(values):
    with helm_python.Chart.load(CHART) as chart:
        chart.validate_schema(values)
        rendered = chart.render(values, name="demo", namespace="prod")
    documents = []
    for path, text in rendered.items():
        if path.endswith(".txt"):
            check("first-keys.json" in text, "the notes do not say where the first keys are")
            continue
        check("helm.sh/hook" not in text, f"{path} has a hook")
        documents += [it for it in yaml.safe_load_all(text) if it]
    return documents


def refused(values, words):
    try:
        render(values)
    except helm_python.HelmError as error:
        check(words in str(error), f"{values} is refused without a reason: {error}")
        return
    sys.exit(f"The chart accepts {values}")


def of_kind(documents, kind):
    return [it for it in documents if it["kind"] == kind]


def check_pod(workload, values):
    spec = workload["spec"]["template"]["spec"]
    [container] = spec["containers"]
    check("initContainers" not in spec, "a pod has another program")
    security = spec["securityContext"] | container["securityContext"]
    for name, wanted in {
        "runAsNonRoot": True,
        "runAsUser": 10001,
        "readOnlyRootFilesystem": True,
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
        "fsGroupChangePolicy": "OnRootMismatch",
        "seccompProfile": {"type": "RuntimeDefault"},
    }.items():
        check(security[name] == wanted, f"{name} is {security[name]}")
    check(not spec["automountServiceAccountToken"], "a pod gets a token of the cluster")
    check(spec["enableServiceLinks"] is False, "variables of services would look like settings")
    check(container["readinessProbe"]["exec"]["command"] == ["linchpin", "healthcheck"], "no health check")
    volumes = {it["name"] for it in spec["volumes"]}
    mounts = {it["name"]: it["mountPath"] for it in container["volumeMounts"]}
    check(volumes == set(mounts), f"volumes {volumes}, but mounts {mounts}")
    variables = {it["name"]: it for it in container["env"]}
    check(len(variables) == len(container["env"]), "a variable is set twice")
    for name, path in [("DATA_DIR", "data"), ("KEYS_DIR", "keys"), ("FILES_DIR", "files")]:
        if f"LINCHPIN_{name}" in variables:
            folder = variables[f"LINCHPIN_{name}"]["value"]
            check(folder.startswith(mounts[path] + "/"), f"{name} is {folder}, outside of its volume")
    for name, variable in variables.items():
        is_secret = any(word in name for word in ("SECRET", "ACCESS_KEY", "DATABASE_URL", "SMTP_URL"))
        check(is_secret == ("valueFrom" in variable), f"{name} is in the manifest")
        check(is_secret or isinstance(variable["value"], str), f"{name} is not text")
    wanted = values.get("settings", {})
    for name, value in wanted.items():
        check(variables[f"LINCHPIN_{name}"]["value"] == value, f"{name} is {variables[f'LINCHPIN_{name}']}")
    return spec, variables


def check_case(name, values):
    documents = render(values)
    names = [(it["kind"], it["metadata"]["name"]) for it in documents]
    check(len(set(names)) == len(names), f"{name}: a name is used twice: {names}")
    for document in documents:
        if document["kind"] != "ServiceMonitor":
            for version in KUBERNETES:
                kubernetes_validate.validate(document, version, strict=True)
                check(True, "")
    is_postgres = values.get("database", {}).get("kind") == "postgresql"
    workload = next(it for it in documents if it["kind"] in ("Deployment", "StatefulSet"))
    check(workload["kind"] == ("Deployment" if is_postgres else "StatefulSet"), f"{name}: {workload['kind']}")
    replicas = workload["spec"]["replicas"]
    check(replicas == (values.get("replicas", 2) if is_postgres else 1), f"{name}: {replicas} pods")
    if is_postgres:
        is_rolling = values.get("rollingUpdate", False) and replicas > 1
        strategy = workload["spec"]["strategy"]["type"]
        check(strategy == ("RollingUpdate" if is_rolling else "Recreate"), f"{name}: {strategy}")
    else:
        check(workload["spec"]["podManagementPolicy"] == "Parallel", f"{name}: a pod that is not ready blocks a new one")
    spec, variables = check_pod(workload, values)
    drain = int(values.get("settings", {}).get("DRAIN_SECONDS", 20))
    check(spec["terminationGracePeriodSeconds"] == drain + 10, f"{name}: the time to end")
    for volume in spec["volumes"]:
        check(volume.get("emptyDir") is None or "sizeLimit" in volume["emptyDir"], f"{name}: {volume} has no limit")
    labels = workload["spec"]["template"]["metadata"]["labels"]
    services = of_kind(documents, "Service")
    for selecting in services + of_kind(documents, "PodDisruptionBudget") + [workload]:
        selector = selecting["spec"]["selector"]
        selector = selector.get("matchLabels", selector)
        check(selector.items() <= labels.items(), f"{name}: {selecting['kind']} selects no pod")
    check(len(of_kind(documents, "PodDisruptionBudget")) == (replicas > 1), f"{name}: the budget")
    check(("LINCHPIN_DATABASE_URL" in variables) == is_postgres, f"{name}: the database")
    claims = {it["metadata"]["name"]: it for it in of_kind(documents, "PersistentVolumeClaim")}
    for claim in claims.values():
        wanted = values.get("storage", {}).get(claim["metadata"]["name"].split("-")[-1], {})
        mode = wanted.get("accessMode", "ReadWriteMany" if is_postgres else "ReadWriteOnce")
        check(claim["spec"]["accessModes"] == [mode], f"{name}: {claim['spec']}")
        check(claim["metadata"]["annotations"]["helm.sh/resource-policy"] == "keep", f"{name}: a claim is removed")
    used = [it["persistentVolumeClaim"]["claimName"] for it in spec["volumes"] if "persistentVolumeClaim" in it]
    existing = {it["existingClaim"] for it in values.get("storage", {}).values() if "existingClaim" in it}
    check(set(used) == set(claims) | existing, f"{name}: the pod uses {used}, and the chart makes {set(claims)}")
    for monitor in of_kind(documents, "ServiceMonitor"):
        wanted = monitor["spec"]["selector"]["matchLabels"]
        selected = [it for it in services if wanted.items() <= it["metadata"]["labels"].items()]
        ports = [port["name"] for it in selected for port in it["spec"]["ports"]]
        check(ports == ["metrics"], f"{name}: the monitor reads {ports}")
    return documents, workload


def main():
    report = helm_python.lint(CHART, CASES["postgresql"], strict=True)
    faults = [it["error"] for it in report["messages"] if it["severity"] > 1] + report["errors"]
    check(not faults, f"lint: {faults}")
    for name, values in CASES.items():
        check_case(name, values)
    documents, workload = check_case("everything", FULL)
    [ingress] = of_kind(documents, "Ingress")
    hosts = [it["host"] for it in ingress["spec"]["rules"]]
    check(hosts == [f"{it}.linchpin.example" for it in URLS], f"the hosts are {hosts}")
    check(len(of_kind(documents, "ServiceMonitor")) == 1, "there is no monitor")
    pod = workload["spec"]["template"]["spec"]
    check(pod["containers"][0]["image"] == f"registry.example/linchpin:{VERSION}", "the image")
    [data] = [it for it in pod["volumes"] if it["name"] == "data"]
    draft = data["ephemeral"]["volumeClaimTemplate"]["spec"]
    check(draft["resources"]["requests"]["storage"] == "7Gi", "the volume of a backup's draft")
    check(draft["storageClassName"] == "true", "a name that looks like another type is not quoted")
    check(pod["containers"][0]["args"] == ["serve", "--config", "/etc/linchpin/linchpin.toml"], "the arguments")
    _, sqlite = check_case("sqlite", CASES["sqlite"])
    check(sqlite["metadata"]["name"] == "demo-linchpin", "the name")
    refused({}, "urls.public is required")
    refused({"urls": URLS, "database": {"kind": "postgresql"}}, "database.secret.name is required")
    refused(CASES["sqlite"] | {"bucket": {"name": "files"}}, "bucket.secret.name is required")
    refused(CASES["sqlite"] | {"database": {"kind": "mysql"}}, "kind")
    refused(CASES["sqlite"] | {"settings": {"RATE_BURST": 1000000}}, "RATE_BURST")
    refused(CASES["sqlite"] | {"replica": 3}, "replica")
    owned = ("DATA_DIR", "KEYS_DIR", "PUBLIC_URL", "DATABASE_URL", "MASTER_KEY_COMMAND", "S3_BUCKET")
    for name in owned + ("SMTP_URL", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY", "CONNECTOR"):
        refused(CASES["sqlite"] | {"settings": {name: "x"}}, name)
    for name in (*owned, "BACKUP_TO", "DRAIN_SECONDS"):
        refused(CASES["sqlite"] | {"secretSettings": [{"name": name, "secret": "x", "key": "y"}]}, "secretSettings")
    refused(CASES["sqlite"] | {"settings": {"DRAIN_SECONDS": "soon"}}, "DRAIN_SECONDS")
    refused(POSTGRES | {"storage": {"keys": {"accessMode": "ReadWriteOnce"}}}, "several pods need ReadWriteMany")
    with helm_python.Chart.load(CHART) as chart:
        found = (chart.version, chart.metadata["appVersion"])
        check(found == (VERSION, VERSION), f"the versions of the chart are {found}, and the program's is {VERSION}")
    print(f"Helm {helm_python.helm_sdk_version()}, {len(CASES)} sets of values")
    print(f"test result: ok. {checks} passed; 0 failed")


main()
