import { existsSync } from 'node:fs'
import { chromium, defineConfig } from '@playwright/test'
import { installedChromium } from '../setup/machine'
import { takeStack } from './stack-env'

takeStack()

// left out of `npm test`; `npm run test:changed` runs all of the chosen files, except the sweep's further states
const leftOut = (scope: string) => (process.env.TEST_SCOPE === scope ? { grepInvert: /@full/ } : {})

const executablePath = installedChromium()
/** Without a browser the tests of the server still run; bin/test.ts prints what is left out. */
const hasBrowser = executablePath !== undefined || existsSync(chromium.executablePath())

export default defineConfig({
  testDir: '.',
  outputDir: '../../.data/test-results/e2e',
  globalSetup: './global-setup.ts',
  workers: 2,
  timeout: 60_000,
  // a test that somebody looked at alone must not leave out all others
  forbidOnly: Boolean(process.env.TEST_QUEUE || process.env.CI),
  // a machine that is busy needs longer than Playwright's five seconds
  expect: { timeout: 15_000 },
  ...leftOut('main'),
  reporter: process.env.TEST_QUEUE ? [['./run-reporter.ts']] : [['list']],
  use: {
    locale: 'ru-RU',
    timezoneId: 'Europe/Moscow',
    // it stores the page for times without a network: only the tests of such times need it
    serviceWorkers: 'block',
    // what moves costs time; a test of motion asks for it
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  // in this order, which a full run shuffles: what the platform shares is changed once no other test of the process needs it
  projects: [
    { name: 'server', testMatch: '*.server.spec.ts' },
    ...(hasBrowser
      ? [
          {
            name: 'browser',
            testMatch: '*.spec.ts',
            testIgnore: ['*.server.spec.ts', '*.global.spec.ts', 'sweep.spec.ts'],
          },
          { name: 'sweep', testMatch: 'sweep.spec.ts', ...leftOut('changed') },
          { name: 'global', testMatch: '*.global.spec.ts' },
        ]
      : []),
  ],
})
