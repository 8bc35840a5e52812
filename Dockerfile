# RigorBench for scoring logs that are mounted into a container (docs/releasing.md):
#   docker build -t rigorbench .
#   docker run --rm --network none -v "$HOME/.claude/projects:/logs:ro" rigorbench score /logs
FROM python:3.11-slim-bookworm AS build
WORKDIR /src
COPY requirements/base.txt requirements/base.txt
RUN pip install --no-cache-dir --no-deps --require-hashes -r requirements/base.txt
COPY . .
RUN python -m hatchling build -t wheel -d /dist

FROM python:3.11-slim-bookworm
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap git \
  && rm -rf /var/lib/apt/lists/*
COPY requirements/base.txt /tmp/base.txt
RUN pip install --no-cache-dir --no-deps --require-hashes -r /tmp/base.txt
COPY --from=build /dist /tmp/dist
RUN pip install --no-cache-dir --no-index --no-deps /tmp/dist/*.whl \
  && useradd --create-home rigor
USER rigor
WORKDIR /logs
ENTRYPOINT ["rigor"]
CMD ["--help"]
