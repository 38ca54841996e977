import { demoPassword } from '@/db/seed/demo/accounts'
import { startApplications } from './demo/applications'
import { nextFreePort } from './ports'
import { withServices } from './with-services'

const tsx = ['--import', 'tsx']

void withServices('.data/dev', 'A development server', async ({ embedded, crew, failed }) => {
  const port = process.env.PORT ? Number(process.env.PORT) : await nextFreePort(3000)
  const address = process.env.PUBLIC_URL || `http://localhost:${port}`
  embedded.say(address)
  const env = {
    ...embedded.env,
    NODE_ENV: 'development',
    NEXT_TELEMETRY_DISABLED: '1',
    PLATFORM_MODE: 'development',
    PUBLIC_URL: address,
    PORT: String(port),
    HOST: process.env.HOST || '127.0.0.1',
    PROCESSES: '1',
  }
  for (const note of embedded.notes) console.log(note)
  await crew.run({ name: 'the indexes of the slices', args: [...tsx, 'bin/generate.ts'], env })
  const { origins } = await startApplications(address)
  const seeding = { ...env, DEMO_APPLICATIONS: JSON.stringify(origins) }
  await crew.run({ name: 'loading the demo data', args: [...tsx, 'bin/prepare.ts'], env: seeding })
  // the server first: the worker asks the applications, and these ask the server
  await crew.keep({ name: 'the server', args: [...tsx, 'bin/server.ts'], env }, failed)
  // Next reloads its own pages; the worker is restarted when one of its files changes
  await crew.keep(
    { name: 'the worker', args: ['--watch', '--watch-preserve-output', ...tsx, 'bin/worker.ts'], env },
    failed,
  )
  const others = 'the other accounts are in db/seed/demo/accounts.ts'
  console.log(`\n  ${address}/platform/login   (admin, ${demoPassword}; ${others})`)
  console.log(`  ${address}/platform/dev/outbox   (mails and SMS)\n`)
})
