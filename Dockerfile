# syntax=docker/dockerfile:1
FROM node:24-slim AS build
WORKDIR /app
ENV NEXT_TELEMETRY_DISABLED=1
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm install
COPY . .
RUN npm run build

FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# the image has Node, so the npm package that contains Node is left out
RUN --mount=type=cache,target=/root/.npm npm install --omit=dev && rm -rf node_modules/node node_modules/.bin/node

FROM node:24-slim
WORKDIR /app
# metrics are readable in the container network; by default the port isn't published
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 METRICS_HOST=0.0.0.0
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/package.json /app/next.config.ts /app/tsconfig.json ./
COPY --from=build /app/messages messages
COPY --from=build /app/db/migrations db/migrations
COPY --from=build /app/dist dist
COPY --from=build --chown=node:node /app/.next .next
USER node
EXPOSE 3000 9464
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/server.js"]
