import { z } from 'zod'
import { requiredLine } from '../contracts/contract'

/**
 * Returns the schema of an external address: http or https, without credentials, query and fragment. An invalid one
 * gets the error `code`. The server requires https (docs/rules/operations.md#outgoing-calls).
 */
export const externalAddress = (code: string) =>
  requiredLine(2048)
    .overwrite((address) => address.replace(/\/+$/, ''))
    .refine((address) => {
      if (!URL.canParse(address) || /[\s\\?#]/.test(address)) return false
      const { protocol, username, password } = new URL(address)
      return (protocol === 'https:' || protocol === 'http:') && !username && !password
    }, code)

/** The schema of a secret for an external service: printable ASCII, so that it fits into a header. */
export const ExternalSecret = z
  .string({ error: 'errorEmpty' })
  .max(1024, 'errorTooLong')
  .regex(/^[\x20-\x7e]*$/, 'errorChars')
