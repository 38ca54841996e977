import { text } from 'node:stream/consumers'
import { StartFault } from '../start-fault'
import { type Noun, verb } from './noun'

const create = verb(
  'create',
  'Makes the temporary administrator; after a lock-out it gives the account back. Prints a new password once, unless it is given',
  (own) =>
    own
      .option('login', { type: 'string', demandOption: true })
      .option('email', { type: 'string', demandOption: true })
      .option('password-stdin', { type: 'boolean', describe: 'reads the password from the standard input' }),
  async ({ login, email, 'password-stdin': fromStdin }) => {
    const { runCommand } = await import('../operator')
    const { makeAdministrator } = await import('../administrator')
    const readPassword = async () => {
      const password = (await text(process.stdin)).replace(/\r?\n$/, '')
      if ([...password].length < 12) throw new StartFault('the password needs 12 characters or more')
      return password
    }
    await runCommand(async () => {
      const password = fromStdin ? await readPassword() : undefined
      const made = await makeAdministrator({ login, email, password })
      console.log(`Administrator: ${made.login}`)
      if (!password) console.log(`Password:      ${made.password}   (shown once; to be changed at the first sign-in)`)
    })
  },
)

export const admin: Noun = { describe: 'The temporary administrator', verbs: [create] }
