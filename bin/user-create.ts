import { parseArgs } from 'node:util'
import { NewUserInput } from '@/lib/account-administration/accounts/contract'
import { createUser } from '@/lib/account-administration/accounts/service'
import { parseOrThrow } from '@/lib/base/http/read'
import { runCommand, shellContext } from './operator'
import { StartFault } from './server/start-checks'

const usage = `npm run user:create -- --email <e-mail> [--login <login>] --name <full name> [--mobile <number>]
                      [--field <code>=<value>]… [--no-link]

Creates an account with the role of new users, as an administrator does, and mails the person a link that sets the first
password. --name may be left out where the platform asks nobody for a name. Without --login the e-mail is the login; with
--login and --no-link the e-mail may be left out. --field sets any other field that the administration edits. Give further
roles by npm run role:grant.`

function wanted() {
  try {
    const text = { type: 'string' } as const
    const { values } = parseArgs({
      options: {
        ...{ email: text, login: text, name: text, mobile: text },
        field: { type: 'string', multiple: true },
        'no-link': { type: 'boolean' },
      },
    })
    const { email, login, name, mobile, field = [] } = values
    const sendLink = values['no-link'] !== true
    const fields = field.map((each) => /^([^=]+)=(.*)$/s.exec(each)?.slice(1) ?? [])
    if ((email || (login && !sendLink)) && fields.every(([code]) => code)) {
      const known = Object.entries({ email, login, fio: name, mobile }).filter(([, value]) => value !== undefined)
      return { values: { ...Object.fromEntries(fields), ...Object.fromEntries(known) }, sendLink }
    }
  } catch {
    // an unknown option: the usage lists the valid ones
  }
  throw new StartFault(usage)
}

/** The options of the fields that have one; any other is given as `--field <code>=…`. */
const options: Record<string, string> = { fio: '--name', email: '--email', login: '--login', mobile: '--mobile' }
const optionOf = (field: string) => {
  const [, code] = /^values\.(.+)$/.exec(field) ?? []
  return code ? (options[code] ?? `--field ${code}`) : field
}

runCommand(
  wanted,
  async (body) => {
    const { id } = await createUser(await shellContext(), { body: parseOrThrow(NewUserInput, body) })
    const { email, login = email } = body.values
    console.log(`Account: ${login} (${id})`)
    if (body.sendLink) console.log(`A link that sets the first password goes to ${email}`)
  },
  optionOf,
)
