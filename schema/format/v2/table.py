"""The file MLTable, which azure-ai-ml passes on. What mltable 1.7.0 and its engine, azureml-dataprep-rslex 2.26.0, both refuse
is wrong; their schema also refuses names in another case, options left out after the colon and longer delimiters, with which the
engine alone, as AutoML runs it, reads the table. Encodings that only the documentation knows are no fault."""

ENCODINGS = ["utf8", "utf-8", "utf8bom", "utf8 bom", "utf-8 bom", "iso88591", "iso-8859-1", "latin1", "latin-1", "ascii",
             "utf16", "utf-16", "utf32", "windows1252", "windows-1252"]
HEADERS = ["no_header", "from_first_file", "all_files_different_headers", "all_files_same_headers"]
BARE = ["read_delimited", "read_parquet", "read_json_lines", "read_delta_lake"]


def one(kind, **more):
    return {"type": [kind], **more}


def names(*values):
    return one("string", enum=list(values), **{"x-amlfix": {"exact": True}})


def keys(required=(), **properties):
    return one("object", properties=properties, additionalProperties=False, **({"required": list(required)} if required else {}))


def checked(name, schema):
    return dict(schema, **{"x-amlfix": {"check": name}})


def either(*schemas):
    types = [t for s in schemas for t in s["type"]]
    return {"type": types, "anyOf": list(schemas)}


def options(**properties):
    return dict(keys(**properties), type=["null", "object"])


TEXT, FLAG, WHOLE = one("string"), one("boolean"), one("integer")
SELECTED = {"type": ["string", "array", "object"], "items": TEXT, "required": ["pattern"],
            "properties": {"pattern": dict(TEXT, **{"x-amlfix": {"missing": "so no column is selected: write it, or a list of names instead"}})}}
TYPES = ["boolean", "float", "string", "int", "stream_info"]
PARSED = keys(datetime=keys(["formats"], formats={}, date_constant={}), boolean=one("object"), stream_info=one("object"))
CONVERTED = one("array", items=keys(["columns", "column_type"], columns=SELECTED, column_type=either(names(*TYPES), PARSED)))
FILES = {"include_path_column": FLAG, "path_column": TEXT}
ENCODING = one("string", enum=ENCODINGS)

STEPS = {
    "read_delimited": options(delimiter=TEXT, header=names(*HEADERS), support_multi_line=FLAG, empty_as_string=FLAG, encoding=ENCODING,
                              infer_column_types={"type": ["boolean", "object"]}, partition_size=WHOLE, **FILES),
    "read_parquet": options(**FILES),
    "read_json_lines": options(invalid_lines=names("error", "drop"), encoding=ENCODING, partition_size=WHOLE, **FILES),
    "read_delta_lake": options(version_as_of=WHOLE, timestamp_as_of=TEXT, include_path_column=FLAG),
    "extract_columns_from_partition_format": keys(["partition_format"], partition_format=TEXT),
    "select_partitions": one("array"),
    "sample": {},
    "filter": TEXT,
    "take": WHOLE,
    "take_random_sample": checked("sample", keys(["probability", "seed"], probability={"type": ["integer", "number"], "title": "a number"}, seed=WHOLE)),
    "skip": WHOLE,
    "drop_columns": SELECTED,
    "keep_columns": SELECTED,
    "rename_columns": {},
    "convert_column_types": CONVERTED,
}

TABLE = keys(
    ["paths"], type=one("string", enum=["mltable"]), metadata={}, traits={}, paths=one("array", items=checked("one", keys(file=TEXT, folder=TEXT, pattern=TEXT))),
    transformations={"type": ["array", "null"], "items": either(names(*BARE), checked("one", keys(**STEPS)))}, **{"$schema": TEXT})
