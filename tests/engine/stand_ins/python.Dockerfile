# Stands in for python:slim: Debian's Python under the names that the real one has.
FROM stand-in-debian
RUN apt-get update -qq \
	&& DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
		python3 python3-pip python3-venv \
	&& rm -r /var/lib/apt/lists \
	&& ln -s /usr/bin/python3 /usr/local/bin/python3 \
	&& ln -s /usr/bin/python3 /usr/local/bin/python
CMD ["python3"]
