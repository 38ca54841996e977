'use client'

import { useRouter } from 'next/navigation'
import { useTimeZone } from 'next-intl'
import { useEffect } from 'react'
import { whenIdle } from '@/components/ui/when-idle'
import { call } from '@/lib/base/http/client'
import type { patchUserSettings } from '@/lib/my-account/settings/contract'

/**
 * Keeps the times of the page in the zone of this browser, by a cookie that the pre-hydration script may not have
 * stored yet. It refreshes the page at once if it was rendered for another zone, unless the person has `chosen` that
 * zone, and stores the browser's zone on the account, for mails. `stored` is the zone of the account.
 */
export function ZoneKeeper({ stored, chosen }: { stored: string | null; chosen: boolean }) {
  const renderedZone = useTimeZone()
  const router = useRouter()
  useEffect(() => {
    if (chosen) return
    const timeZone = window.keepTimeZone?.()
    // once for each page and zone: with cookies disabled, a browser would refresh again and again
    if (timeZone && timeZone !== renderedZone) router.refresh()
  }, [renderedZone, chosen, router])
  useEffect(
    () =>
      whenIdle(() => {
        const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
        if (!timeZone || timeZone === stored) return
        const contract: Pick<typeof patchUserSettings, 'method' | 'path'> = { method: 'PATCH', path: '/users/settings' }
        call<typeof patchUserSettings>(contract, { body: { settings: { timeZone } } }).catch(() => {
          // mails keep the previous zone
        })
      }),
    [stored],
  )
  return null
}
