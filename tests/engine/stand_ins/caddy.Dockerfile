# Stands in for caddy: its paths and command; nc, which the real one has from its BusyBox.
FROM stand-in-debian
RUN apt-get update -qq \
	&& DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
		caddy libcap2-bin netcat-openbsd \
	&& rm -r /var/lib/apt/lists \
	&& setcap cap_net_bind_service=+ep /usr/bin/caddy \
	&& mkdir -p /config/caddy /data/caddy
ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data
EXPOSE 80 443 443/udp 2019
WORKDIR /srv
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]
