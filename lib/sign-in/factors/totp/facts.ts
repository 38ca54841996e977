import { z } from 'zod'

/** What a page shows of a person's authenticator app: since when there is one, and how many recovery codes are left. */
export const AppFacts = z.strictObject({ since: z.iso.datetime(), recoveryCodes: z.number().int() })
export type AppFacts = z.output<typeof AppFacts>
