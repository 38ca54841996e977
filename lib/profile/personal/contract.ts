import { z } from 'zod'
import { contract } from '@/lib/kernel/http/contract'

export const getProfile = contract({
  name: 'getProfile',
  method: 'GET',
  path: '/user/profile',
  summary: 'The signed-in person, as the header shows them, with what their account lacks and what it may do',
  tag: 'personal',
  access: 'user',
  response: z.strictObject({
    user: z.strictObject({
      firstName: z.string(),
      initials: z.string(),
      /** Id of the picture’s file; null without a picture. */
      avatar: z.uuid().nullable(),
    }),
    accessInfo: z.strictObject({
      requiredFieldsEmpty: z.boolean(),
      /** In the order of the form. */
      requiredFieldsEmptyCodes: z.array(z.string()),
    }),
    availableActions: z.strictObject({
      /** Whether the person may change their password. */
      updatePassword: z.boolean(),
      /** Whether the person may set a first password. */
      setPassword: z.boolean(),
    }),
  }),
})
