import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { chromium, defineConfig } from '@playwright/test'
import { inCi, installedChromium } from '../setup/machine'
import { takeStack } from './stack-env'

takeStack()

const executablePath = installedChromium()
/** Without a browser the tests of the server still run; bin/test.ts prints what is left out. */
const hasBrowser = executablePath !== undefined || existsSync(chromium.executablePath())

export default defineConfig({
  testDir: '.',
  outputDir: '../../.data/test-results/e2e',
  globalSetup: './global-setup.ts',
  workers: 2,
  timeout: 60_000,
  // a machine that is busy needs longer than Playwright's five seconds
  expect: { timeout: 15_000 },
  // the run names each test that needed its second try
  retries: inCi ? 1 : 0,
  reporter: [
    ['list'],
    ['./slowest-reporter.ts'],
    ['json', { outputFile: resolve(process.env.E2E_REPORT ?? '.data/test-results/e2e.json') }],
  ],
  use: {
    locale: 'ru-RU',
    timezoneId: 'Europe/Moscow',
    // it stores the page for times without a network: only the tests of such times need it
    serviceWorkers: 'block',
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
  projects: [
    // tests that stop and start servers run first, apart from those that need a browser
    { name: 'server', testMatch: '*.server.spec.ts' },
    ...(hasBrowser
      ? [{ name: 'browser', testMatch: '*.spec.ts', testIgnore: '*.server.spec.ts', dependencies: ['server'] }]
      : []),
  ],
})
