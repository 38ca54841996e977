import { parseArgs } from 'node:util'
import { readClientSecret, rotateClientSecret } from '@/lib/openid/clients/service'
import { runCommand, shellContext } from './operator'
import { StartFault } from './server/start-checks'

const usage = `npm run client:secret -- --client-id <id> [options]

  --replace          makes a new secret, also for a client that ships with the platform
  --overlap <hours>  for so long the previous secret stays valid: 24 by default, 0 to end it at once

Prints the client's secret. Each reading and each new secret stands in the history.`

const most = 30 * 24

function wanted(): { clientId: string; hours: number | null } {
  try {
    const { values } = parseArgs({
      options: { 'client-id': { type: 'string' }, replace: { type: 'boolean' }, overlap: { type: 'string' } },
    })
    const { 'client-id': clientId, replace = false, overlap } = values
    const hours = Number(overlap ?? 24)
    const fits = Number.isInteger(hours) && hours >= 0 && hours <= most && (replace || overlap === undefined)
    if (clientId && fits) return { clientId, hours: replace ? hours : null }
  } catch {
    // an unknown option: the usage lists the valid ones
  }
  throw new StartFault(usage)
}

runCommand(wanted, async ({ clientId, hours }) => {
  const ctx = await shellContext()
  const { secret } =
    hours === null
      ? await readClientSecret(ctx, { clientId })
      : await rotateClientSecret(ctx, { clientId, overlap: hours * 3_600 })
  console.log(secret)
})
