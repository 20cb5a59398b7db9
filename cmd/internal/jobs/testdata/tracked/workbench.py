# A script of Workbench: a regression by hand, logged as it goes.
import sys

from azureml.logging import get_azureml_logger

# the logger
run_logger = get_azureml_logger()
run_logger.log("sample.regression", "true")

reg = 0.01
if len(sys.argv) > 1:
    reg = float(sys.argv[1])
run_logger.log("Regularization Rate", reg)

xs, ys = [1.0, 2.0, 3.0, 4.0], [2.1, 3.9, 6.2, 7.8]
slope = 0.0
for epoch in range(5):
    gradient = sum([2 * (slope * x - y) * x for x, y in zip(xs, ys)]) / len(xs)
    slope = slope - reg * gradient
    run_logger.log("slope", float(slope))

run_logger.log("rates", [0.1, 0.01])
