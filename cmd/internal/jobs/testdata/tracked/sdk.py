"""A script of SDK v1: arguments, a callback, tables and files."""
import argparse
import os

from azureml.core import Run

parser = argparse.ArgumentParser()
parser.add_argument("--alpha", type=float, default=0.5)
parser.add_argument("--steps", type=int, default=3)
args = parser.parse_args()

run = Run.get_context(allow_offline=True)
run.tag("stage", "training")
run.log("alpha", args.alpha)
run.log(name="steps", value=args.steps, description="how many")


class Callback:
    def __init__(self, context):
        self.context = context
        self.run = Run.get_context()

    def on_end(self, step):
        loss = float(1.0 / (step + 1))
        self.run.log("loss", loss)  # each step


callback = Callback({})
for step in range(args.steps):
    callback.on_end(step)
    run.log('square', step * step,
            # the comment stays
            )

run.log_row("sizes", train=80, test=20)
run.log_list("thresholds", [0.25, 0.5, 0.75])
run.log_table("scores", {"name": ["a", "b"], "score": [1, 2]})
run.log_confusion_matrix("confusion", {"schema_type": "confusion_matrix", "data": {"matrix": [[1, 0], [0, 1]]}})

model_name = "model.txt"
with open(model_name, "w") as file:
    file.write("weights")
run.upload_file(name="outputs/" + model_name, path_or_stream=model_name)
os.makedirs("figures", exist_ok=True)
with open("figures/curve.txt", "w") as file:
    file.write("curve")
run.upload_folder("pictures", "figures")
if args.steps > 100: run.complete()
run.complete()
