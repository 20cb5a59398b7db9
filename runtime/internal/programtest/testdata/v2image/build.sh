# makes image.tar, the file system of an image, of Debian packages and wheels, without a registry
set -e
python=$(apt-cache depends python3-minimal | sed -n 's/.*Depends: \(python3\.[0-9]*\)-minimal.*/\1/p')
mkdir debs root
(cd debs && apt-get download -qq -o APT::Sandbox::User=root libc6 libcrypt1 zlib1g libexpat1 libbz2-1.0 liblzma5 libffi8 libssl3 $python-minimal lib$python-minimal lib$python-stdlib \
  $python-venv python3-distutils python3-pip-whl python3-setuptools-whl libsqlite3-0 libuuid1 libstdc++6 libgcc-s1 libgomp1 libreadline8 libncursesw6 libncurses6 \
  bash coreutils grep sed findutils libtinfo6 libselinux1 libpcre2-8-0 libacl1 libattr1 libgmp10)
for d in debs/*.deb; do dpkg -x "$d" root; done
for f in bin lib lib64; do [ -e root/$f ] || ln -s usr/$f root/$f; done
ln -sf $python root/usr/bin/python
ln -sf $python root/usr/bin/python3
ln -sf bash root/bin/sh
mkdir -p root/tmp root/etc root/root
rm -f root/usr/lib/$python/EXTERNALLY-MANAGED # jobs of Azure ML install with pip
chmod 1777 root/tmp
mv root/usr/share/python-wheels . && rm -rf root/usr/share && mkdir root/usr/share && mv python-wheels root/usr/share/
python3 -m venv tool
tool/bin/pip install --quiet --disable-pip-version-check --no-cache-dir --only-binary :all: --no-compile --python-version "${python#python}" \
  --target root/usr/local/lib/$python/dist-packages -r requirements.txt
for m in pip papermill; do
  printf '#!/bin/sh\nexec python3 -m %s "$@"\n' $m > root/usr/bin/$m
  chmod 755 root/usr/bin/$m
done
tar -C root -cf image.tar .
rm -rf debs root tool
