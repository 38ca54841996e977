import { type Noun, UsageFault, verb } from './noun'

/** The options of the fields that have one; any other is given as `--field <code>=…`. */
const options: Record<string, string> = { fio: '--name', email: '--email', login: '--login', mobile: '--mobile' }
const optionOf = (field: string) => {
  const [, code] = /^values\.(.+)$/.exec(field) ?? []
  return code ? (options[code] ?? `--field ${code}`) : field
}
const fieldFrom = (text: string) => /^([^=]+)=(.*)$/s.exec(text)?.slice(1) ?? []

const create = verb(
  'create',
  'Creates an account with the role of new users, and mails the person a link that sets the first password',
  (own) =>
    own
      .option('email', { type: 'string', describe: 'also the login, if none is given' })
      .option('login', { type: 'string' })
      .option('name', { type: 'string', describe: 'the full name, where the platform asks for one' })
      .option('mobile', { type: 'string' })
      .option('field', {
        type: 'string',
        array: true,
        nargs: 1,
        default: [] as string[],
        describe: '<code>=<value> of another field that administrators edit; may be given again',
      })
      .option('no-link', { type: 'boolean', describe: 'sends no link; then --login is enough' })
      .check(({ email, login, field, 'no-link': noLink }) => {
        if (!email && !(login && noLink)) throw new UsageFault('Name an --email, or a --login with --no-link')
        const wrong = field.find((text) => fieldFrom(text).length === 0)
        if (wrong !== undefined) throw new UsageFault(`--field ${wrong}: it is given as <code>=<value>`)
        return true
      }),
  async ({ email, login, name, mobile, field, 'no-link': noLink }) => {
    const { runCommand, shellContext } = await import('../operator')
    const { NewUserInput } = await import('@/lib/account-administration/accounts/contract')
    const { createUser } = await import('@/lib/account-administration/accounts/service')
    const { parseOrThrow } = await import('@/lib/base/http/read')
    await runCommand(
      async () => {
        const named = Object.entries({ email, login, fio: name, mobile }).filter(([, value]) => value !== undefined)
        const values = { ...Object.fromEntries(field.map(fieldFrom)), ...Object.fromEntries(named) }
        const body = parseOrThrow(NewUserInput, { values, sendLink: !noLink })
        const { id } = await createUser(await shellContext(), { body })
        console.log(`Account: ${login ?? email} (${id})`)
        if (!noLink) console.log(`A link that sets the first password goes to ${email}`)
      },
      { optionOf },
    )
  },
)

export const account: Noun = { describe: 'Accounts', verbs: [create] }
