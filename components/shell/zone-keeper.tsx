'use client'

import { useRouter } from 'next/navigation'
import { useTimeZone } from 'next-intl'
import { useEffect } from 'react'
import { whenIdle } from '@/components/ui/when-idle'
import { call } from '@/lib/base/http/client'
import type { patchUserSettings } from '@/lib/my-account/settings/contract'

/**
 * Keeps the times of the page in the zone of this browser, by a cookie, which the early script may not have put yet: it
 * reads the page again at once if it was made for another one, unless the person has `chosen` that, and stores the zone on
 * the account, for mails. `stored` is the account's.
 */
export function ZoneKeeper({ stored, chosen }: { stored: string | null; chosen: boolean }) {
  const shown = useTimeZone()
  const router = useRouter()
  useEffect(() => {
    if (chosen) return
    const timeZone = window.keepTimeZone?.()
    // once for each page that was made for a zone: a browser whose cookies are off would read it again and again
    if (timeZone && timeZone !== shown) router.refresh()
  }, [shown, chosen, router])
  useEffect(
    () =>
      whenIdle(() => {
        const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
        if (!timeZone || timeZone === stored) return
        const contract: Pick<typeof patchUserSettings, 'method' | 'path'> = { method: 'PATCH', path: '/users/settings' }
        call<typeof patchUserSettings>(contract, { body: { settings: { timeZone } } }).catch(() => {
          // mails go on in the zone of before
        })
      }),
    [stored],
  )
  return null
}
