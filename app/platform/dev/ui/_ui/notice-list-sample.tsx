'use client'

import { NoticeList } from '@/components/notifications/notice-list'
import { ReadAll } from '@/components/notifications/read-all'
import type { Notice } from '@/lib/news/notifications/contract'

const device = { device: 'Safari 18, iOS 18', ip: '2001:db8:85a3:8d3:1319:8a2e:370:7348' }
const notice = (n: number, kind: Notice['kind'], values: Notice['values'], read: boolean): Notice => ({
  id: `0d8f7a10-0000-4000-8000-00000000000${n}`,
  kind,
  values,
  link: '/platform/dev/ui',
  date: `2026-11-${20 - n}T11:02:00.000Z`,
  read,
})
const notices = [
  notice(1, 'newDevice', device, false),
  notice(2, 'sessionsEnded', { count: 21 }, false),
  notice(3, 'passwordChanged', { ...device, device: '' }, true),
]
const nothing = () => Promise.resolve()

/** Notices of every kind, read and unread. Marking one sends nothing. */
export function NoticeListSample() {
  return (
    <div className="grid max-w-[44rem] grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex justify-end">
        <ReadAll read={nothing} />
      </div>
      <NoticeList notices={notices} read={nothing} />
    </div>
  )
}
