# The image for checking and repairing: docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/src" ghcr.io/amlfix/amlfix
# The program is static and all there is; goreleaser puts it into the build's context, one for each platform.
FROM scratch
ARG TARGETPLATFORM
COPY ${TARGETPLATFORM}/amlfix /usr/local/bin/amlfix
ENV PATH=/usr/local/bin
USER 65532:65532
WORKDIR /src
ENTRYPOINT ["amlfix"]
