# The production image. It uses the image's Node: npm installs the one of launcher/ beside older versions only.
# All stages use one digest; the tag is for readers and update tools.
FROM node:24-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20 AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# Optional dependencies stay: they contain the binaries of argon2 and bcrypt.
# No scripts: the next stage builds the console and the bundle.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

# The console and the bundle are built with development dependencies. The image gets their files only.
FROM node:24-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20 AS built
WORKDIR /app
COPY package.json package-lock.json tsconfig.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY contract contract
COPY packages/client/src packages/client/src
COPY console console
COPY server server
COPY cli cli
COPY demo demo
COPY launcher launcher
RUN node console/build.mjs && node launcher/bundle.mjs

FROM node:24-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20
ENV NODE_ENV=production TENANTRY_ENVIRONMENT=production
# By default glibc gives each thread a heap that it rarely shrinks.
ENV MALLOC_ARENA_MAX=2
# The working directory is /, so the default database ./data/tenantry.db is on the volume. Not used with PostgreSQL.
RUN mkdir /data
RUN chown 1000:1000 /data
VOLUME /data
COPY package.json package-lock.json LICENSE /app/
COPY contract /app/contract
COPY server /app/server
COPY packages/client/src /app/packages/client/src
COPY cli /app/cli
COPY demo /app/demo
COPY --from=built /app/console/dist /app/console/dist
COPY --from=built /app/dist /app/dist
COPY --from=dependencies /app/node_modules /app/node_modules
USER 1000:1000
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 4000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node receives SIGTERM directly. Other commands replace CMD: app/cli/tenantry.ts migrate
# The flags are those of `npm start` (docs/decisions/0012-starting.md).
ENTRYPOINT ["node", "--max-semi-space-size=8", "--heap-growing-percent=40", "--no-parallel-scavenge", "--v8-pool-size=2"]
CMD ["app/server/start.js"]
