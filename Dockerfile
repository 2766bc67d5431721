# syntax=docker/dockerfile:1
FROM python:3.13-slim-bookworm AS build
ENV UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy
RUN pip install --no-cache-dir uv==0.13.8
WORKDIR /srv/gorrion
COPY pyproject.toml uv.lock README.md LICENSE ./
RUN uv sync --frozen --no-dev --no-install-project
COPY engine engine
COPY app app
COPY migrations migrations
COPY templates templates
COPY static static
COPY docs/samples docs/samples
COPY alembic.ini ./
RUN uv sync --frozen --no-dev

FROM python:3.13-slim-bookworm
RUN useradd --system --create-home --uid 10001 gorrion \
    && mkdir -p /var/lib/gorrion && chown gorrion /var/lib/gorrion
WORKDIR /srv/gorrion
COPY --from=build /srv/gorrion /srv/gorrion
ENV PATH="/srv/gorrion/.venv/bin:$PATH" PYTHONUNBUFFERED=1 GORRION_DATA=/var/lib/gorrion NUMBA_CACHE_DIR=/var/lib/gorrion/compiled
USER gorrion
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health/live', timeout=2)"]
CMD ["gorrion", "serve", "--host", "0.0.0.0"]
