#!/bin/sh
# Runs a command of the site that deploy/coalition.service serves, as its user: deploy/manage.sh migrate
set -eu
cd /srv/coalition/site

# Reads a file as systemd does, for which spaces, $ and & are part of a value.
read_settings() {
	while read -r line || [ -n "$line" ]; do
		case $line in [A-Z]*=*) ;; *) continue ;; esac
		value=${line#*=}
		case $value in
		\'*\') value=${value#?}; value=${value%?} ;;
		*\\*)
			echo "$1: ${line%%=*} has a backslash: put its value into single quotes" >&2
			exit 1
			;;
		\"*\") value=${value#?}; value=${value%?} ;;
		esac
		export "${line%%=*}=$value"
	done <"$1"
}

read_settings /etc/coalition.env
# The site's role can't change tables, delete from the record or create a database: what does that
# runs as the owner.
case "${1:-} ${2:-}" in
"migrate "* | "restore "* | "remove_trials "* | "backup --verify")
	if [ -e /etc/coalition-owner.env ]; then
		export COALITION_SERVING_URL="$DATABASE_URL"
		read_settings /etc/coalition-owner.env
	fi
	;;
esac
exec setpriv --reuid=coalition --regid=coalition --init-groups /srv/coalition/venv/bin/python manage.py "$@"
