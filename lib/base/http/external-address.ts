import { z } from 'zod'
import { requiredLine } from '../contracts/contract'

/**
 * Returns the schema of an address of another system: http or https, without credentials, query and fragment. A wrong one
 * has this code; the server asks for https (docs/rules/operations.md#outgoing-calls).
 */
export const externalAddress = (code: string) =>
  requiredLine(2048)
    .overwrite((address) => address.replace(/\/+$/, ''))
    .refine((address) => {
      if (!URL.canParse(address) || /[\s\\?#]/.test(address)) return false
      const { protocol, username, password } = new URL(address)
      return (protocol === 'https:' || protocol === 'http:') && !username && !password
    }, code)

/** The schema of a secret that is sent to another system: printable ASCII, so that it fits into a header. */
export const ExternalSecret = z
  .string({ error: 'errorEmpty' })
  .max(1024, 'errorTooLong')
  .regex(/^[\x20-\x7e]*$/, 'errorChars')
