#!/bin/sh
# Installs what `manage.py backup` and `restore` ask beside Python where the database is a
# PostgreSQL: its client programs, of the server's version or newer. As root, on Debian or Ubuntu.
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends postgresql-client
