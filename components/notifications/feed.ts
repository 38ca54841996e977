import { call } from '@/lib/base/http/client'
import type { LastNotices, lastNotices, readNotices } from '@/lib/news/notifications/contract'

type Listener = (last: LastNotices | 'failed') => void

const last: Pick<typeof lastNotices, 'method' | 'path'> = { method: 'GET', path: '/notify/personal-account/last' }
const read: Pick<typeof readNotices, 'method' | 'path'> = { method: 'POST', path: '/notify/personal-account/read' }

const listeners = new Set<Listener>()
let reading: Promise<void> | null = null
let again = false

async function ask() {
  do {
    again = false
    const answer = await call<typeof lastNotices>(last).catch(() => 'failed' as const)
    for (const listener of listeners) listener(answer)
  } while (again)
}

/** Reads the last notices anew, once however often it is called meanwhile, and gives them to all that follow. */
export function noticesChanged(): void {
  if (listeners.size === 0) return
  again = reading !== null
  reading ??= ask().finally(() => {
    reading = null
  })
}

/** Calls the listener with the last notices after each change, until the returned function is called. */
export function followNotices(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Marks one notice as read, or all. Throws CallError. */
export async function markRead(id?: string): Promise<void> {
  await call<typeof readNotices>(read, { body: id === undefined ? {} : { id } })
  noticesChanged()
}

/** What differs if a notice came or was read. */
export const notificationMark = ({ notices, unread }: LastNotices): string => `${notices[0]?.id ?? ''} ${unread}`
