import { z } from 'zod'
import { contract, Id } from '@/lib/base/contracts/contract'
import { CursorMeta, listQuery, yesNoFilter } from '@/lib/base/lists/lists'
import { noticeKinds } from './kinds'

const tag = 'notifications'

const Notice = z.strictObject({
  id: Id,
  kind: z.enum(noticeKinds),
  /** The values of its text, such as the device. */
  values: z.record(z.string(), z.union([z.string(), z.number()])),
  /** The page of the platform that it links to. */
  link: z.string(),
  date: z.iso.datetime(),
  read: z.boolean(),
})
export type Notice = z.output<typeof Notice>

/** The number of unread ones; more than 99 count as 100. */
const unread = z.number().int().min(0).max(100)

export const NoticeQuery = listQuery({
  filters: { unread: yesNoFilter().optional() },
  sorts: ['date'],
  defaultSort: { by: 'date', order: 'desc' },
  cursor: true,
})

export const listNotices = contract({
  name: 'listNotices',
  method: 'GET',
  path: '/notify/personal-account',
  summary: 'The notifications of the signed-in person, the newest first',
  tag,
  access: 'user',
  query: NoticeQuery,
  response: z.strictObject({ notices: z.array(Notice), unread, meta: CursorMeta }),
})

export const lastNotices = contract({
  name: 'lastNotices',
  method: 'GET',
  path: '/notify/personal-account/last',
  summary: 'The last notifications of the signed-in person, and how many are unread',
  tag,
  access: 'user',
  response: z.strictObject({ notices: z.array(Notice), unread }),
})
export type LastNotices = z.output<typeof lastNotices.response>

export const readNotices = contract({
  name: 'readNotices',
  method: 'POST',
  path: '/notify/personal-account/read',
  summary: 'Marks one notification as read; without `id` all that there are at this moment',
  tag,
  access: 'user',
  snackbar: 'noticesRead',
  body: z.strictObject({ id: Id.optional() }),
  response: z.strictObject({ unread }),
  errors: { notFound: 404 },
})
