import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { demoAccounts, demoPassword } from '@/db/seed/demo/accounts'
import { type DemoApplications, startApplications } from './demo/applications'
import type { Embedded } from './embedded'
import { leanServer, leanWorker } from './lean'
import { isPortFree, nextFreePort } from './ports'
import type { Prepared } from './prepare'
import { withServices } from './with-services'

const defaultPort = 3000
const folder = '.data/demo'
/** What a command needs to run beside the demo. */
const environment = join(folder, 'environment')
const bold = (text: string) => (process.stdout.isTTY ? `\x1b[1m${text}\x1b[0m` : text)
const say = (text: string) => console.log(text)

async function choosePort(): Promise<number> {
  const given = process.env.PORT
  if (given) {
    if (await isPortFree(Number(given))) return Number(given)
    throw new Error(`port ${given} is in use: choose another with PORT=…`)
  }
  const port = await nextFreePort(defaultPort)
  if (port !== defaultPort) say(`Port ${defaultPort} is in use; this demo takes ${port}.`)
  return port
}

type Started = { embedded: Embedded; origins: DemoApplications['origins'] }

function summary(address: string, { hosts }: Prepared, { embedded, origins }: Started, seconds: string): string {
  const { port } = new URL(address)
  const others = hosts.map((host) => `http://${host}:${port}/platform/login`)
  const width = Math.max(...demoAccounts.map(({ login }) => login.length))
  return [
    '',
    bold(`The platform is running (ready in ${seconds} s)`),
    '',
    `  Sign in        ${address}/platform/login`,
    ...others.map((other) => `  Second domain  ${other}`),
    `  API            ${address}/api/v1/docs`,
    `  Applications   ${Object.values(origins).join(', ')}   (tiles of the portal lead there)`,
    `  Outbox         ${address}/platform/dev/outbox   (mails and SMS with their codes)`,
    '',
    bold(`  Accounts, all with the password ${demoPassword}`),
    ...demoAccounts.map(({ login, about }) => `  ${login.padEnd(width)}   ${about}`),
    '',
    ...embedded.notes.map((note) => `  Note: ${note}`),
    `  Commands run beside it: env $(cat ${environment}) npm run platform -- account create --email … --name …`,
    `  Data stays in ${folder}. Ctrl+C stops everything.`,
    '',
  ].join('\n')
}

const startedAt = Date.now()

void withServices(folder, 'A demo', async ({ embedded, crew, failed }) => {
  const port = await choosePort()
  const address = process.env.PUBLIC_URL || `http://localhost:${port}`
  embedded.say(address)
  const env = {
    ...embedded.env,
    NODE_ENV: 'production',
    PLATFORM_MODE: 'demo',
    PUBLIC_URL: address,
    PORT: String(port),
    // the passwords are printed below, so by default the demo listens on this machine only
    HOST: process.env.HOST || '127.0.0.1',
    PROCESSES: embedded.env.REDIS_URL === 'mock:' ? '1' : process.env.PROCESSES || '1',
    LOG_LEVEL: process.env.LOG_LEVEL || 'warn',
  }
  const build = ['--import', 'tsx', 'bin/build.ts', '--if-needed']
  await crew.run({ name: 'the build', args: build, env: { NODE_ENV: 'production' } })
  const { origins } = await startApplications(address)
  const seeding = { ...env, DEMO_APPLICATIONS: JSON.stringify(origins) }
  const load = { name: 'loading the demo data', args: ['dist/prepare.js'], env: seeding }
  const prepared = (await crew.run(load)) as Prepared
  // the server first: the worker asks the applications, and these ask the server
  await crew.keep({ name: 'the server', args: leanServer, env }, failed)
  await crew.keep({ name: 'the worker', args: leanWorker, env }, failed)
  const forCommands = { ...embedded.env, PLATFORM_MODE: 'demo', PUBLIC_URL: address }
  const lines = Object.entries(forCommands).map(([name, value]) => `${name}=${value}\n`)
  // it has the passwords of the stores; a mode acts only on a file that isn't there yet
  await rm(environment, { force: true })
  await writeFile(environment, lines.join(''), { mode: 0o600 })
  say(summary(address, prepared, { embedded, origins }, ((Date.now() - startedAt) / 1000).toFixed(1)))
})
