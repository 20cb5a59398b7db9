from azureml.core.run import Run as R


def main():
    context = R.get_context()
    values = [3, 1, 2]
    context.log("count", len(values)); context.log("largest", float(max(values)))
    try:
        context.log("mean", sum(values) / len(values))
    finally:
        context.flush()
    report(values)


def report(values):
    R.get_context().log("share", round(len(values) / 7, 3) if values else 0.0)
    R.get_context().log("text", 'a "quoted" word')


if __name__ == "__main__":
    main()
