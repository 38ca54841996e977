import { call } from '@/lib/base/http/client'
import type { LastNotices, lastNotices, readNotices } from '@/lib/news/notifications/contract'

type Listener = (last: LastNotices | 'failed') => void

const readLast: Pick<typeof lastNotices, 'method' | 'path'> = { method: 'GET', path: '/notify/personal-account/last' }
const read: Pick<typeof readNotices, 'method' | 'path'> = { method: 'POST', path: '/notify/personal-account/read' }

const listeners = new Set<Listener>()
let reading: Promise<void> | null = null
let readAgain = false

async function ask() {
  do {
    readAgain = false
    const answer = await call<typeof lastNotices>(readLast).catch(() => 'failed' as const)
    for (const listener of listeners) listener(answer)
  } while (readAgain)
}

/** Reads the last notifications and passes them to all listeners. Calls during a read lead to one further read. */
export function noticesChanged(): void {
  if (listeners.size === 0) return
  readAgain = reading !== null
  reading ??= ask().finally(() => {
    reading = null
  })
}

/** Calls the listener with the last notifications after each change, until the returned function is called. */
export function followNotices(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Marks one notification as read, or all. Throws CallError. */
export async function markRead(id?: string): Promise<void> {
  await call<typeof readNotices>(read, { body: id === undefined ? {} : { id } })
  noticesChanged()
}

/** Returns a value that changes when a notification arrives or is read. */
export const notificationMark = ({ notices, unread }: LastNotices): string => `${notices[0]?.id ?? ''} ${unread}`
