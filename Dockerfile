# Each step of the image is a line of a script in deploy/, which runs without Docker too.
# The images that others make, each by its minor version: docs/running.md tells how to renew them.
ARG PYTHON=python:3.11-slim-trixie
ARG POSTGRES=postgres:17.6
ARG CADDY=caddy:2.10

FROM ${POSTGRES} AS database

FROM ${PYTHON} AS built
COPY . /source
RUN /source/deploy/build.sh /app

FROM ${PYTHON} AS site
RUN --mount=type=bind,source=deploy,target=/deploy /deploy/programs.sh && rm -r /var/lib/apt/lists
RUN install -d -o 10001 -g 10001 -m 700 /backups && install -d -o 10001 -g 10001 -m 700 /pictures
COPY --from=built /app /app
WORKDIR /app/site
USER 10001:10001
EXPOSE 8000
CMD ["/app/venv/bin/python", "manage.py", "serve", "--host", "0.0.0.0", "--port", "8000"]

# Caddy without root: its certificates are kept in a folder of its own.
FROM ${CADDY} AS proxy
RUN install -d -o 10001 -g 10001 /var/lib/caddy
ENV XDG_DATA_HOME=/var/lib/caddy XDG_CONFIG_HOME=/tmp
COPY deploy/Caddyfile /etc/caddy/Caddyfile
USER 10001:10001
