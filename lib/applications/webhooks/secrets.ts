import { randomBytes } from 'node:crypto'
import type { WebhookSecret } from '@/db/schema/webhooks'
import { decrypt, encrypt } from '@/lib/base/crypto/encryption'

type Owner = { id: string; secrets: readonly WebhookSecret[] }

/** Returns a new secret in the form of Standard Webhooks. */
export const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/** Returns a secret as it is stored. */
export const stored = (secret: string, id: string, createdAt: Date): WebhookSecret => ({
  sealed: encrypt('webhooks', secret, id),
  createdAt: createdAt.toISOString(),
  expiresAt: null,
})

/** Returns the secrets that are valid now, as they are stored, the newest first. */
export const validSecrets = ({ secrets }: Pick<Owner, 'secrets'>, now: Date) =>
  secrets.filter(({ expiresAt }) => expiresAt === null || new Date(expiresAt) > now)

/** Returns the decrypted secrets that are valid now, the newest first. */
export const openSecrets = ({ id, secrets }: Owner, now: Date) =>
  validSecrets({ secrets }, now).map(({ sealed }) => decrypt('webhooks', sealed, id))

/**
 * Returns the valid secrets as the administration shows them: the last characters, and the beginning and end of
 * validity.
 */
export const shownSecrets = ({ id, secrets }: Owner, now: Date) =>
  validSecrets({ secrets }, now).map(({ sealed, createdAt, expiresAt }) => ({
    tail: decrypt('webhooks', sealed, id).slice(-4),
    since: createdAt,
    until: expiresAt,
  }))
