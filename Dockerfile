# Recollect's server. `make image` builds the wheel and the list of dependencies that are copied here, and then this.
#
#   docker volume create recollect
#   docker run --rm -v recollect:/data recollect keys create --user ada --role writer
#   docker run -p 8377:8377 -v recollect:/data --read-only --tmpfs /tmp --cap-drop ALL recollect

FROM python:3.13-slim AS build
COPY dist/requirements-server.txt dist/recollect-*.whl /dist/
RUN python -m venv /opt/recollect \
    && /opt/recollect/bin/pip install --no-cache-dir --require-hashes --only-binary :all: -r /dist/requirements-server.txt \
    && /opt/recollect/bin/pip install --no-cache-dir --no-deps /dist/recollect-*.whl \
    && /opt/recollect/bin/python -m compileall -q /opt/recollect/lib \
    && /opt/recollect/bin/pip uninstall --yes --quiet pip

FROM python:3.13-slim
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin recollect && install -d -o recollect /data
COPY --from=build /opt/recollect /opt/recollect
ENV PATH=/opt/recollect/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    HOME=/tmp \
    RECOLLECT_DB=/data/memory.db \
    RECOLLECT_HOST=0.0.0.0 \
    RECOLLECT_PORT=8377
USER 10001
VOLUME /data
EXPOSE 8377
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"RECOLLECT_PORT\"]}/ready', timeout=4)"]
ENTRYPOINT ["recollect"]
CMD ["serve"]
