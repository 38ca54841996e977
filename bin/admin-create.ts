import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { makeAdministrator } from './administrator'
import { runCommand } from './operator'
import { StartFault } from './server/start-checks'

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
    // an unknown option: the usage lists the valid ones
  }
  throw new StartFault(usage)
}

async function readPassword(): Promise<string> {
  const password = (await text(process.stdin)).replace(/\r?\n$/, '')
  if ([...password].length < 12) throw new StartFault('the password needs 12 characters or more')
  return password
}

runCommand(wanted, async ({ login, email, fromStdin }) => {
  const password = fromStdin ? await readPassword() : undefined
  const made = await makeAdministrator({ login, email, password })
  console.log(`Administrator: ${made.login}`)
  if (!password) console.log(`Password:      ${made.password}   (shown once; to be changed at the first sign-in)`)
})
