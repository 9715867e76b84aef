# One image for every part of a house. By itself it opens a demo house with its own servers;
# compose.yaml runs the parts one by one, against real ones.
FROM python:3.11-slim-bookworm

RUN apt-get update \
    && apt-get install -y --no-install-recommends make \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 10001 croupier \
    && install -d -o croupier -g croupier /srv/croupier /srv/croupier/var

WORKDIR /srv/croupier
USER croupier

# Apart from the code, so that a change of code does not install everything anew.
COPY --chown=croupier:croupier Makefile ./
COPY --chown=croupier:croupier locked/requirements.txt locked/
RUN make image-deps

COPY --chown=croupier:croupier . .
RUN make collectstatic

ENV PATH=/srv/croupier/.venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    TZ=UTC
VOLUME /srv/croupier/var
EXPOSE 8000
# The supervisor passes the signal on in order and needs five seconds at most.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/ready')"]
CMD ["python", "-m", "casino.house"]
