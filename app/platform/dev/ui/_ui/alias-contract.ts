import { z } from 'zod'
import { contract, Done, line, requiredLine } from '@/lib/kernel/http/contract'

/** The shape of a call like those of the administration area. No route answers it: the example keeps to itself. */
export const sampleAliasCall = contract({
  name: 'sampleAlias',
  method: 'POST',
  path: '/dev/aliases',
  summary: 'An example of a form with repeated rows',
  tag: 'dev',
  access: 'public',
  body: z.strictObject({
    name: requiredLine(64),
    ips: z
      .array(
        z.strictObject({
          ip: requiredLine(64).regex(/^[\da-f.:]+(\/\d{1,3})?$/i, 'errorFormat'),
          comment: line().optional(),
        }),
      )
      .min(1, 'errorEmpty')
      .max(20, 'errorTooLong'),
    comment: line(1000).optional(),
  }),
  response: Done,
})
