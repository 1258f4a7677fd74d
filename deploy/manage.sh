#!/bin/sh
# Runs a command of the site that deploy/coalition.service serves, as its user: deploy/manage.sh migrate
set -eu
cd /srv/coalition/site
set -a
. /etc/coalition.env
# The site's role can't change tables, delete from the record or create a database: what does that
# runs as the owner.
case "${1:-} ${2:-}" in
"migrate "* | "restore "* | "remove_trials "* | "backup --verify")
	if [ -e /etc/coalition-owner.env ]; then
		COALITION_SERVING_URL=$DATABASE_URL
		. /etc/coalition-owner.env
	fi
	;;
esac
set +a
exec setpriv --reuid=coalition --regid=coalition --init-groups /srv/coalition/venv/bin/python manage.py "$@"
