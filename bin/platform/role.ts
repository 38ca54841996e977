import { StartFault } from '../start-fault'
import { type Noun, verb } from './noun'

const grant = verb(
  'grant <login> <role>',
  'Gives a role to the account with this login',
  (own) =>
    own
      .positional('login', { type: 'string', demandOption: true })
      .positional('role', { type: 'string', demandOption: true, describe: 'its code, its id or its exact name' })
      .option('organization', { type: 'string', describe: 'the id of the organization, for an organizational role' })
      .option('contractor', { type: 'string', describe: 'the id of a contractor that the person is in' }),
  async ({ login, role, organization, contractor }) => {
    const { runCommand, shellContext } = await import('../operator')
    const { grantByLogin } = await import('@/lib/accounts/role-holders/grant')
    await runCommand(async () => {
      const place = {
        ...(organization ? { organizationId: organization } : {}),
        ...(contractor ? { contractorId: contractor } : {}),
      }
      const granted = await grantByLogin(await shellContext(), { login, role, ...place })
      if (!granted.user) throw new StartFault(`there is no account with the login ${login}`)
      if (!granted.role) throw new StartFault(`there is no role ${role}, or more than one`)
      console.log(`${login}: ${granted.role}`)
    })
  },
)

export const role: Noun = { describe: 'Roles', verbs: [grant] }
