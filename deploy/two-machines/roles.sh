# Gives the reader its password, makes the role that copies, and lets that in: docs/growing.md
password() { sed -n "s/^$1_PASSWORD=//p" .env; }
docker compose exec -T database psql -v ON_ERROR_STOP=1 -U coalition <<END
ALTER ROLE reader PASSWORD '$(password READER)';
CREATE ROLE copier LOGIN REPLICATION PASSWORD '$(password COPIER)';
END
docker compose exec -T database sh -c 'echo host replication copier all scram-sha-256 >> "$PGDATA/pg_hba.conf"'
docker compose exec -T database psql -U coalition -c "SELECT pg_reload_conf()"
