import { parseArgs } from 'node:util'
import { readClientSecret } from '@/lib/oidc/clients/service'
import { runCommand, shellContext } from './operator'
import { StartFault } from './server/start-checks'

const usage = `npm run client:secret -- --client-id <id>

Prints the client's secret of the moment. Each reading stands in the history.`

function wanted(): string {
  try {
    const { values } = parseArgs({ options: { 'client-id': { type: 'string' } } })
    if (values['client-id']) return values['client-id']
  } catch {
    // an unknown option: the usage lists the valid ones
  }
  throw new StartFault(usage)
}

runCommand(wanted, async (clientId) => {
  const { secret } = await readClientSecret(await shellContext(), { clientId })
  console.log(secret)
})
