import type { AdapterPayload } from 'oidc-provider'
import { decrypt, digest } from '@/lib/base/crypto/encryption'

/** Returns the key of a durable record: a hash, so that nobody can use what they read in the database. */
export const recordKey = (model: string, id: string): string => digest(`${model}:${id}`)

/** Returns the content of a stored record. */
export const payloadOf = ({ payload, idHash }: { payload: string; idHash: string }): AdapterPayload =>
  JSON.parse(decrypt('oidc', payload, idHash))
