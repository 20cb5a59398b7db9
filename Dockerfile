# The image for checking and repairing: docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/src" ghcr.io/amlfix/amlfix
# It contains only the static program, which goreleaser copies to the build context for each platform. There is no git (for
# --since) and there are no certificates, because checking and repairing do not use the network.
FROM scratch
ARG TARGETPLATFORM
COPY ${TARGETPLATFORM}/amlfix /usr/local/bin/amlfix
# The user has no home folder here, so the journal of --apply has to be in a world-writable folder. It is lost with the
# container, so amlfix undo cannot revert what another container has done.
ENV PATH=/usr/local/bin XDG_CACHE_HOME=/dev/shm
USER 65532:65532
WORKDIR /src
ENTRYPOINT ["amlfix"]
