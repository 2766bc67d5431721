# syntax=docker/dockerfile:1
# Two images: `web` is the server, with the extra `valkey` only; `worker` plays for the computers.
# To build from an exact image, pass its digest: see "Docker" in docs/operations.md.
ARG PYTHON_IMAGE=python:3.13-slim-bookworm
FROM ${PYTHON_IMAGE} AS build-web
ENV UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy
RUN pip install --no-cache-dir uv==0.13.8
WORKDIR /srv/gorrion
COPY pyproject.toml uv.lock README.md LICENSE ./
RUN uv sync --frozen --no-dev --no-install-project --extra valkey
COPY engine engine
COPY app app
COPY migrations migrations
COPY templates templates
COPY translations translations
COPY static static
COPY docs/samples docs/samples
COPY alembic.ini ./
# The file system is read-only later: compiled files save half a second of each start.
RUN uv sync --frozen --no-dev --extra valkey && python -m compileall -q app engine migrations

FROM build-web AS build-worker
RUN uv sync --frozen --no-dev --extra valkey --extra computers

FROM ${PYTHON_IMAGE} AS base
RUN useradd --system --create-home --uid 10001 gorrion \
    && mkdir -p /var/lib/gorrion && chown gorrion /var/lib/gorrion
WORKDIR /srv/gorrion
ENV PATH="/srv/gorrion/.venv/bin:$PATH" PYTHONUNBUFFERED=1
# The user gorrion, by number: Kubernetes checks that it is not root.
USER 10001
STOPSIGNAL SIGTERM

FROM base AS worker
COPY --from=build-worker /srv/gorrion /srv/gorrion
ENV NUMBA_CACHE_DIR=/var/lib/gorrion/compiled
CMD ["gorrion", "worker"]

FROM base AS web
COPY --from=build-web /srv/gorrion /srv/gorrion
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
    CMD ["python", "-c", "from app.core.own_machine import ask; ask('http://127.0.0.1:8000/health/live', within=2)"]
CMD ["gorrion", "serve", "--host", "0.0.0.0", "--computers", "0"]
