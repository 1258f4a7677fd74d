#!/bin/sh
# Installs what the site asks beside Python, as root, on Debian or Ubuntu: the fonts of pictures, and
# where the database is a PostgreSQL, the client programs for `manage.py backup` and `restore`, of the
# server's version or newer.
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends postgresql-client \
	fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji
