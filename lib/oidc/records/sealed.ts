import type { AdapterPayload } from 'oidc-provider'
import { digest, unseal } from '@/lib/kernel/crypto/secrets'

/** Under what a durable record stands: whoever reads the database can't use it. */
export const recordKey = (model: string, id: string): string => digest(`${model}:${id}`)

/** What a stored record says. */
export const payloadOf = ({ payload, idHash }: { payload: string; idHash: string }): AdapterPayload =>
  JSON.parse(unseal('oidc', payload, idHash))
