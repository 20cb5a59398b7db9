"""Derives the JSON Schemas of Azure ML v2 from the marshmallow classes of azure-ai-ml.

    pip install azure-ai-ml==1.35.2 && python generate.py [--check]

writes schemas.json next to this file, one definition per line, with "parts" that they share; --check compares instead. Descriptions come from
descriptions.json, by "Definition.key" or by key: they are amlfix's own, because the client has hardly any. What the
classes do in code (hooks, constructors) is not derived; the tables below add what is needed of it.
"""
import json
import os
import re
import sys

os.environ["AZURE_ML_CLI_PRIVATE_FEATURES_ENABLED"] = "false"
import azure.ai.ml  # noqa: E402
from azure.ai.ml import _schema as S  # noqa: E402
from azure.ai.ml._schema.core import fields as F  # noqa: E402
from azure.ai.ml._schema.core.schema import PathAwareSchema, YamlFileSchema  # noqa: E402
from azure.ai.ml._schema.monitoring.alert_notification import AlertNotificationSchema  # noqa: E402
from azure.ai.ml._schema.pipeline import pipeline_job_io  # noqa: E402
from azure.ai.ml.entities import DataColumnType  # noqa: E402
from azure.ai.ml._utils.utils import camel_to_snake, snake_to_camel  # noqa: E402
from azure.ai.ml._schema.spark_resource_configuration import SparkResourceConfigurationForNodeSchema  # noqa: E402
from marshmallow import EXCLUDE, INCLUDE, RAISE, fields, validate  # noqa: E402

VERSION = "1.35.2"
HERE = os.path.dirname(os.path.abspath(__file__))
WORDS = json.load(open(os.path.join(HERE, "descriptions.json"), encoding="utf-8"))
BINDING = r"\$\{\{.*\}\}"
ASSET = r"^azureml:"
ANYTHING = ["string", "integer", "number", "boolean", "object", "array"]
SWITCH = r"^(?:[tTyYfFnN10]|true|True|TRUE|on|On|ON|yes|Yes|YES|false|False|FALSE|off|Off|OFF|no|No|NO)$"

# As in marshmallow's from_iso_datetime.
TIME = "a date and a time, such as 2025-01-31T08:00:00"
MOMENT = (r"^[0-9]{4}-(?:0?[1-9]|1[0-2])-(?:0?[1-9]|[12][0-9]|3[01])[T ](?:[01]?[0-9]|2[0-3]):[0-5]?[0-9]"
          r"(?::[0-5]?[0-9](?:\.[0-9]{1,12})?)?(?:Z|[+-][0-9]{2}(?::?[0-9]{2})?)?$")

# Keys of a file that people give on the command line: it may lack them.
GIVEN = {"name", "endpoint_name"}
# Keys that the client's code requires, although the class does not.
NEEDED = {
    "PipelineParallelJobSchema": ["task"],
    # What hooks take out of these mappings, and arguments without a default of the constructors that get them.
    **{name + "Schema": keys.split() for name, keys in {
        "AccessKeyConfiguration": "access_key_id secret_access_key", "AccountKeyConfiguration": "account_key", "ApiKeyConfiguration": "key",
        "PatTokenConfiguration": "pat", "SasTokenConfiguration": "sas_token", "ServicePrincipalConfiguration": "client_secret",
        "UsernamePasswordConfiguration": "username password",
        "AzureAISearchConnection": "endpoint", "AzureAIServicesConnection": "endpoint ai_services_resource_id",
        "AzureBlobStoreConnection": "url", "AzureContentSafetyConnection": "endpoint", "AzureOpenAIConnection": "azure_endpoint",
        "AzureSpeechServicesConnection": "endpoint", "MicrosoftOneLakeConnection": "endpoint", "ServerlessConnection": "endpoint",
        "OneLake": "artifact", "AmlComputeSshSettings": "admin_username", "VirtualMachineSshSettings": "admin_username",
        "CreateOnBehalfOf": "user_tenant_id user_object_id", "EndpointsSettings": "target published", "ImageSettings": "reference",
        "VolumeSettings": "source target", "Identity": "type", "DataCollector": "collections", "ModelBatchDeploymentSettings": "mini_batch_size",
        "ImageSweepSettings": "sampling_algorithm", "NlpSweepSettings": "sampling_algorithm", "JobResources": "instance_types",
        "EndpointConnection": "subscription_id resource_group vnet_name subnet_name", "SystemCreatedAcrAccount": "acr_account_sku",
        "ComputeRuntime": "spark_runtime_version", "MaterializationComputeResource": "instance_type", "ManagedNetwork": "isolation_mode",
        "StackEnsembleSettings": "stack_meta_learner_type", "RecurrenceTrigger": "interval", "RecurrenceSchedule": "hours minutes",
        "JobSchedule": "trigger create_job", "Registry": "replication_locations", "MonitorSchedule": "trigger", "ImportDataSchedule": "trigger", "MonitorDefinition": "compute", "ServerlessSparkCompute": "runtime_version instance_type",
        "FADProductionData": "input_data", "LlmData": "input_data", "ProductionData": "input_data", "ReferenceData": "input_data",
        "CustomMonitoringSignal": "metric_thresholds component_id", "CustomMonitoringMetricThreshold": "metric_name",
        "FeatureAttributionDriftSignal": "reference_data metric_thresholds", "GenerationSafetyQuality": "metric_thresholds",
        "ModelPerformanceSignal": "production_data reference_data metric_thresholds", "PredictionDriftSignal": "metric_thresholds",
        "WorkspaceConnection": "target", "DataTransferCopyComponent": "inputs outputs", "SweepJob": "search_space", "CustomApplications": "image endpoints",
    }.items()},
    # Nearly all are built from it, and the service's model of the others requires it.
    **{f"{name}{kind}": ["training_data"] for kind in ("Schema", "NodeSchema", "Node") for name in (
        "AutoMLClassification", "AutoMLRegression", "AutoMLForecasting", "ImageClassification", "ImageClassificationMulticlass",
        "ImageClassificationMultilabel", "ImageObjectDetection", "ImageInstanceSegmentation", "TextNer", "TextClassification",
        "TextClassificationMultilabel", "AutoMLTextNer", "AutoMLTextClassification", "AutoMLTextClassificationMultilabel",
        "AzureOpenAIFineTuning", "CustomModelFineTuning")},
}
# Keys that the class has and the constructor rejects.
REFUSED = {"BatchEndpointSchema.identity", "DistillationJobSchema.identity", "FineTuningVerticalSchema.identity",
           "ManagedIdentitySchema.msi_resource_id", "ImageVerticalSchema.test_data_size"}
# Keys that the client adds itself before it validates.
DEFAULTED = {"KubernetesComputeSchema.namespace"}
# Mappings whose unknown keys the client drops: those loaded with EXCLUDE, and files that are loaded with INCLUDE at the
# top level, where nothing reads the rest.
DROPPED = "dropped"
# Nodes keep unknown keys and pass them on; only what looks like a typo is reported.
PASSED = "passed"
# Nodes that pass all keys on to a constructor, which rejects what it does not know; and what it knows besides their own.
STRICT = re.compile(r"PipelineParallelJobSchema|(?:AutoML|Image)\w+Node(?:Schema)?")
TAKEN = ["name", "display_name", "description", "tags", "experiment_name", "services", "identity", "environment_variables", "properties", "creation_context"]


def scalar(types, title=None, pattern=None, enum=None, **notes):
    s = {"type": types if isinstance(types, list) else [types]}
    if title:
        s["title"] = title
    if pattern:
        s["pattern"] = pattern
    if enum is not None:
        s["enum"] = enum
    if notes:
        s["x-amlfix"] = notes
    return s


def lower(name):
    """AMLTokenIdentitySchema: amlTokenIdentity"""
    name = re.sub(r"Schema$", "", name.lstrip("_"))
    return re.sub(r"^([A-Z]+)(?=[A-Z][a-z]|$)|^[A-Z]", lambda m: m.group().lower(), name)


def either(word):
    """returns the pattern of a word in any case: editors' patterns have no flag for it"""
    return "".join(f"[{c.lower()}{c.upper()}]" if c.isalpha() else re.escape(c) for c in word)


def unlike(word):
    """returns the pattern of what is another word: editors' patterns and Go's have no other way to say so"""
    return "|".join(f"{word[:i]}(?:[^:{c}][^:]*)?" for i, c in enumerate(word)) + f"|{word}[^:]+"


# As in the client's validate_arm_str.
ARM_ID = (f"^/{either('subscriptions')}/[0-9a-fA-F]{{8}}-([0-9a-fA-F]{{4}}-){{3}}[0-9a-fA-F]{{12}}/{either('resourceGroups')}/.*/{either('providers')}"
          "/[a-zA-Z.]*/[a-zA-Z]*/.*$")
# Components that take the number of machines next to their keys, too: resources.instance_count under its own name.
COUNTED = {"CommandComponentSchema", "ParallelComponentSchema"}
# Other names of keys that a hook accepts.
ALSO = {"ResourceSettingsSchema": {"nvidia.com/gpu": "gpu"}}


class Generator:
    def __init__(self):
        self.definitions, self.names, self.open = {}, {}, {}

    # Fields

    def field(self, f):
        s = self.plain(f)
        if f.allow_none and ("$ref" in s or "anyOf" in s):
            return self.union([s, {"type": ["null"]}])
        if f.allow_none and "type" in s and "null" not in s["type"]:
            s = dict(s, type=s["type"] + ["null"])
            if "enum" in s:
                s["enum"] = s["enum"] + [None]
        return s

    def plain(self, f):
        """returns the schema of a field, or None if it reads nothing from a file"""
        for kind, make in self.KINDS:
            if isinstance(f, kind):
                return make(self, f)
        if type(f) in (fields.Field, fields.Raw):
            return {} if f.allow_none else dict(scalar(ANYTHING), title="a value")
        raise SystemExit(f"no schema for {type(f).__mro__} ({f.name})")

    def enum(self, f):
        values = sorted(set(f.allowed_values), key=f.allowed_values.index)
        if f.casing_transform is snake_to_camel:
            return scalar("string", enum=[camel_to_snake(v) for v in values], camel=True, exact=True)
        notes = {"exact": True} if isinstance(f, F.DumpableEnumField) else {"camel": True} if f.casing_transform is camel_to_snake else {}
        return scalar("string", enum=values, **notes)

    def string(self, f):
        s = scalar("string")
        for v in f.validators:
            if isinstance(v, validate.OneOf):
                s["enum"] = list(v.choices)
                s["x-amlfix"] = {"exact": True}
            elif isinstance(v, validate.Regexp):
                s["pattern"] = v.regex.pattern
                s["title"] = "a name of letters, digits and hyphens that begins with a letter"
            elif getattr(v, "__name__", "") == "validate_arm_str":
                s["pattern"], s["title"] = ARM_ID, "the whole id of a resource, /subscriptions/…"
        return s

    def path(self, f):
        return scalar("string", path="any" if f._allow_dir and f._allow_file else "folder" if f._allow_dir else "file")

    def whole(self, f):
        if getattr(f, "strict", False):
            return scalar("integer")
        return scalar(["integer", "string"], "a whole number", r"^\s*[+-]?[0-9](?:_?[0-9])*\s*$")

    def number(self, f):
        if getattr(f, "strict", False):
            return scalar(["number", "integer"])
        return scalar(["number", "integer", "string"], "a number", r"^\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*$")

    def switch(self, f):
        return scalar(["boolean", "string", "integer"], "true or false", SWITCH)

    def asset(self, f):
        kind = (f.azureml_type or "assets").lower()
        if isinstance(f, F.ArmVersionedStr) and not f.allow_default_version:
            return scalar("string", "azureml:NAME:VERSION", r"^azureml:(?:/|.+[:@].)", asset=kind)
        return scalar("string", "azureml:NAME:VERSION" if isinstance(f, F.ArmVersionedStr) else "azureml:NAME", ASSET + ".", asset=kind)

    def registry(self, f):
        place = "azureml://(?:registries|feeds)/" if isinstance(f, F.InternalRegistryStr) else "azureml://registries/"
        return scalar("string", "azureml://registries/…", "^" + place, asset=(f.azureml_type or "assets").lower())

    def mapping(self, f):
        s = {"type": ["object"]}
        if f.key_field is None:
            s["x-amlfix"] = {"anyKeys": True}
        if f.value_field is not None:
            s["additionalProperties"] = self.field(f.value_field)
        elif f.name == "environment_variables":  # any value, which becomes a text: rules look at what it is read as
            s["additionalProperties"] = scalar(["string", "number", "boolean", "null", "object", "array"])
        if isinstance(f.key_field, F.PipelineNodeNameStr):
            s["propertyNames"] = {"title": "a job of a pipeline", "description": "lowercase letters, digits and _ only, with no digit first",
                                  "pattern": "^[a-z_][a-z0-9_]*$"}
        elif isinstance(f.key_field, F.StringTransformedEnum):
            names = self.field(f.key_field)
            words = ", ".join(names["enum"][:-1]) + " or " + names["enum"][-1]
            s["propertyNames"] = {"title": "a setting", "description": words, "pattern": self.spelt(names)}
        return s

    def sequence(self, f):
        return {"type": ["array"], "items": self.field(f.inner)}

    def nested(self, f):
        schema = f.schema
        s = self.reference(schema, f.unknown if f.unknown is not None else schema.unknown)
        if isinstance(schema, YamlFileSchema):
            s = self.union([s, scalar("string", "file:PATH", "^file:", path="file", file=lower(type(schema).__name__))])
        return {"type": ["array"], "items": s} if f.many or schema.many else s

    def union_field(self, f):
        return self.union([self.field(x) for x in f._union_fields])

    def typed(self, f):
        """returns one schema for each value of a key; without the key, the one that matches best"""
        key = f.type_field_name
        cases = {name: [self.field(x) for x in list_] for name, list_ in f._type_sensitive_fields_dict.items()}
        plain = [self.field(x) for x in f._union_fields[: len(f._union_fields) - sum(len(x) for x in f._type_sensitive_fields_dict.values())]]
        if len(cases) < 2 or plain:
            return self.union(plain + [x for c in cases.values() for x in c])
        return self.choice(key, {name: self.union(c) for name, c in cases.items()}, self.union([x for c in cases.values() for x in c]))

    @staticmethod
    def choice(key, cases, default=None):
        """returns a schema that is selected by the value of a key"""
        allof = [{"if": {"required": [key], "properties": {key: {"const": name}}}, "then": s} for name, s in cases.items()]
        if default is not None:
            allof.append({"if": {"not": {"required": [key]}}, "then": default})
        return {"type": ["object"], "properties": {key: scalar("string", enum=list(cases))}, "allOf": allof}

    # Nothing reads the URL, but null is rejected.
    ADDRESS = dict(scalar(ANYTHING), title="the address of a schema")

    def binding(self, f):
        return scalar("string", "an expression ${{…}}", BINDING)

    def file(self, f):
        names = {
            "ComponentFileRefField": "commandComponent", "ParallelComponentFileRefField": "parallelComponent",
            "SparkComponentFileRefField": "sparkComponent", "ImportComponentFileRefField": "importComponent",
            "DataTransferCopyComponentFileRefField": "dataTransferCopyComponent", "PipelineComponentFileRefField": "pipelineComponent",
            "CreateJobFileRefField": "job",
        }
        return scalar("string", "a path", path="file", file=names.get(type(f).__name__, "component"))

    KINDS = [
        (F.ExperimentalField, lambda g, f: g.field(f.experimental_field)),
        (F.TypeSensitiveUnionField, typed),
        (F.UnionField, union_field),
        (F.StringTransformedEnum, enum),
        (F.LocalPathField, path),
        (F.DataBindingStr, binding),
        (pipeline_job_io.OutputBindingStr, binding),
        (F.FileRefField, file),
        (S.component.component.ComponentYamlRefField, file),
        (F.RefField, lambda g, f: scalar("string", "file:PATH", "^file:|^Dockerfile$")),
        (F.RegistryStr, registry),
        (F.ArmStr, asset),
        (F.GitStr, lambda g, f: scalar("string", "git+…", r"^git\+")),
        (F.PythonFuncNameStr, lambda g, f: scalar("string", "a name of lowercase letters, digits and _ that begins with a letter", "^[a-z][a-z0-9_]*$")),
        (F.PipelineNodeNameStr, lambda g, f: scalar("string", "a name of lowercase letters, digits and _", "^[a-z_][a-z0-9_]*$")),
        (F.NumberVersionField, lambda g, f: scalar(["string", "integer", "number"], "a version", r"^[0-9]+(\.[0-9]+)*$")),
        (F.VersionField, lambda g, f: scalar(["string", "integer", "number", "boolean"])),
        (F.DateTimeStr, lambda g, f: scalar("string", TIME, MOMENT)),
        (fields.DateTime, lambda g, f: scalar("string", TIME, MOMENT + "|^[A-Z][a-z]{2}, ")),
        (fields.Url, lambda g, f: scalar("string", "an address, https://…", rf"^(?:{either('http')}|{either('ftp')})[sS]?://\S+$")),
        (fields.Nested, nested),
        (fields.Dict, mapping),
        (fields.List, sequence),
        (fields.Integer, whole),
        (fields.Number, number),
        (fields.Boolean, switch),
        (fields.Constant, lambda g, f: scalar(["string", "integer", "number", "boolean", "array", "object"], "fqdn, service_tag or private_endpoint")),
        (fields.String, string),
    ]

    # Unions

    def union(self, parts):
        """returns one schema for all: scalars are merged, mappings and lists remain alternatives"""
        flat = []
        for p in parts:
            flat += p["anyOf"] if "anyOf" in p else [p]
        if any(p == {} for p in flat):
            return {}
        scalars = [p for p in flat if "$ref" not in p and not {"object", "array"} & set(p.get("type", []))]
        others = []
        for p in flat:
            if p not in scalars and p not in others:
                others.append(p)
        result = ([self.merge(scalars)] if scalars else []) + others
        if len(result) == 1:
            return result[0]
        types = sorted({t for p in result for t in self.types(p)})
        return {"type": types, "anyOf": result}

    def types(self, s):
        return ["object"] if "$ref" in s else s.get("type", [])

    @staticmethod
    def spelt(s):
        """returns the pattern of names in any case and, if the client reads theName as the_name, in that form too"""
        notes = s.get("x-amlfix", {})
        words = [re.escape(v) if notes.get("exact") else either(v) for v in s["enum"]]
        if notes.get("camel"):
            words = [re.sub(r"_\[(.)(.)\]", r"(?:_[\1\2]|\2)", either(v)) for v in s["enum"]]
        return "^(?:%s)$" % "|".join(words)

    @staticmethod
    def merge(scalars):
        if len({json.dumps(s, sort_keys=True) for s in scalars}) == 1:
            return scalars[0]
        types, notes, titles = [], {}, []
        free = False  # whether any text is accepted: then nothing checks whether the path exists
        for s in scalars:
            types += [t for t in s["type"] if t not in types]
            notes.update({k: v for k, v in s.get("x-amlfix", {}).items() if not (free and k == "path")})
            free = free or "string" in s["type"] and not {"pattern", "enum", "x-amlfix"} & set(s)
            if s.get("title") and s["title"] not in titles:
                titles.append(s["title"])
        texts = [s for s in scalars if "string" in s["type"]]
        merged = {"type": types}
        if texts and all("enum" in s for s in texts):
            merged["enum"] = list(dict.fromkeys(v for s in texts for v in s["enum"]))
        elif texts and all("enum" in s or "pattern" in s for s in texts):
            patterns = [s.get("pattern") or Generator.spelt(s) for s in texts]
            merged["pattern"] = "|".join("(?:%s)" % p for p in dict.fromkeys(patterns))
            words = [s.get("title") or " or ".join(s["enum"]) for s in texts]
            merged["title"] = " or ".join(dict.fromkeys(words))
        notes.pop("exact", None)
        if "enum" not in merged:
            notes.pop("camel", None)
        if notes:
            merged["x-amlfix"] = notes
        return merged

    # Schemas

    def reference(self, schema, unknown):
        return {"$ref": "#/definitions/" + self.define(schema, unknown)}

    def define(self, schema, unknown):
        cls = type(schema)
        bound = getattr(schema, "_data_binding_supported", False)
        key = (cls, unknown, bound)
        if key in self.open:
            return self.open[key]
        name = lower(cls.__name__)
        if bound and "Node" not in name and name in self.definitions:
            name += "InPipeline"
        base, n = name, 1
        while name in self.definitions:
            n += 1
            name = f"{base}{n}"
        self.open[key] = name
        self.definitions[name] = None  # reserves its position
        s = self.mapping_of(schema, unknown, name)
        twin = next((n for n, d in self.definitions.items() if d == s and n.startswith(lower(cls.__name__))), None)
        if twin and not self.mentions(name):
            del self.definitions[name]
            self.open[key] = twin
            return twin
        self.definitions[name] = s
        return name

    def mentions(self, name):
        return ('"#/definitions/%s"' % name) in json.dumps(self.definitions)

    def mapping_of(self, schema, unknown, name):
        trims = isinstance(schema, PathAwareSchema)
        properties, required = {}, []
        own = dict(schema.load_fields)
        for attr, f in {**own, **{a: f for a, f in schema.dump_fields.items() if a not in own and trims}}.items():
            key = f.data_key or attr
            if any(f"{c.__name__}.{key}" in REFUSED for c in type(schema).__mro__):
                continue
            if f.dump_only:
                properties[key] = self.described(self.ADDRESS if key == "$schema" else {}, name, key)
                if key != "$schema":
                    properties[key]["description"] = "Set by the service; ignored in a file."
                continue
            own = self.overridden(schema, key)
            properties[key] = self.described(self.field(f) if own is None else own(self) if callable(own) else own, name, key)
            ports = next((PORTS[c.__name__] for c in type(schema).__mro__ if c.__name__ in PORTS), None)
            if ports and key in ("inputs", "outputs"):
                properties[key]["propertyNames"] = {"title": "an input or output", "description": "letters, digits and _ only, with no digit first", "pattern": ports}
            if f.required and (key not in GIVEN or not trims) and f"{type(schema).__name__}.{key}" not in DEFAULTED:
                required.append(key)
        required += [key for key in NEEDED.get(type(schema).__name__, []) if key not in required]
        for other, key in ALSO.get(type(schema).__name__, {}).items():
            properties[other] = properties[key]
        if type(schema).__name__ in COUNTED:
            properties["instance_count"] = self.described(self.whole(None), name, "instance_count")
        s = {"type": ["object"], "properties": properties}
        if trims:
            properties.setdefault("$schema", self.described({"type": ["string"]}, name, "$schema"))
        if required:
            s["required"] = required
        notes = {}
        if STRICT.fullmatch(type(schema).__name__):
            properties.update((key, self.described({}, name, key)) for key in TAKEN if key not in properties)
        elif unknown == INCLUDE:
            notes["unknown"] = PASSED
        elif unknown == EXCLUDE:
            notes["unknown"] = DROPPED
        s["additionalProperties"] = False
        for cls, hook in HOOKS.items():
            if any(c.__name__ == cls for c in type(schema).__mro__):
                notes.update(hook)
        if notes:
            s["x-amlfix"] = notes
        return s

    @staticmethod
    def overridden(schema, key):
        """returns what is known about a field beyond its class, from the nearest class with an entry"""
        return next((OVERRIDES[c.__name__ + "." + key] for c in type(schema).__mro__ if c.__name__ + "." + key in OVERRIDES), None)

    def described(self, s, name, key):
        text = WORDS["descriptions"].get(name + "." + key) or WORDS["descriptions"].get(key)
        missing = WORDS["missing"].get(name + "." + key) or WORDS["missing"].get(key)
        out = {"description": text} if text else {}
        if missing:
            s = dict(s, **{"x-amlfix": dict(s.get("x-amlfix", {}), missing=missing)})
        if "$ref" in s and len(s) == 1 and not out:
            return s
        if "$ref" in s:  # draft-07 ignores what is next to a reference
            return {**out, "allOf": [{"$ref": s["$ref"]}], **{k: v for k, v in s.items() if k != "$ref"}}
        return {**out, **s}


# What the client's code does after it has read a mapping. "check" names a function in this package's Go code.
HOOKS = {
    "_BaseEnvironmentSchema": {"check": "environment"},
    "PipelineJobSchema": {"check": "pipeline"},
    "SparkJobSchema": {"check": "spark"},
    "ComponentParallelTaskSchema": {"check": "task"},
    "OutputSchema": {"check": "output"},
    "NetworkSettingsSchema": {"check": "network"},
    "EndpointSchema": {"check": "endpoint"},
    "KubernetesOnlineDeploymentSchema": {"check": "kubernetes"},
    "ModelBatchDeploymentSchema": {"check": "settings"},
    **{name: {"check": "counted"} for name in COUNTED},
}


# The form of names of inputs and outputs, which the client's code checks after it has read them, or when it builds the
# request.
WORD = "[a-zA-Z_][a-zA-Z0-9_]*"
PORTS = {"CommandJobSchema": f"^{WORD}$", "SparkJobSchema": f"^{WORD}$", "SweepJobSchema": f"^{WORD}$",
         "PipelineCommandJobSchema": None, "PipelineSparkJobSchema": None, "ComponentSchema": rf"^{WORD}(\.{WORD})*$"}


# Fields for which the client's code accepts more, or less, than their class.
OVERRIDES = {
    # A component's version is converted to text before it is validated.
    "ComponentSchema.version": {},
    # Model checks its path when it is created, for a model without a name.
    "AnonymousModelSchema.path": scalar("string", path="any", unless="name"),
    # Of a job's environment, the client removes both before it validates; of a deployment's, only the name.
    "AnonymousEnvironmentSchema.name": {}, "AnonymousEnvironmentSchema.version": {"type": ["string", "integer", "number", "boolean", "null"]},
    # Deployments check their names when they are created.
    "EndpointSchema.name": scalar("string", "a name of 3 to 32 letters, digits and hyphens that begins with a letter", "^[a-zA-Z][-a-zA-Z0-9]{1,30}[a-zA-Z0-9]$"),
    "OnlineDeploymentSchema.name": scalar("string", "a name of 3 to 32 letters, digits and hyphens that begins with a letter", "^[a-zA-Z][-a-zA-Z0-9]{1,30}[a-zA-Z0-9]$"),
    # The reference says a number and one letter; the client passes anything on, and docker run rejects it.
    "JobResourceConfigurationSchema.shm_size": scalar("string", "a number and b, k, m or g, such as 2g", r"^[0-9]+[bkmgBKMG]$|" + BINDING),
    # Kubernetes gets these as they are; of memory, m is a thousandth of a byte.
    "ResourceSettingsSchema.cpu": scalar("string", "a number of processors such as 2, 0.5 or 500m", r"^\s*\+?([0-9]+\.?[0-9]*|\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][-+]?[0-9]+)?\s*$"),
    "ResourceSettingsSchema.memory": scalar("string", "a number of bytes such as 512Mi or 2Gi", r"^\s*\+?([0-9]+\.?[0-9]*|\.[0-9]+)([KMGTPE]i|[kMGTPE]|[eE]\+?[0-9]+)?\s*$"),
    "ResourceSettingsSchema.gpu": scalar("string", "a whole number of GPUs", r"^\s*\+?[0-9]+\s*$"),
    "MonitorDefinitionSchema.alert_notification": lambda g: g.union([
        scalar("string", "azmonitoring, or emails and a list on indented lines under it", enum=["azmonitoring"]), g.reference(AlertNotificationSchema(), RAISE)]),
    # A method of the class validates it.
    "ServerlessComputeSettingsSchema.custom_subnet": scalar(["string", "null"], "the whole id of a subnet, /subscriptions/…", ARM_ID + "|^None$"),
    # What the service, or the client when it creates the schedule, refuses.
    **{name + "ComputeSchema.resource_id": scalar("string", "the whole id of a resource, /subscriptions/…", f"^/{either('subscriptions')}/") for name in ("Kubernetes", "VirtualMachine", "SynapseSpark")},
    "ComputeInstanceSchema.idle_time_before_shutdown": scalar("string", "a duration such as PT30M, which is 30 minutes", "^P"),
    "MonitoringTargetSchema.endpoint_deployment_id": scalar("string", "azureml:ENDPOINT:DEPLOYMENT", f"^(?:azureml:[^:]+|{unlike('azureml')}):[^:]+$|/{either('deployments')}/"),
    # MaterializationStore parses it when it is created.
    "MaterializationStoreSchema.target": scalar("string", "the whole id of a resource, /subscriptions/…", "^/?subscriptions/[^/]+/(?:resourceGroups/[^/]+/)?providers/Microsoft.[^/]+/[^/]+/[^/]+"),
    # A job's service accepts no number of a node, although the documentation names some.
    "JobServiceBaseSchema.nodes": scalar("string", enum=["all"], exact=True),
    # DataColumn looks its type up by name.
    "DataColumnSchema.type": scalar("string", enum=[t.value for t in DataColumnType]),
    # The job becomes a node of a pipeline when it is validated.
    "SparkJobSchema.resources": lambda g: g.reference(SparkResourceConfigurationForNodeSchema(), RAISE),
    # The nodes check it when they are created; a component's takes no expression.
    "ParameterizedParallelSchema.mini_batch_size": scalar("string", "text such as \"10\" or 10kb", rf"^[0-9]+(?:[kKmMgG][bB])*$|{BINDING}"),
    "ParallelComponentSchema.mini_batch_size": scalar("string", "text such as \"10\" or 10kb", "^[0-9]+(?:[kKmMgG][bB])*$"),
    # Environment reads the file when it is created, and also accepts an inline conda environment: a mapping, not its text.
    "_BaseEnvironmentSchema.conda_file": {"type": ["object", "string"], "anyOf": [
        scalar("string", "a path, or a mapping without | in front of it", r"^[^\n]*$", path="file", file="conda"), {"type": ["object"], "x-amlfix": {"anyKeys": True}}]},
}


def main():
    if azure.ai.ml.__version__ != VERSION:
        raise SystemExit(f"azure-ai-ml is {azure.ai.ml.__version__}, not {VERSION}")
    g = Generator()
    import kinds

    roots = kinds.roots(g)
    definitions, parts = share(dict(sorted(g.definitions.items())))
    lines = [f'"version": "{VERSION}"', '"kinds": {\n' + ",\n".join(f'"{k}": {dump(v)}' for k, v in roots.items()) + "\n}",
             '"parts": {\n' + ",\n".join(f'"{n}": {dump(v)}' for n, v in enumerate(parts)) + "\n}",
             '"definitions": {\n' + ",\n".join(f'"{k}": {dump(v)}' for k, v in definitions.items()) + "\n}"]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    path = os.path.join(HERE, "schemas.json")
    if "--check" in sys.argv:
        if open(path, encoding="utf-8").read() != text:
            raise SystemExit("schemas.json is stale: run generate.py")
        return
    with open(path, "w", encoding="utf-8", newline="\n") as f:
        f.write(text)


def share(definitions):
    """Returns the definitions with {"$": N} for each part that occurs several times, and a list of these parts."""
    seen, numbers, parts = {}, {}, []

    def count(value):
        if isinstance(value, dict):
            text = dump(value)
            seen[text] = seen.get(text, 0) + 1
            if seen[text] > 1:
                return
        for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            count(one)

    def replace(value):
        if isinstance(value, list):
            return [replace(one) for one in value]
        if not isinstance(value, dict):
            return value
        text = dump(value)
        if text not in numbers:
            new = {key: replace(one) for key, one in value.items()}
            if seen[text] == 1 or len(text) < 40:
                return new
            parts.append(new)
            numbers[text] = len(parts) - 1
        return {"$": numbers[text]}

    for value in definitions.values():
        count(value)
    return {name: replace(value) for name, value in definitions.items()}, parts


def dump(value):
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


if __name__ == "__main__":
    sys.path.insert(0, HERE)
    main()
