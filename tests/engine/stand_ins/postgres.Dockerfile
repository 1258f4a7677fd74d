# Stands in for postgres: its user, paths and entry point, with Debian's packages.
FROM stand-in-debian
RUN groupadd -r postgres --gid=999 \
	&& useradd -r -g postgres --uid=999 --home-dir=/var/lib/postgresql --shell=/bin/bash postgres \
	&& apt-get update -qq \
	&& DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends locales \
	&& echo "en_US.UTF-8 UTF-8" > /etc/locale.gen && locale-gen \
	&& mkdir -p /etc/postgresql-common \
	&& echo "create_main_cluster = false" > /etc/postgresql-common/createcluster.conf \
	&& DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql-17 \
	&& rm -r /var/lib/apt/lists \
	&& install -d -o postgres -g postgres -m 3777 /var/run/postgresql \
	&& install -d -o postgres -g postgres -m 1777 /var/lib/postgresql/data \
	&& sed -i "s/^#listen_addresses = .*/listen_addresses = '*'/" \
		/usr/share/postgresql/17/postgresql.conf.sample
COPY postgres.sh /usr/local/bin/docker-entrypoint.sh
ENV LANG=en_US.utf8 PGDATA=/var/lib/postgresql/data PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/lib/postgresql/17/bin
VOLUME /var/lib/postgresql/data
ENTRYPOINT ["docker-entrypoint.sh"]
STOPSIGNAL SIGINT
EXPOSE 5432
CMD ["postgres"]
