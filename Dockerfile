# The image for checking and repairing: docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/src" ghcr.io/amlfix/amlfix
# The program is static and all there is; goreleaser puts it into the build's context, one for each platform. There is no
# git (for --since) and there are no certificates: checking and repairing asks nobody in the network.
FROM scratch
ARG TARGETPLATFORM
COPY ${TARGETPLATFORM}/amlfix /usr/local/bin/amlfix
# Whoever runs it has no home here. The journal of --apply has to be somewhere that everybody may write to; what it holds is lost
# with the container, so amlfix undo cannot take back what another one has done.
ENV PATH=/usr/local/bin XDG_CACHE_HOME=/dev/shm
USER 65532:65532
WORKDIR /src
ENTRYPOINT ["amlfix"]
