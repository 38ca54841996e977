import { discardBody } from '@/lib/base/http/external-fetch'
import { redis } from '@/lib/base/redis/redis'
import { CheckFault } from '@/lib/base/runtime/monitoring'
import { withTimeout } from '@/lib/base/runtime/timeouts'
import { externalFetch } from '@/lib/openid/server/external-fetch'
import { faultWord } from '../monitoring/look'
import { databaseVersion, type FoundVersion, selectApplications } from './queries'
import { type PartName, shipped, versionIn } from './versions'

const timeout = 5_000
/** The number of applications that are asked at the same time. */
const width = 8

const versionReaders: Record<PartName, () => Promise<string>> = {
  platform: async () => shipped.platform,
  node: async () => process.versions.node,
  postgresql: databaseVersion,
  redis: async () => /^redis_version:(\S+)/m.exec(await redis().info('server'))?.[1] ?? '',
}

async function findVersion(
  key: string,
  applicationId: string | null,
  readVersion: (signal: AbortSignal) => Promise<string | null>,
): Promise<FoundVersion> {
  const controller = new AbortController()
  try {
    const version = await withTimeout(timeout, readVersion(controller.signal), () => new CheckFault('timeout'))
    return { key, applicationId, version: version || null, error: version ? null : 'noVersion' }
  } catch (error) {
    return { key, applicationId, version: null, error: faultWord(error) }
  } finally {
    controller.abort()
  }
}

const versionAt = (address: string) => async (signal: AbortSignal) => {
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

/**
 * Finds the versions of the platform's parts, and of each application with a technical address. Errors become results.
 */
export async function findVersions(): Promise<FoundVersion[]> {
  const results = await Promise.all(
    Object.entries(versionReaders).map(([key, readVersion]) => findVersion(key, null, async () => readVersion())),
  )
  const pending = (await selectApplications()).filter(({ techUrl }) => techUrl && /^https?:\/\//.test(techUrl))
  const worker = async () => {
    for (let application = pending.shift(); application; application = pending.shift())
      results.push(await findVersion(application.id, application.id, versionAt(application.techUrl ?? '')))
  }
  await Promise.all(Array.from({ length: width }, worker))
  return results
}
