# The service in a slim image: the first stage builds and compiles, the second gets only the virtual environment.
FROM python:3.12-slim AS build
WORKDIR /src
COPY requirements requirements
RUN python -m venv /opt/mqconvert
RUN /opt/mqconvert/bin/pip install --no-cache-dir --require-hashes -r requirements/serve.lock
RUN apt-get update -q && apt-get install -qy --no-install-recommends gcc libc6-dev
RUN python -m venv /opt/build
RUN /opt/build/bin/pip install --no-cache-dir --require-hashes -r requirements/build.lock
COPY . .
RUN PYTHONPATH=. /opt/build/bin/python scripts/speed/build.py
RUN /opt/build/bin/python scripts/speed/wheels.py
RUN /opt/mqconvert/bin/pip install --no-cache-dir --no-deps dist/*.whl

FROM python:3.12-slim
RUN useradd --system --no-create-home mqconvert
COPY --from=build /opt/mqconvert /opt/mqconvert
USER mqconvert
EXPOSE 8000
HEALTHCHECK CMD ["/opt/mqconvert/bin/python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz')"]
CMD ["/opt/mqconvert/bin/mqconvert", "serve", "--host", "0.0.0.0", "--port", "8000"]
