import { z } from 'zod'

/**
 * What `PATCH user/profile` takes of contacts. Main e-mail and mobile aren't among them: they change by a code
 * (docs/rules/profile.md#changing-the-own-account).
 */
export const ContactsPatch = z.strictObject({})
