"""A script that registers the file to which joblib writes a model of scikit-learn."""
import os

import joblib
from azureml.core import Run
from sklearn.linear_model import LinearRegression

run = Run.get_context()
model = LinearRegression()
model.fit([[1.0], [2.0], [3.0]], [3.0, 5.0, 7.0])
run.log("slope", round(float(model.coef_[0]), 6))
os.makedirs("outputs", exist_ok=True)
joblib.dump(model, "outputs/model.pkl")
run.register_model(model_name="lines", model_path="outputs/model.pkl", description="what it is")
