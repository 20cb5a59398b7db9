"""A script that takes and gives datasets by the run, logs to its parent and registers its model."""
import argparse
import os

import mlflow.pyfunc
from azureml.core import Run

parser = argparse.ArgumentParser()
parser.add_argument("--factor", type=float, default=2.0)


class Model(mlflow.pyfunc.PythonModel):
    def __init__(self, factor):
        self.factor = factor

    def predict(self, context, model_input: list[float], params=None) -> list[float]:
        return [self.factor * x for x in model_input]


def main(args):
    run = Run.get_context()
    folder = run.input_datasets["training data"]
    total = 0.0
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name)) as file:
            total += float(file.read())
    run.log("total", total)
    run.parent.log("files", len(os.listdir(folder)))
    for key, value in {"first": 0.5, "word": "text", "list": [1, 2]}.items():
        run.parent.log(key, value)
    run.parent.tag("child", run.id)
    with open(os.path.join(run.output_datasets["scores"], "total.txt"), "w") as file:
        file.write(str(args.factor * total))
    mlflow.pyfunc.log_model("model", python_model=Model(args.factor), pip_requirements=[])
    run.register_model(model_name="doubles", model_path="model", tags={"stage": "test"}, description="what it is")
    run.complete()


if __name__ == "__main__":
    main(parser.parse_args())
