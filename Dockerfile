FROM python:3.13.9-slim-trixie AS build

ENV PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_NO_INPUT=1 \
    PIP_ROOT_USER_ACTION=ignore

WORKDIR /src

# The build tools have an environment of their own, so that the one that is shipped holds what runs and nothing else.
COPY requirements/build.txt requirements/runtime.txt requirements/
RUN python -m venv /opt/build \
 && /opt/build/bin/python -m pip install --require-hashes -r requirements/build.txt \
 && python -m venv --without-pip /opt/venv \
 && /opt/build/bin/python -m pip --python /opt/venv/bin/python install \
    --only-binary :all: --require-hashes -r requirements/runtime.txt

COPY pyproject.toml LICENSE ./
COPY clients/python clients/python
COPY service service
RUN /opt/build/bin/python -m pip wheel --no-deps --no-build-isolation --wheel-dir /wheels clients/python . \
 && /opt/build/bin/python -m pip --python /opt/venv/bin/python install --no-deps --no-index /wheels/*.whl


FROM python:3.13.9-slim-trixie

LABEL org.opencontainers.image.title="burraco" \
      org.opencontainers.image.description="A stateless gRPC service that knows the rules of Burraco and its relatives" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="Apache-2.0"

# Nothing is ever installed in this image, so the base's installer goes.
RUN rm -rf /usr/local/bin/pip* /usr/local/lib/python3.*/ensurepip /usr/local/lib/python3.*/site-packages/pip*

COPY --from=build /opt/venv /opt/venv

# PYTHONSAFEPATH: code comes from the environment alone, never from the working directory.
ENV PATH=/opt/venv/bin:$PATH \
    BURRACO_HOST=0.0.0.0 \
    LANG=C.UTF-8 \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONFAULTHANDLER=1 \
    PYTHONSAFEPATH=1 \
    PYTHONUNBUFFERED=1

USER 10001:10001
EXPOSE 50051
ENTRYPOINT ["/opt/venv/bin/python", "-m", "service"]
