#!/bin/sh
# Runs a command of the site that deploy/coalition.service serves, as its user: deploy/manage.sh migrate
set -eu
cd /srv/coalition/site
set -a
. /etc/coalition.env
set +a
exec setpriv --reuid=coalition --regid=coalition --init-groups /srv/coalition/venv/bin/python manage.py "$@"
