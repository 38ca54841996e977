import { discardBody } from '@/lib/base/http/external-fetch'
import { redis } from '@/lib/base/redis/redis'
import { CheckFault } from '@/lib/base/runtime/monitoring'
import { withTimeout } from '@/lib/base/runtime/timeouts'
import { externalFetch } from '@/lib/openid/server/external-fetch'
import { faultWord } from '../monitoring/look'
import { databaseVersion, type Looked, selectApplications } from './queries'
import { type PartName, shipped, versionIn } from './versions'

const patience = 5_000
/** How many applications are asked at once. */
const width = 8

const ownVersion: Record<PartName, () => Promise<string>> = {
  platform: async () => shipped.platform,
  node: async () => process.versions.node,
  postgresql: databaseVersion,
  redis: async () => /^redis_version:(\S+)/m.exec(await redis().info('server'))?.[1] ?? '',
}

async function lookAt(
  key: string,
  applicationId: string | null,
  find: (signal: AbortSignal) => Promise<string | null>,
): Promise<Looked> {
  const giveUp = new AbortController()
  try {
    const version = await withTimeout(patience, find(giveUp.signal), () => new CheckFault('timeout'))
    return { key, applicationId, version: version || null, error: version ? null : 'noVersion' }
  } catch (error) {
    return { key, applicationId, version: null, error: faultWord(error) }
  } finally {
    giveUp.abort()
  }
}

const told = (address: string) => async (signal: AbortSignal) => {
  const answer = await externalFetch(address, {
    method: 'GET',
    headers: { accept: 'application/json, text/plain' },
    signal,
  } as RequestInit)
  if (!answer.ok) {
    discardBody(answer)
    throw new CheckFault(`HTTP ${answer.status}`)
  }
  return versionIn(await answer.text())
}

/** Looks for the versions of the platform's parts, and of each application that tells its own. Never throws for one. */
export async function lookForVersions(): Promise<Looked[]> {
  const found = await Promise.all(
    Object.entries(ownVersion).map(([key, find]) => lookAt(key, null, async () => find())),
  )
  const waiting = (await selectApplications()).filter(({ techUrl }) => techUrl && /^https?:\/\//.test(techUrl))
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      found.push(await lookAt(next.id, next.id, told(next.techUrl ?? '')))
  }
  await Promise.all(Array.from({ length: width }, worker))
  return found
}
