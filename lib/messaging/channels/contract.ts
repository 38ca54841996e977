import { z } from 'zod'
import { contract, Done, line } from '@/lib/base/contracts/contract'
import { readVersion } from '@/lib/base/lists/area-calls'
import { channelIds } from '../subscription-kinds'

const NotifyMethod = z.strictObject({
  id: z.enum(channelIds),
  enabled: z.boolean(),
  /** Its transport is ready on this platform. */
  active: z.boolean(),
  updatedAt: z.iso.datetime(),
})
export type NotifyMethod = z.output<typeof NotifyMethod>

const common = { tag: 'settings', access: { area: 'settings' } } as const
const path = '/setting/subscribes/notify-methods'

export const listNotifyMethods = contract({
  ...common,
  name: 'listNotifyMethods',
  summary: 'The ways in which people are told of what they have subscribed to',
  method: 'GET',
  path,
  response: z.strictObject({ subscribesChannels: z.array(NotifyMethod) }),
})

export const enableNotifyMethod = contract({
  ...common,
  name: 'enableNotifyMethod',
  snackbar: 'notifyMethodsUpdate',
  summary: 'Switches a way on or off for everybody; mails that protect accounts are sent all the same',
  method: 'PUT',
  path: `${path}/{id}/enabled`,
  params: z.strictObject({ id: line(64) }),
  body: z.strictObject({ enabled: z.boolean({ error: 'errorFormat' }), ...readVersion }),
  response: Done,
  errors: { notFound: 404, conflict: 409 },
})
