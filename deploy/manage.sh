#!/bin/sh
# Runs a command of the site that deploy/coalition.service serves, as its user: deploy/manage.sh migrate
set -eu
cd /srv/coalition/site
set -a
. /etc/coalition.env
# The site's role can't change tables: what does that runs as the database's owner.
case "${1:-}" in
migrate | restore)
	if [ -e /etc/coalition-owner.env ]; then
		COALITION_SERVING_URL=$DATABASE_URL
		. /etc/coalition-owner.env
	fi
	;;
esac
set +a
exec setpriv --reuid=coalition --regid=coalition --init-groups /srv/coalition/venv/bin/python manage.py "$@"
