#!/bin/bash
# What the entry point of the image postgres documents, as far as this project asks for it: an empty
# PGDATA becomes a database of POSTGRES_USER, reached by password from everywhere. While it is made,
# a server answers by its socket only.
set -eu
chmod 00700 "$PGDATA" 2>/dev/null || true
if [ ! -s "$PGDATA/PG_VERSION" ]; then
	initdb --username="$POSTGRES_USER" --pwfile=<(printf '%s\n' "$POSTGRES_PASSWORD") >/dev/null
	printf '\nhost all all all scram-sha-256\n' >>"$PGDATA/pg_hba.conf"
	pg_ctl -D "$PGDATA" -o "-c listen_addresses=''" -w start
	psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --no-password --dbname postgres \
		--command "CREATE DATABASE \"${POSTGRES_DB:-$POSTGRES_USER}\""
	pg_ctl -D "$PGDATA" -m fast -w stop
fi
exec "$@"
