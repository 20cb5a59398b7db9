"""A stand-in for a training script: needs nothing but Python."""
import os
import sys

epochs = int(os.environ.get("EPOCHS", "1"))
print("arguments:", sys.argv[1:])
loss = 1.0
for epoch in range(epochs):
    loss *= 0.5
    print("epoch %d loss %.3f" % (epoch + 1, loss), flush=True)

os.makedirs("outputs", exist_ok=True)
with open(os.path.join("outputs", "loss.txt"), "w") as f:
    f.write("%.3f\n" % loss)
