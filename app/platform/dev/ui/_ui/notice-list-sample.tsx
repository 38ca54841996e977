'use client'

import { NoticeList } from '@/components/notifications/notice-list'
import { ReadAll } from '@/components/notifications/read-all'
import type { Notice } from '@/lib/news/notifications/contract'

const device = { device: 'Safari 18, iOS 18', ip: '2001:db8:85a3:8d3:1319:8a2e:370:7348' }
const notice = (index: number, kind: Notice['kind'], values: Notice['values'], read: boolean): Notice => ({
  id: `0d8f7a10-0000-4000-8000-00000000000${index}`,
  kind,
  values,
  link: '/platform/dev/ui',
  date: `2026-11-${20 - index}T11:02:00.000Z`,
  read,
})
const notices = [
  notice(1, 'newDevice', device, false),
  notice(2, 'sessionsEnded', { count: 21 }, false),
  notice(3, 'passwordChanged', { ...device, device: '' }, true),
]
const sendNothing = () => Promise.resolve()

/** Notifications of every kind, read and unread. Marking one sends nothing. */
export function NoticeListSample() {
  return (
    <div className="grid max-w-[44rem] grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex justify-end">
        <ReadAll read={sendNothing} />
      </div>
      <NoticeList notices={notices} read={sendNothing} />
    </div>
  )
}
