import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const Secrets = z.object({
  secretKeys: z.string(),
  superuserPassword: z.string(),
  ownerPassword: z.string(),
  appPassword: z.string(),
  redisPassword: z.string(),
})
export type Secrets = z.output<typeof Secrets>

const random = () => randomBytes(36).toString('base64url')

/**
 * The keys and passwords of the embedded services. They are created once for a folder, and only its owner can read
 * them.
 */
export async function readOrMakeSecrets(folder: string): Promise<Secrets> {
  const path = join(folder, 'secrets')
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text) return Secrets.parse(JSON.parse(text))
  const secrets: Secrets = {
    secretKeys: random(),
    superuserPassword: random(),
    ownerPassword: random(),
    appPassword: random(),
    redisPassword: random(),
  }
  await writeFile(path, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
  return secrets
}
