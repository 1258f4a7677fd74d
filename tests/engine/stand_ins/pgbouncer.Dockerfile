# A pooler between the site and its database, with Debian's package.
FROM stand-in-debian
RUN apt-get update -qq \
	&& DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends pgbouncer \
	&& rm -r /var/lib/apt/lists
CMD ["pgbouncer", "/etc/pooler/pgbouncer.ini"]
