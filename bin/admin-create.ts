import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { closeDatabase } from '@/db/client'
import { closeCache } from '@/lib/kernel/cache'
import { env } from '@/lib/kernel/env'
import { AppError } from '@/lib/kernel/errors'
import { closeRedis, redisReady } from '@/lib/kernel/redis'
import { makeAdministrator } from './administrator'
import { failStart, StartFault } from './server/start-checks'

const usage = `npm run admin:create -- --login <login> --email <e-mail> [--password-stdin]

Makes the temporary administrator; run again after a lock-out, it gives the account back.
Without --password-stdin a password is made up, printed once and changed at the first sign-in.`

function wanted() {
  try {
    const { values } = parseArgs({
      options: { login: { type: 'string' }, email: { type: 'string' }, 'password-stdin': { type: 'boolean' } },
    })
    const { login, email } = values
    if (login && email) return { login, email, fromStdin: values['password-stdin'] === true }
  } catch {
    // an unknown option: the usage says which there are
  }
  throw new StartFault(usage)
}

async function readPassword(): Promise<string> {
  const password = (await text(process.stdin)).replace(/\r?\n$/, '')
  if ([...password].length < 12) throw new StartFault('the password needs 12 characters or more')
  return password
}

async function main() {
  const { login, email, fromStdin } = wanted()
  const password = fromStdin ? await readPassword() : undefined
  env()
  // ended sessions are forgotten at once where Redis answers, within a minute where it doesn't
  await redisReady(2_000).catch(() => {})
  try {
    const made = await makeAdministrator({ login, email, password })
    console.log(`Administrator: ${made.login}`)
    if (!password) console.log(`Password:      ${made.password}   (shown once; to be changed at the first sign-in)`)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const field = error.data.errorList?.[0]?.field ?? 'login'
    throw new StartFault(`the ${field} is not valid`)
  } finally {
    await closeCache()
    await Promise.all([closeDatabase(), closeRedis()])
  }
}

main().catch(failStart)
