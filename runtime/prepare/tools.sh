# Prints which tools of the image can make an environment, as lines NAME=VALUE.
for conda in "$(command -v conda)" "$CONDA_EXE" /opt/conda/bin/conda /opt/miniconda*/bin/conda /opt/anaconda*/bin/conda \
  /usr/local/miniconda*/bin/conda /usr/local/anaconda*/bin/conda /anaconda*/bin/conda /root/miniconda*/bin/conda /home/*/miniconda*/bin/conda; do
  case $conda in
  /*) if [ -x "$conda" ]; then echo "conda=$conda"; break; fi ;;
  esac
done
for python in python3 python; do
  python=$(command -v "$python") || continue
  version=$("$python" -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])') || continue
  echo "version=$version"
  if "$python" -c 'import venv, ensurepip' 2>/dev/null; then echo "python=$python"; break; fi
done
