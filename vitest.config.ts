import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tests/setup/longest-first.ts'

export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '') } },
  test: {
    pool: 'forks',
    maxWorkers: 3,
    // a process for all its files, which loads each package once; the setup file renews our own modules
    isolate: false,
    setupFiles: ['tests/setup/fresh.ts'],
    sequence: { sequencer: LongestFirst },
    // a test that somebody looked at alone must not leave out all others
    allowOnly: !process.env.TEST_QUEUE && !process.env.CI,
    // `npm test` leaves out tests with this tag
    tags: [{ name: 'full' }],
    // a machine that is busy needs longer than vitest's second
    expect: { poll: { timeout: 15_000 } },
    // Each file evaluates these anew, which would be hundreds of files: bundled, they come in a tenth of
    // the time. Every part of drizzle-orm that we import is named, so that all share its classes; pg stays apart, since
    // drizzle-orm and we must have the same one.
    deps: {
      optimizer: {
        ssr: {
          enabled: true,
          include: [
            'drizzle-orm',
            ...['errors', 'migrator', 'node-postgres', 'pg-core'].map((part) => `drizzle-orm/${part}`),
            'zod',
          ],
          exclude: ['pg'],
        },
      },
    },
    // a whole environment, so that nothing comes from the developer's own; integration tests fill in the services
    env: {
      PLATFORM_MODE: 'test',
      LOG_LEVEL: 'silent',
      PUBLIC_URL: 'http://localhost:3000',
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      REDIS_URL: 'mock:',
      SECRET_KEYS: 'kT9vQ2xL7mN4pR8sW1yZ5aB3cD6eF0gH2jK4lM7nP9qS',
      // commands that tests start needn't compile what one before them has compiled
      NODE_COMPILE_CACHE: fileURLToPath(new URL('.data/compile-cache', import.meta.url)),
    },
    projects: [
      { extends: true, test: { name: 'unit', include: ['tests/unit/**/*.test.{ts,tsx}'], testTimeout: 60_000 } },
      // what documents, tables and texts say; `npm run check:docs`
      { extends: true, test: { name: 'docs', include: ['tests/docs/**/*.test.ts'], testTimeout: 60_000 } },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['tests/integration/**/*.test.ts'],
          globalSetup: ['tests/setup/global.ts'],
          // a machine that is busy takes several times as long as a quiet one
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'foreign',
          include: ['tests/foreign/*.test.ts'],
          globalSetup: ['tests/setup/global.ts'],
          // a program of another language may be compiled first
          testTimeout: 300_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
