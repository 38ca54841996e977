import { parseArgs } from 'node:util'
import { grantByLogin } from '@/lib/accounts/role-holders/grant'
import { runCommand, shellContext } from './operator'
import { StartFault } from './server/start-checks'

const usage = `npm run role:grant -- <login> <role> [--organization <id>] [--contractor <id>]

Gives a role to the account with this login, for a first set-up. The role is named by its code, its id or its exact
name. An organizational role needs an organization, a contractor role also a contractor that the person is in.`

function wanted() {
  try {
    const text = { type: 'string' } as const
    const { values, positionals } = parseArgs({
      options: { organization: text, contractor: text },
      allowPositionals: true,
    })
    const [login, role, ...rest] = positionals
    if (login && role && rest.length === 0) return { login, role, ...values }
  } catch {
    // an unknown option: the usage lists the valid ones
  }
  throw new StartFault(usage)
}

runCommand(wanted, async ({ login, role, organization, contractor }) => {
  const place = {
    ...(organization ? { organizationId: organization } : {}),
    ...(contractor ? { contractorId: contractor } : {}),
  }
  const granted = await grantByLogin(await shellContext(), { login, role, ...place })
  if (!granted.user) throw new StartFault(`there is no account with the login ${login}`)
  if (!granted.role) throw new StartFault(`there is no role ${role}, or more than one`)
  console.log(`${login}: ${granted.role}`)
})
