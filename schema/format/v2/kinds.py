"""The kinds of files: which class of the client reads each, as its loaders choose it."""
from pathlib import Path

from azure.ai.ml import entities as E
from azure.ai.ml._schema import component as C
from azure.ai.ml._schema import job as J
from azure.ai.ml._schema._data_import.data_import import DataImportSchema
from azure.ai.ml._schema._data_import.schedule import ImportDataScheduleSchema
from azure.ai.ml._schema._datastore import AzureBlobSchema, AzureDataLakeGen1Schema, AzureDataLakeGen2Schema, AzureFileSchema
from azure.ai.ml._schema._datastore.one_lake import OneLakeSchema
from azure.ai.ml._schema._deployment.batch.batch_deployment import BatchDeploymentSchema
from azure.ai.ml._schema._deployment.batch.model_batch_deployment import ModelBatchDeploymentSchema
from azure.ai.ml._schema._deployment.batch.pipeline_component_batch_deployment_schema import PipelineComponentBatchDeploymentSchema
from azure.ai.ml._schema._deployment.online.online_deployment import KubernetesOnlineDeploymentSchema, ManagedOnlineDeploymentSchema
from azure.ai.ml._schema._deployment.template.deployment_template import DeploymentTemplateSchema
from azure.ai.ml._schema._distillation.distillation_job import DistillationJobSchema
from azure.ai.ml._schema._endpoint import BatchEndpointSchema, KubernetesOnlineEndpointSchema, ManagedOnlineEndpointSchema
from azure.ai.ml._schema._feature_set.feature_set_schema import FeatureSetSchema
from azure.ai.ml._schema._feature_store.feature_store_schema import FeatureStoreSchema
from azure.ai.ml._schema._feature_store_entity.feature_store_entity_schema import FeatureStoreEntitySchema
from azure.ai.ml._schema._finetuning.azure_openai_finetuning import AzureOpenAIFineTuningSchema
from azure.ai.ml._schema._finetuning.custom_model_finetuning import CustomModelFineTuningSchema
from azure.ai.ml._schema._sweep import SweepJobSchema
from azure.ai.ml._schema.assets.data import DataSchema
from azure.ai.ml._schema.assets.environment import EnvironmentSchema
from azure.ai.ml._schema.assets.index import IndexAssetSchema
from azure.ai.ml._schema.assets.model import ModelSchema
from azure.ai.ml._schema.automl.image_vertical.image_classification import ImageClassificationMultilabelSchema, ImageClassificationSchema
from azure.ai.ml._schema.automl.image_vertical.image_object_detection import ImageInstanceSegmentationSchema, ImageObjectDetectionSchema
from azure.ai.ml._schema.automl.nlp_vertical.text_classification import TextClassificationSchema
from azure.ai.ml._schema.automl.nlp_vertical.text_classification_multilabel import TextClassificationMultilabelSchema
from azure.ai.ml._schema.automl.nlp_vertical.text_ner import TextNerSchema
from azure.ai.ml._schema.automl.table_vertical.classification import AutoMLClassificationSchema
from azure.ai.ml._schema.automl.table_vertical.forecasting import AutoMLForecastingSchema
from azure.ai.ml._schema.automl.table_vertical.regression import AutoMLRegressionSchema
from azure.ai.ml._schema.component.automl_component import AutoMLComponentSchema
from azure.ai.ml._schema.compute.aml_compute import AmlComputeSchema
from azure.ai.ml._schema.compute.compute_instance import ComputeInstanceSchema
from azure.ai.ml._schema.compute.kubernetes_compute import KubernetesComputeSchema
from azure.ai.ml._schema.compute.synapsespark_compute import SynapseSparkComputeSchema
from azure.ai.ml._schema.compute.virtual_machine_compute import VirtualMachineComputeSchema
from azure.ai.ml._schema.job.data_transfer_job import DataTransferCopyJobSchema, DataTransferExportJobSchema, DataTransferImportJobSchema
from azure.ai.ml._schema.job.import_job import ImportJobSchema
from azure.ai.ml._schema.monitoring.schedule import MonitorScheduleSchema
from azure.ai.ml._schema.pipeline.pipeline_component import PipelineComponentSchema
from azure.ai.ml._schema.pipeline.pipeline_job import PipelineJobSchema
from azure.ai.ml._schema.registry.registry import RegistrySchema
from azure.ai.ml._schema.schedule.schedule import JobScheduleSchema
from azure.ai.ml._schema.workspace import WorkspaceSchema
from azure.ai.ml._schema.workspace.ai_workspaces.capability_host import CapabilityHostSchema
from azure.ai.ml._schema.workspace.ai_workspaces.hub import HubSchema
from azure.ai.ml._schema.workspace.ai_workspaces.project import ProjectSchema
from azure.ai.ml._schema.workspace.connections import workspace_connection as W
from azure.ai.ml.constants._common import ConnectionTypes
from azure.ai.ml._restclient.arm_ml_service.models import ConnectionCategory
from marshmallow import RAISE
from table import TABLE

# Jobs: what load_job accepts, by "type"; a job without one is a command job.
JOBS = {
    "command": (J.CommandJobSchema, "command job"), "spark": (J.SparkJobSchema, "Spark job"), "pipeline": (PipelineJobSchema, "pipeline job"),
    "sweep": (SweepJobSchema, "sweep job"), "import": (ImportJobSchema, "import job"), "distillation": (DistillationJobSchema, "distillation job"),
}
AUTOML = {
    "classification": AutoMLClassificationSchema, "regression": AutoMLRegressionSchema, "forecasting": AutoMLForecastingSchema,
    "image_classification": ImageClassificationSchema, "image_classification_multilabel": ImageClassificationMultilabelSchema,
    "image_object_detection": ImageObjectDetectionSchema, "image_instance_segmentation": ImageInstanceSegmentationSchema,
    "text_ner": TextNerSchema, "text_classification": TextClassificationSchema,
    "text_classification_multilabel": TextClassificationMultilabelSchema,
}
FINETUNING = {"custom": CustomModelFineTuningSchema, "azure_open_ai": AzureOpenAIFineTuningSchema}
# Jobs that run only in pipelines: load_job rejects them as separate files.
INNER = {
    "parallel": (J.ParallelJobSchema, "parallel job"),
    "data-transfer-copy": (DataTransferCopyJobSchema, "data transfer job that copies"),
    "data-transfer-import": (DataTransferImportJobSchema, "data transfer job that imports"),
    "data-transfer-export": (DataTransferExportJobSchema, "data transfer job that exports"),
}
COMPONENTS = {
    "command": (C.CommandComponentSchema, "command component"), "spark": (C.SparkComponentSchema, "Spark component"),
    "pipeline": (PipelineComponentSchema, "pipeline component"), "parallel": (C.ParallelComponentSchema, "parallel component"),
    "import": (C.ImportComponentSchema, "import component"),
}
TRANSFERS = {"copy_data": C.DataTransferCopyComponentSchema, "import_data": C.DataTransferImportComponentSchema,
             "export_data": C.DataTransferExportComponentSchema}
COMPUTES = {
    "amlcompute": (AmlComputeSchema, "cluster"), "computeinstance": (ComputeInstanceSchema, "compute instance"),
    "virtualmachine": (VirtualMachineComputeSchema, "attached machine"), "kubernetes": (KubernetesComputeSchema, "Kubernetes compute"),
    "synapsespark": (SynapseSparkComputeSchema, "Spark pool"),
}
DATASTORES = {
    "azure_blob": (AzureBlobSchema, "blob datastore"), "azure_file": (AzureFileSchema, "file share datastore"),
    "azure_data_lake_gen1": (AzureDataLakeGen1Schema, "Data Lake Gen1 datastore"),
    "azure_data_lake_gen2": (AzureDataLakeGen2Schema, "Data Lake Gen2 datastore"), "one_lake": (OneLakeSchema, "OneLake datastore"),
}
SINGLE = {
    "environment": (EnvironmentSchema, "environment"), "model": (ModelSchema, "model"), "index": (IndexAssetSchema, "index"),
    "batch-endpoint": (BatchEndpointSchema, "batch endpoint"), "batch-deployment": (BatchDeploymentSchema, "batch deployment"),
    "model-batch-deployment": (ModelBatchDeploymentSchema, "batch deployment of a model"),
    "pipeline-component-batch-deployment": (PipelineComponentBatchDeploymentSchema, "batch deployment of a pipeline component"),
    "deployment-template": (DeploymentTemplateSchema, "deployment template"),
    "registry": (RegistrySchema, "registry"), "feature-store": (FeatureStoreSchema, "feature store"),
    "feature-set": (FeatureSetSchema, "feature set"), "feature-store-entity": (FeatureStoreEntitySchema, "feature store entity"),
    "capability-host": (CapabilityHostSchema, "capability host"),
}


def roots(g):
    kinds = {}

    def ref(cls, unknown=RAISE):
        return {"$ref": "#/definitions/" + g.define(cls(context={"base_path": Path(".")}), unknown)}

    def named(schema, title):
        """sets the description of a mapping with a schema"""
        d = g.definitions[schema["$ref"].rsplit("/", 1)[1]]
        d["x-amlfix"] = dict(d.get("x-amlfix", {}), **{"is": title})
        return schema

    def kind(name, schema, title, about):
        named(schema, title)
        kinds["v2-" + name] = {"title": "Azure ML v2 " + title, "description": about, **({"allOf": [schema]} if "$ref" in schema else schema)}
        return schema

    def article(word):
        return ("an " if word[0] in "aeiou" else "a ") + word

    def file_of(word, command=""):
        return f"A YAML file of {article(word)}" + (f", as `{command}` takes it." if command else ".")

    def choice(name, key, cases, default, note=None):
        s = g.choice(key, cases)
        s["properties"][key] = g.described(s["properties"][key], name, key)
        if note and "open" in note:
            del s["properties"]
            s["allOf"].append({"if": {"not": {"properties": {key: {"enum": list(cases)}}, "required": [key]}}, "then": note.pop("open")})
            s["x-amlfix"] = {"by": key}
            return define(name, s)
        s["x-amlfix"] = {"by": key, "default": default, **(note or {})}
        if not default:
            s["required"] = [key]
        else:
            s["allOf"][list(cases).index(default)]["if"].pop("required")
        if (note or {}).get("exact"):
            s["properties"][key]["x-amlfix"] = {"exact": True}
        for one in cases.values():
            own = g.definitions[one["$ref"].rsplit("/", 1)[1]]["properties"]
            if (note or {}).get("exact") and key in own:
                own[key]["x-amlfix"] = dict(own[key].get("x-amlfix", {}), exact=True)
        return define(name, s)

    def define(name, s):
        assert name not in g.definitions, name
        g.definitions[name] = s
        return {"$ref": "#/definitions/" + name}

    ref(SweepJobSchema)  # first, because the schemas of pipelines add expressions to its search space, too
    jobs = {}
    for t, (cls, word) in JOBS.items():
        jobs[t] = kind(t, ref(cls), word, file_of(word, "az ml job create --file"))
    jobs["automl"] = kind("automl", choice("autoMLJob", "task", {t: named(ref(c), "AutoML job") for t, c in AUTOML.items()}, None, {"exact": True}), "AutoML job", file_of("AutoML job", "az ml job create --file"))
    jobs["finetuning"] = kind("finetuning", choice("fineTuningJob", "model_provider", {t: named(ref(c), "fine-tuning job") for t, c in FINETUNING.items()}, None, {"exact": True}), "fine-tuning job", file_of("fine-tuning job"))
    for t, (cls, word) in INNER.items():
        kind(t, ref(cls), word, f"{article(word).capitalize()}: a part of a pipeline, never a file of its own.")
    kind("job", choice("jobFile", "type", jobs, "command", {"exact": True}), "job", file_of("job", "az ml job create --file") + " The key type says which.")

    components = {}
    for t, (cls, word) in COMPONENTS.items():
        components[t] = kind(t + "-component", dropped(g, ref(cls)), word, file_of(word, "az ml component create --file"))
    transfer = choice("dataTransferComponent", "task", {t: dropped(g, ref(c)) for t, c in TRANSFERS.items()}, None, {"exact": True})
    components["data_transfer"] = kind("data-transfer-component", transfer, "data transfer component", file_of("data transfer component"))
    components["automl"] = named(dropped(g, ref(AutoMLComponentSchema)), "AutoML component")  # undocumented; Azure's own repository has some
    kind("component", optional(g, choice("componentFile", "type", components, "command"), "type"), "component", file_of("component", "az ml component create --file"))

    computes = {t: named(ref(cls), t + " compute") for t, (cls, _) in COMPUTES.items()}
    kind("compute", choice("computeFile", "type", computes, None), "compute", file_of("compute", "az ml compute create --file"))
    stores = {t: kind("datastore-" + t.replace("_", "-"), ref(cls), word, file_of(word)) for t, (cls, word) in DATASTORES.items()}
    kind("datastore", choice("datastoreFile", "type", stores, "azure_blob", {"exact": True}), "datastore", file_of("datastore", "az ml datastore create --file"))
    for t, (cls, word) in SINGLE.items():
        kind(t, ref(cls), word, file_of(word))
    kind("data", has(g, "dataFile", {"source": named(ref(DataImportSchema), "data import")}, named(ref(DataSchema), "data asset")), "data asset", file_of("data asset", "az ml data create --file"))
    kind("mltable", has(g, "mltableFile", {"query_source": {"type": ["object"]}}, named(define("mltable", TABLE), "table")), "table",
         "The file MLTable in the folder of a table.")
    schedules = named(ref(JobScheduleSchema), "schedule")
    for one in ("pipelineCreateJob", "commandCreateJob", "sparkCreateJob"):  # the client compares the type of create_job case-sensitively
        own = g.definitions[one]["properties"]
        own["type"] = dict(own["type"], **{"x-amlfix": dict(own["type"].get("x-amlfix", {}), exact=True)})
        own["job"] = dict(own["job"], **{"x-amlfix": dict(own["job"].get("x-amlfix", {}), missing="and a schedule cannot contain the job itself: write job: with the path of the job's file, or azureml:NAME")})
    kind("schedule", has(g, "scheduleFile", {"create_monitor": named(ref(MonitorScheduleSchema), "monitor schedule"), "import_data": named(ref(ImportDataScheduleSchema), "import schedule")},
                         schedules), "schedule", file_of("schedule", "az ml schedule create --file"))
    kind("online-endpoint", has(g, "onlineEndpointFile", {"compute": named(ref(KubernetesOnlineEndpointSchema), "Kubernetes online endpoint")},
                                named(ref(ManagedOnlineEndpointSchema), "managed online endpoint")),
         "online endpoint", file_of("online endpoint"))
    kind("online-deployment", choice("onlineDeploymentFile", "type", {"managed": named(ref(ManagedOnlineDeploymentSchema), "managed online deployment"),
                                     "kubernetes": named(ref(KubernetesOnlineDeploymentSchema), "Kubernetes online deployment")}, None,
                                     {"open": ref(ManagedOnlineDeploymentSchema)}), "online deployment", file_of("online deployment"))
    own = g.definitions["kubernetesOnlineDeployment"]["properties"]  # in another case, the client reads a managed deployment
    own["type"] = dict(own["type"], **{"x-amlfix": {"exact": True}})
    kind("workspace", choice("workspaceFile", "kind", {"default": named(ref(WorkspaceSchema), "workspace"),
                              "hub": named(ref(HubSchema), "hub"), "project": named(ref(ProjectSchema), "project")},
                             "default"), "workspace", file_of("workspace", "az ml workspace create --file"))
    kind("connection", choice("connectionFile", "type", connections(ref, named), None, {"open": ref(W.WorkspaceConnectionSchema)}), "connection",
         file_of("connection", "az ml connection create --file"))
    return kinds


def has(g, name, cases, default):
    """returns a schema that is selected by the key that is present"""
    allof = [{"if": {"required": [key]}, "then": s} for key, s in cases.items()]
    allof.append({"if": {"not": {"anyOf": [{"required": [key]} for key in cases]}}, "then": default})
    g.definitions[name] = {"type": ["object"], "allOf": allof, "x-amlfix": {"has": list(cases)}}
    return {"$ref": "#/definitions/" + name}


def optional(g, ref, key):
    """returns a schema in which null stands for an absent key"""
    s = g.definitions[ref["$ref"].rsplit("/", 1)[1]]
    for one in [s] + [g.definitions[c["then"]["$ref"].rsplit("/", 1)[1]] for c in s["allOf"]]:
        p = one["properties"].get(key)
        if p:
            one["properties"][key] = dict(p, type=p["type"] + ["null"], enum=p["enum"] + [None])
    return ref


def dropped(g, ref):
    """returns a schema that drops unknown keys: component files are loaded with them, and nothing reads them"""
    name = ref["$ref"].rsplit("/", 1)[1]
    s = g.definitions[name]
    s["x-amlfix"] = dict(s.get("x-amlfix", {}), unknown="dropped")
    return ref


def connections(ref, named):
    from azure.ai.ml._utils.utils import camel_to_snake

    names = [camel_to_snake(c.value) for c in ConnectionCategory] + [v for k, v in vars(ConnectionTypes).items() if k.isupper() and isinstance(v, str)]
    cases = {}
    for name in dict.fromkeys(names):
        cls = E.WorkspaceConnection._get_schema_class_from_type(name)
        if cls is not W.WorkspaceConnectionSchema:
            cases[name] = named(ref(cls), "connection")
    return cases
