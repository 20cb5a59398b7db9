"""conda.py RECIPE ARCHIVE OUT: builds a recipe with rattler-build, from the source archive of the
release on this machine. conda-forge cannot be reached: Go is the machine's, and its compiler
package and go-licenses are stand-ins in a channel of their own. Renders it for all platforms first."""

import pathlib
import re
import sys

import rattler_build as rattler

recipe, archive, out = (pathlib.Path(a).resolve() for a in sys.argv[1:])
for platform in ["linux-64", "linux-aarch64", "osx-64", "osx-arm64", "win-64"]:
    config = rattler.RenderConfig(platform=rattler.PlatformConfig(target_platform=platform, build_platform=platform, host_platform=platform))
    for variant in rattler.Stage0Recipe.from_yaml(recipe.read_text()).render(rattler.VariantConfig(), config):
        print(platform, variant.recipe.package.name, variant.recipe.package.version, variant.recipe.requirements.build)

work = out / "work"
stand_in = """
package: {name: %s, version: "1"}
build:
  number: 0
  script:
    - mkdir -p $PREFIX/bin
    - printf '#!/bin/sh\\nmkdir -p library_licenses && cp LICENSE library_licenses/\\n' >$PREFIX/bin/%s
    - chmod +x $PREFIX/bin/%s
"""
for name in ["go-nocgo_linux-64", "go-licenses"]:
    folder = work / name
    folder.mkdir(parents=True)
    (folder / "recipe.yaml").write_text(stand_in % (name, name, name))
(work / "amlfix").mkdir()
text = re.sub(r"url: \S+", "url: file://" + str(archive), recipe.read_text())
(work / "amlfix" / "recipe.yaml").write_text(text)
channel = out / "channel"
for name in ["go-nocgo_linux-64", "go-licenses", "amlfix"]:
    rattler.cli_api.build_recipes([work / name / "recipe.yaml"], output_dir=channel, channel=["file://" + str(channel)], use_sharded=False)
