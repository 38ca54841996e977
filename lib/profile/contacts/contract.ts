import { z } from 'zod'

const Contact = z.strictObject({ value: z.string(), verified: z.boolean() })

/** The ways to reach a person, in an answer. */
export const ContactsInfo = z.strictObject({
  emails: z.strictObject({ main: Contact.nullable() }),
  mobiles: z.strictObject({ main: Contact.nullable() }),
})
